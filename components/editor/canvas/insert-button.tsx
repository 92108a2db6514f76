import { IconPlus } from "@tabler/icons-react";
import { EdgeLabelRenderer, useStore } from "@xyflow/react";
import type { Place } from "../commands/move.ts";
import styles from "./editor-canvas.module.css";

interface InsertButtonProps {
  /** The wire that the pointer is on. */
  readonly edge: string | null;
  readonly onInsert: (edge: string, screen: Place, at: Place) => void;
}

/** A plus in the middle of a wire: what is added there stands between its ends. */
export function InsertButton({ edge, onInsert }: InsertButtonProps) {
  const middle = useStore((state): string | null => {
    const wire = edge === null ? undefined : state.edgeLookup.get(edge);
    const source = wire && state.nodeLookup.get(wire.source);
    const target = wire && state.nodeLookup.get(wire.target);
    const handles = source?.internals.handleBounds?.source ?? [];
    const handle = handles.find(({ id }) => id === wire?.sourceHandle);
    if (source === undefined || target === undefined || handle === undefined) return null;
    const from = source.internals.positionAbsolute;
    const to = target.internals.positionAbsolute;
    return `${(from.x + handle.x + to.x) / 2} ${(from.y + handle.y + to.y + 29) / 2}`;
  });
  if (middle === null || edge === null) return null;
  const [x = 0, y = 0] = middle.split(" ").map(Number);
  return (
    <EdgeLabelRenderer>
      <button
        type="button"
        data-insert
        className={`${styles.insert} nodrag nopan`}
        style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
        onClick={({ clientX, clientY }) => onInsert(edge, { x: clientX, y: clientY }, { x: x - 120, y: y - 29 })}
        aria-label="Insert a node here"
        title="Insert a node here"
      >
        <IconPlus size={14} stroke={2.2} />
      </button>
    </EdgeLabelRenderer>
  );
}
