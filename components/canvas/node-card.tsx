import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo, useContext } from "react";
import { statusFace } from "#components/status/run-status.tsx";
import { triggerSource } from "#lib/engine/flow.ts";
import { CanvasStateContext } from "./canvas-state.ts";
import { CardBadge, CardBranches, CardFace, itemsOf, summaryOf } from "./card-face.tsx";
import { type Card, plainHandleId } from "./flow-graph.ts";
import styles from "./node-card.module.css";

export type CardNode = Node<{ card: Card }, "card">;

export const NodeCard = memo(function NodeCard({ data: { card } }: NodeProps<CardNode>) {
  const { selectedId, onSelect, runs, unknown, live, bare, marks } = useContext(CanvasStateContext);
  const run = runs?.get(card.id);
  const isTrigger = card.id === triggerSource;
  const unreached = unknown.has(card.id) ? "unknown" : live ? "pending" : "skipped";
  const status = run?.status ?? (runs === null || isTrigger ? undefined : unreached);
  return (
    <div
      className={styles.card}
      data-family={card.family}
      data-status={status}
      data-mark={marks.get(card.id)}
      data-selected={selectedId === card.id || undefined}
      data-disabled={card.disabled}
    >
      {!isTrigger && <Handle type="target" position={Position.Left} isConnectable={false} className={styles.handle} />}
      {bare ? (
        <div className={styles.head}>
          <CardFace card={card} />
        </div>
      ) : (
        <button
          type="button"
          className={styles.head}
          onClick={() => onSelect(card.id)}
          aria-pressed={selectedId === card.id}
          aria-label={labelOf(card, status && statusFace({ ...run, status }).label)}
        >
          <CardFace card={card} />
        </button>
      )}
      {card.plain && (
        <Handle
          id={plainHandleId}
          type="source"
          position={Position.Right}
          isConnectable={false}
          className={styles.plainHandle}
        />
      )}
      <CardBranches
        branches={card.branches}
        chosen={run?.handle}
        handle={(branch) => (
          <Handle id={branch} type="source" position={Position.Right} isConnectable={false} className={styles.handle} />
        )}
      />
      {status !== undefined && (
        <CardBadge of={{ ...run, status }} duration={run?.duration ?? null} items={itemsOf(card, run)} />
      )}
    </div>
  );
});

/** A card's accessible name: its visible text and its status. */
function labelOf(card: Card, status: string | undefined): string {
  const words = [card.name, summaryOf(card), status?.toLowerCase()];
  return words.filter(Boolean).join(", ");
}
