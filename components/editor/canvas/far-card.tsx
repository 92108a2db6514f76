import type { Card } from "#components/canvas/flow-graph.ts";
import { runStatuses } from "#components/status/run-statuses.ts";
import type { ShownNodeExecution } from "#lib/contract/executions.ts";
import { statusId } from "./canvas-cards.ts";
import cardStyles from "./editor-card.module.css";
import styles from "./far-card.module.css";

interface FarCardProps {
  readonly id: string;
  readonly card: Card;
  readonly status: ShownNodeExecution["status"] | undefined;
  readonly isSelected: boolean;
  readonly hasProblem: boolean;
}

/** A card from afar: the colour of what it is, or of how it fares. Its name is what the pointer and a screen reader are told. */
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
