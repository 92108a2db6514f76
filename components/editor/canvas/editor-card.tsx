import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import { CardBadge, CardFace } from "#components/canvas/card-face.tsx";
import { type Card, plainHandleId } from "#components/canvas/flow-graph.ts";
import cardStyles from "#components/canvas/node-card.module.css";
import { errorHandle } from "#lib/engine/outcome.ts";
import { useRunOf } from "../state/use-run.ts";
import { hasPlainHandle, statusId } from "./canvas-cards.ts";
import { CardMarks } from "./card-marks.tsx";
import styles from "./editor-card.module.css";
import { FarCard } from "./far-card.tsx";

/** `far`: seen from so far away that only what it is and how it fares is drawn. */
export type EditorCardNode = Node<{ card: Card; problems: number; pinned: boolean; far: boolean }, "card" | "trigger">;

/** A node as it stands on the canvas to be moved, wired and chosen. Clicks are the canvas's: a card only shows. */
export const EditorCard = memo(function EditorCard({ id, data, selected }: NodeProps<EditorCardNode>) {
  const { card, problems, pinned, far } = data;
  const run = useRunOf(id);
  if (far) return <FarCard id={id} card={card} status={run?.status} isSelected={selected} hasProblem={problems > 0} />;
  return (
    <div
      className={`${cardStyles.card} ${styles.card}`}
      data-status={run?.status}
      data-selected={selected || undefined}
      data-problem={problems > 0 || undefined}
    >
      <Handle type="target" position={Position.Left} className={`${cardStyles.handle} ${styles.handle}`} />
      <div className={cardStyles.head} title={card.name}>
        <CardFace card={card} />
      </div>
      {hasPlainHandle(card) && <SourceHandle id={plainHandleId} className={cardStyles.plainHandle} />}
      {card.branches.length > 0 && (
        <div className={cardStyles.branches}>
          {card.branches.map((branch) => (
            <div
              key={branch}
              className={cardStyles.branch}
              data-error={branch === errorHandle || undefined}
              data-chosen={run?.handle === branch || undefined}
            >
              <span className={cardStyles.branchName}>{branch}</span>
              <SourceHandle id={branch} className={cardStyles.handle} />
            </div>
          ))}
        </div>
      )}
      {!card.branches.includes(errorHandle) && (
        <SourceHandle id={errorHandle} className={styles.errorHandle} label="error" position={Position.Bottom} />
      )}
      <CardMarks problems={problems} pinned={pinned} />
      {run !== undefined && (
        <CardBadge id={statusId(id)} status={run.status} duration={run.duration} items={run.items} />
      )}
    </div>
  );
});

interface SourceHandleProps {
  readonly id: string;
  readonly className: string | undefined;
  readonly label?: string;
  readonly position?: Position;
}

function SourceHandle({ id, className = "", label, position = Position.Right }: SourceHandleProps) {
  return (
    <Handle id={id} type="source" position={position} className={`${className} ${styles.handle}`}>
      {label !== undefined && <span className={styles.handleLabel}>{label}</span>}
    </Handle>
  );
}
