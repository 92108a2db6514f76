import { TextInput } from "@mantine/core";
import { useClickOutside } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useState } from "react";
import { NodeTile } from "#components/canvas/node-tile.tsx";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { addNodeAt } from "../actions/add-node-at.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import type { AddTarget } from "../state/editor-state.ts";
import styles from "./add-menu.module.css";
import { findNodeTypes, firstSentence } from "./palette.tsx";

const size = { width: 300, height: 340, margin: 12 } as const;

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
  const found = findNodeTypes(editor.types, search);
  const active = Math.min(chosen, found.length - 1);
  const add = (type: NodeType | undefined) => {
    if (type === undefined) return;
    editor.askWhatToAdd(null);
    addNodeAt(session, type, target);
  };
  /** Focus returns to where it was; after adding, it goes to the new card. */
  const cancel = () => {
    editor.askWhatToAdd(null);
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) setChosen((active + step + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter") add(found[active]);
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
        placeholder="What comes here?"
        aria-label="Search nodes"
        role="combobox"
        aria-expanded
        aria-controls="add-menu-list"
        aria-activedescendant={found[active] && `add-${found[active].type}`}
      />
      <div id="add-menu-list" role="listbox" aria-label="Node types" className={styles.list}>
        {found.map((type, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the search field above takes the keys for all options
          <div
            key={type.type}
            id={`add-${type.type}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={styles.item}
            onPointerMove={() => setChosen(index)}
            onClick={() => add(type)}
          >
            <NodeTile icon={type.iconPath} family={type.family} small />
            <span className={styles.words}>
              <span className={styles.name}>{type.name}</span>
              <span className={styles.what}>{firstSentence(type.description)}</span>
            </span>
          </div>
        ))}
        {found.length === 0 && <p className={styles.none}>No matching node types.</p>}
      </div>
    </div>
  );
}
