import { TextInput } from "@mantine/core";
import { useClickOutside } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useDeferredValue, useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { NodeTile } from "#components/canvas/node-tile.tsx";
import { serviceQueries } from "#components/services/service-queries.ts";
import { ServiceTile } from "#components/services/service-tile.tsx";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { ShownService } from "#lib/contract/services.ts";
import { addNodeAt } from "../actions/add-node-at.ts";
import type { NodeStart } from "../commands/add-node.ts";
import { callsOperation } from "../services/operation-schema.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import type { AddTarget } from "../state/editor-state.ts";
import styles from "./add-menu.module.css";
import { findNodeTypes, firstSentence } from "./palette.tsx";

const size = { width: 300, height: 380, margin: 12 } as const;

/** Asks what to add where an edge was dropped, a wire's plus was pressed, or the keyboard focus is. */
export function AddMenu() {
  const target = useEditorState((state) => state.adding);
  return target === null ? null : <Menu key={`${target.screen.x} ${target.screen.y}`} target={target} />;
}

function Menu({ target }: { readonly target: AddTarget }) {
  const session = useSession();
  const { editor } = session;
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState(0);
  const [before] = useState(() => document.activeElement);
  const box = useClickOutside<HTMLDivElement>(() => editor.askWhatToAdd(null));
  const found = useFound(search);
  const active = Math.min(chosen, found.length - 1);
  const add = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    editor.askWhatToAdd(null);
    addNodeAt(session, choice.type, { ...target, start: choice.start });
  };
  /** Focus returns to where it was; after adding, it goes to the new card. */
  const cancel = () => {
    editor.askWhatToAdd(null);
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter and the arrows belong to it.
    if (event.nativeEvent.isComposing) return;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) {
      const next = (active + step + found.length) % Math.max(1, found.length);
      setChosen(next);
      document.getElementById(`add-${found[next]?.key}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") add(found[active]);
    else if (event.key === "Escape") cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const left = Math.max(size.margin, Math.min(target.screen.x, window.innerWidth - size.width - size.margin));
  const top = Math.max(size.margin, Math.min(target.screen.y, window.innerHeight - size.height - size.margin));
  return (
    <div ref={box} className={styles.menu} style={{ left, top }} role="dialog" aria-label="Add a node">
      <TextInput
        autoFocus
        value={search}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
        leftSection={<IconSearch size={14} aria-hidden="true" />}
        placeholder="What happens next?"
        aria-label="Search nodes"
        role="combobox"
        aria-expanded
        aria-controls="add-menu-list"
        aria-activedescendant={found[active] && `add-${found[active].key}`}
      />
      <div id="add-menu-list" role="listbox" aria-label="Node types" className={styles.list}>
        {found.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the search field above handles the keys for all options
          <div
            key={choice.key}
            id={`add-${choice.key}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            title={choice.description}
            className={styles.item}
            onPointerMove={() => setChosen(index)}
            onClick={() => add(choice)}
          >
            {choice.service === undefined ? (
              <NodeTile icon={choice.type.iconPath} family={choice.type.family} small />
            ) : (
              <ServiceTile service={choice.service} />
            )}
            <span className={styles.words}>
              <span className={styles.name}>{choice.name}</span>
              <span className={styles.what}>{choice.description}</span>
            </span>
          </div>
        ))}
        {found.length === 0 && <p className={styles.none}>No matching node types.</p>}
      </div>
    </div>
  );
}

/** What can be added: a node type, or one that begins with an operation of a service. */
interface Choice {
  readonly key: string;
  readonly type: NodeType;
  readonly name: string;
  readonly description: string;
  readonly service?: ShownService | undefined;
  readonly start?: NodeStart;
}

/** Matching node types, then operations of services, which are listed only during a search. */
function useFound(search: string): readonly Choice[] {
  const api = useApi();
  const { types } = useSession().editor;
  const deferredSearch = useDeferredValue(search.trim());
  const services = useQuery({ ...serviceQueries.all(api), enabled: deferredSearch !== "" }).data?.items ?? [];
  const operations =
    useQuery({ ...serviceQueries.matching(api, deferredSearch), enabled: deferredSearch !== "" }).data?.items ?? [];
  const calling = types.find(({ configSchema }) => callsOperation(configSchema));
  const found: Choice[] = findNodeTypes(types, search).map((type) => {
    return { key: type.type, type, name: type.name, description: firstSentence(type.description) };
  });
  if (calling === undefined || deferredSearch === "" || search.trim() === "") return found;
  for (const { service: id, id: operation, name } of operations) {
    const service = services.find((candidate) => candidate.id === id);
    const start = { name, config: { service: id, operation } };
    found.push({ key: `${id}-${operation}`, type: calling, name, description: service?.name ?? id, service, start });
  }
  return found;
}
