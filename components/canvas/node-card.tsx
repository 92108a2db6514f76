import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo, useContext } from "react";
import { statusFace } from "#components/status/run-status.tsx";
import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { errorHandle } from "#lib/engine/outcome.ts";
import { CanvasStateContext } from "./canvas-state.ts";
import { CardBadge, CardFace, itemsOf, summaryOf } from "./card-face.tsx";
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
          aria-label={labelOf(card, status && statusFace(status, run?.waitingFor).label)}
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
      <Branches card={card} run={run} />
      {status !== undefined && (
        <CardBadge
          status={status}
          waitingFor={run?.waitingFor}
          duration={run?.duration ?? null}
          items={itemsOf(card, run)}
        />
      )}
    </div>
  );
});

/** A card's accessible name: its visible text and its status. */
function labelOf(card: Card, status: string | undefined): string {
  const words = [card.name, summaryOf(card), status?.toLowerCase()];
  return words.filter(Boolean).join(", ");
}

function Branches({ card, run }: { readonly card: Card; readonly run: ShownNodeExecution | undefined }) {
  if (card.branches.length === 0) return null;
  return (
    <div className={styles.branches}>
      {card.branches.map((handle) => (
        <div
          key={handle}
          className={styles.branch}
          data-error={handle === errorHandle || undefined}
          data-chosen={run?.handle === handle || undefined}
        >
          <span className={styles.branchName}>{handle}</span>
          <Handle id={handle} type="source" position={Position.Right} isConnectable={false} className={styles.handle} />
        </div>
      ))}
    </div>
  );
}
