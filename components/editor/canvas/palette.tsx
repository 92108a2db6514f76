import { ActionIcon, TextInput, Tooltip } from "@mantine/core";
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconSearch } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { NodeTile } from "#components/canvas/node-tile.tsx";
import { addNodeAt } from "#components/editor/actions/add-node-at.ts";
import type { NodeStart } from "#components/editor/commands/add-node.ts";
import { useSession } from "#components/editor/state/editor-context.ts";
import { useRovingFocus } from "#components/page/roving-focus.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { findAll } from "#lib/search-words.ts";
import styles from "./palette.module.css";

const startFormat = "application/x-millrace-node-start";

/** A node type being dragged from the palette to the canvas. */
export const draggedType = {
  format: "application/x-millrace-node-type",
  read: (data: DataTransfer): string => data.getData("application/x-millrace-node-type"),
  /** The node's initial config, if any. */
  readStart: (data: DataTransfer): NodeStart | undefined => {
    const text = data.getData(startFormat);
    return text === "" ? undefined : (JSON.parse(text) as NodeStart);
  },
  write: (data: DataTransfer, type: string, start?: NodeStart): void => {
    data.setData("application/x-millrace-node-type", type);
    if (start !== undefined) data.setData(startFormat, JSON.stringify(start));
    data.effectAllowed = "copy";
  },
} as const;

const ServicePalette = lazy(async () => ({
  default: (await import("#components/editor/services/service-palette.tsx")).ServicePalette,
}));

const familyLabels: Readonly<Record<NodeType["family"], string>> = {
  action: "Actions",
  logic: "Logic",
  data: "Data",
  output: "Output",
};

/** The types whose name, id, description or keywords have every word of the search: best matches first, then by family. */
export function findNodeTypes(types: readonly NodeType[], search: string): readonly NodeType[] {
  const families = Object.keys(familyLabels);
  const inFamilies = types.toSorted((a, b) => families.indexOf(a.family) - families.indexOf(b.family));
  return findAll(inFamilies, search, ({ name, type, description, keywords }) => [
    [name, type, ...keywords].join(" "),
    description.split("\n", 1)[0] ?? "",
  ]);
}

/** A type's description in one line: its first sentence, as plain text. */
export function firstSentence(description: string): string {
  const text = description.replaceAll("\n", " ").replaceAll("`", "");
  return /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
}

/** In a smaller window it starts closed. */
const roomForPalette = "(min-width: 56em)";

/** The node types: click one, or drag it onto the canvas or into a wire. */
export function Palette() {
  const [isOpen, setOpen] = useState(() => window.matchMedia(roomForPalette).matches);
  // The focus goes with the button that was pressed, and has to go somewhere.
  const [isToggled, setToggled] = useState(false);
  const toggle = () => {
    setOpen(!isOpen);
    setToggled(true);
  };
  if (!isOpen) {
    return (
      <div className={styles.closed}>
        <Tooltip label="Show node types" position="right">
          <ActionIcon autoFocus={isToggled} variant="subtle" size={32} onClick={toggle} aria-label="Show node types">
            <IconLayoutSidebarLeftExpand size={18} />
          </ActionIcon>
        </Tooltip>
      </div>
    );
  }
  return <OpenPalette isFocused={isToggled} onHide={toggle} />;
}

function OpenPalette({ isFocused, onHide }: { readonly isFocused: boolean; readonly onHide: () => void }) {
  const session = useSession();
  const [search, setSearch] = useState("");
  const found = findNodeTypes(session.editor.types, search);
  const { columnProps, focusFirst } = useRovingFocus<HTMLDivElement>();
  return (
    <aside className={styles.palette} aria-label="Node types">
      <div className={styles.top}>
        <TextInput
          autoFocus={isFocused}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => {
            const [first] = found;
            if (event.nativeEvent.isComposing) return;
            if (event.key === "Enter" && first !== undefined) addNodeAt(session, first);
            if (event.key === "Escape") setSearch("");
            if (event.key === "ArrowDown") {
              event.preventDefault();
              focusFirst();
            }
          }}
          leftSection={<IconSearch size={14} aria-hidden="true" />}
          placeholder="Search nodes"
          aria-label="Search nodes"
        />
        <ActionIcon variant="subtle" size={28} onClick={onHide} aria-label="Hide node types" title="Hide node types">
          <IconLayoutSidebarLeftCollapse size={16} />
        </ActionIcon>
      </div>
      <div
        {...columnProps}
        className={styles.list}
        role="toolbar"
        aria-orientation="vertical"
        aria-label="Nodes to add"
      >
        {found.length === 0 && <p className={styles.none}>No matching node types.</p>}
        {Object.entries(familyLabels).map(([family, label]) => (
          <Family key={family} label={label} types={found.filter((type) => type.family === family)} />
        ))}
        <Suspense>
          <ServicePalette search={search} />
        </Suspense>
      </div>
    </aside>
  );
}

function Family({ label, types }: { readonly label: string; readonly types: readonly NodeType[] }) {
  const session = useSession();
  if (types.length === 0) return null;
  return (
    <section aria-label={label}>
      <h2 className={styles.family}>{label}</h2>
      {types.map((type) => (
        <button
          key={type.type}
          type="button"
          className={styles.item}
          draggable
          onDragStart={(event) => draggedType.write(event.dataTransfer, type.type)}
          onClick={() => addNodeAt(session, type)}
          title={firstSentence(type.description)}
        >
          <NodeTile icon={type.iconPath} family={type.family} small />
          {type.name}
        </button>
      ))}
    </section>
  );
}
