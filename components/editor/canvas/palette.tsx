import { ActionIcon, TextInput, Tooltip } from "@mantine/core";
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { NodeTile } from "#components/canvas/node-tile.tsx";
import type { NodeType } from "#lib/contract/node-types.ts";
import { addNodeAt } from "../actions/add-node-at.ts";
import { useSession } from "../state/editor-context.ts";
import { draggedType } from "./dragged-type.ts";
import { familyLabels, findNodeTypes, firstSentence } from "./find-node-types.ts";
import styles from "./palette.module.css";

/** The node types: to click, or to drag onto the canvas or into a wire. */
export function Palette() {
  const session = useSession();
  const [search, setSearch] = useState("");
  const [isOpen, setOpen] = useState(true);
  const found = findNodeTypes(session.editor.types, search);
  if (!isOpen) {
    return (
      <div className={styles.closed}>
        <Tooltip label="Show the node types" position="right">
          <ActionIcon variant="subtle" size={32} onClick={() => setOpen(true)} aria-label="Show the node types">
            <IconLayoutSidebarLeftExpand size={18} />
          </ActionIcon>
        </Tooltip>
      </div>
    );
  }
  return (
    <aside className={styles.palette} aria-label="Node types">
      <div className={styles.top}>
        <TextInput
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => {
            const [first] = found;
            if (event.key === "Enter" && first !== undefined) addNodeAt(session, first);
            if (event.key === "Escape") setSearch("");
          }}
          leftSection={<IconSearch size={14} aria-hidden="true" />}
          placeholder="Search nodes"
          aria-label="Search nodes"
        />
        <ActionIcon
          variant="subtle"
          size={28}
          onClick={() => setOpen(false)}
          aria-label="Hide the node types"
          title="Hide the node types"
        >
          <IconLayoutSidebarLeftCollapse size={16} />
        </ActionIcon>
      </div>
      <div className={styles.list}>
        {found.length === 0 && <p className={styles.none}>No node type is called that.</p>}
        {Object.entries(familyLabels).map(([family, label]) => (
          <Family key={family} label={label} types={found.filter((type) => type.family === family)} />
        ))}
      </div>
    </aside>
  );
}

function Family({ label, types }: { readonly label: string; readonly types: readonly NodeType[] }) {
  const session = useSession();
  if (types.length === 0) return null;
  return (
    <section aria-label={label}>
      <h3 className={styles.family}>{label}</h3>
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
          <NodeTile icon={type.icon} family={type.family} small />
          {type.name}
        </button>
      ))}
    </section>
  );
}
