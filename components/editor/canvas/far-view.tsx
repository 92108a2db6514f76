import type { ReactFlowState } from "@xyflow/react";
import type { Card } from "#components/canvas/flow-graph.ts";
import { runStatuses } from "#components/status/run-status.tsx";
import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { statusId } from "./canvas-cards.ts";
import cardStyles from "./editor-card.module.css";
import styles from "./far-view.module.css";

interface FarCardProps {
  readonly id: string;
  readonly card: Card;
  readonly status: ShownNodeExecution["status"] | undefined;
  readonly isSelected: boolean;
  readonly hasProblem: boolean;
}

/** A zoomed-out card: the colour of its kind or status. Its name is in the tooltip and for screen readers. */
export function FarCard({ id, card, status, isSelected, hasProblem }: FarCardProps) {
  return (
    <div
      className={styles.card}
      title={status === undefined ? card.name : `${card.name}: ${runStatuses[status].label.toLowerCase()}`}
      data-family={card.family}
      data-status={status}
      data-selected={isSelected || undefined}
      data-problem={hasProblem || undefined}
    >
      {status !== undefined && (
        <span id={statusId(id)} className={cardStyles.hidden}>
          {runStatuses[status].label}
        </span>
      )}
    </div>
  );
}

/** Below this zoom, cards of a large flow cannot be read or clicked: only their kind and status are drawn. */
const farZoom = 0.25;
/** Smaller flows keep their cards' icons and names at any zoom. */
const smallMax = 60;

/**
 * Whether the flow is zoomed out. For a single subscriber: hundreds of cards would each run it at every step of a pan.
 */
export const seenFromAfar = ({ transform, nodes }: ReactFlowState): boolean =>
  transform[2] < farZoom && nodes.length > smallMax;

/** Below these zooms, a card's name is larger and replaces its summary: `middle` and `small` in the stylesheet. */
const nameSteps = { middle: 0.62, small: 0.42 } as const;

/** The current size of names. Applied by the stylesheet, so that no card is rendered again. For a single subscriber, too. */
export const nameSize = ({ transform: [, , zoom] }: ReactFlowState): keyof typeof nameSteps | undefined =>
  zoom < nameSteps.small ? "small" : zoom < nameSteps.middle ? "middle" : undefined;
