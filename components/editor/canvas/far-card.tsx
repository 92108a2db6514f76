import type { Card } from "#components/canvas/flow-graph.ts";
import type { ShownNodeExecution } from "#lib/contract/executions.ts";
import styles from "./far-card.module.css";

interface FarCardProps {
  readonly card: Card;
  readonly status: ShownNodeExecution["status"] | undefined;
  readonly isSelected: boolean;
  readonly hasProblem: boolean;
}

/** A card from afar: the colour of what it is, or of how it fares. Its name is what the pointer and a screen reader are told. */
export function FarCard({ card, status, isSelected, hasProblem }: FarCardProps) {
  return (
    <div
      className={styles.card}
      title={card.name}
      data-family={card.family}
      data-status={status}
      data-selected={isSelected || undefined}
      data-problem={hasProblem || undefined}
    />
  );
}
