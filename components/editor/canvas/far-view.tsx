import type { ReactFlowState } from "@xyflow/react";
import { useContext } from "react";
import type { Card } from "#components/canvas/flow-graph.ts";
import { StatusLabel, statusFace } from "#components/status/run-status.tsx";
import { formatClock, TimeZoneContext } from "#components/time/relative-time.tsx";
import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { statusId } from "./canvas-cards.ts";
import cardStyles from "./editor-card.module.css";
import styles from "./far-view.module.css";

interface FarCardProps {
  readonly id: string;
  readonly card: Card;
  readonly run: ShownNodeExecution | undefined;
  readonly isSelected: boolean;
  readonly hasProblem: boolean;
}

/** A zoomed-out card: the colour of its kind or status. Its name is in the tooltip and for screen readers. */
export function FarCard({ id, card, run, isSelected, hasProblem }: FarCardProps) {
  const zone = useContext(TimeZoneContext);
  return (
    <div
      className={styles.card}
      title={titleOf(card, run, zone)}
      data-family={card.family}
      data-status={run && (statusFace(run).tone ?? run.status)}
      data-disabled={card.disabled}
      data-selected={isSelected || undefined}
      data-problem={hasProblem || undefined}
    >
      {run !== undefined && (
        <span id={statusId(id)} className={cardStyles.hidden}>
          <StatusLabel of={run} />
        </span>
      )}
    </div>
  );
}

/** "Pause: waiting until 14:20". */
function titleOf({ name, disabled }: Card, run: ShownNodeExecution | undefined, zone: string | null): string {
  if (run === undefined) return disabled ? `${name}: disabled` : name;
  const { waitingFor, waitingUntil } = run;
  const isTimed = run.status === "running" && waitingFor === "time" && waitingUntil !== undefined;
  const until = isTimed ? ` until ${formatClock(Date.parse(waitingUntil), Date.now(), zone)}` : "";
  return `${name}: ${statusFace(run).label.toLowerCase()}${until}`;
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
