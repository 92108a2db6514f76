import { Handle, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import { CardFace } from "#components/canvas/card-face.tsx";
import { plainHandleId } from "#components/canvas/flow-graph.ts";
import cardStyles from "#components/canvas/node-card.module.css";
import styles from "../canvas/editor-card.module.css";
import type { EditorCardNode } from "../canvas/editor-card.tsx";
import { FarCard } from "../canvas/far-view.tsx";

/** The start of a loop's body, in place of a trigger: once per item. */
export const StartCard = memo(function StartCard({ id, data, selected }: NodeProps<EditorCardNode>) {
  const { card, far, open } = data;
  if (far) return <FarCard id={id} card={card} run={undefined} isSelected={selected} hasProblem={false} />;
  return (
    <div className={`${cardStyles.card} ${styles.card}`} data-selected={selected || undefined}>
      <div className={cardStyles.head} title={card.summary}>
        <CardFace card={card} />
      </div>
      <Handle
        id={plainHandleId}
        type="source"
        position={Position.Right}
        data-open={open || undefined}
        className={`${cardStyles.plainHandle} ${styles.handle}`}
      />
    </div>
  );
});
