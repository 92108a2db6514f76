import { runStatuses } from "#components/status/run-statuses.ts";
import { formatDuration } from "#components/time/duration.ts";
import type { ShownNodeExecution } from "#lib/contract/executions.ts";
import type { Card } from "./flow-graph.ts";
import styles from "./node-card.module.css";
import { NodeTile } from "./node-tile.tsx";

/** What a card says of its node: the icon of its type, its name, what it does. */
export function CardFace({ card }: { readonly card: Pick<Card, "icon" | "family" | "name" | "summary"> }) {
  return (
    <>
      <NodeTile icon={card.icon} family={card.family} />
      <span className={styles.words}>
        <span className={styles.name}>{card.name}</span>
        <span className={styles.summary}>{card.summary}</span>
      </span>
    </>
  );
}

interface CardBadgeProps {
  readonly status: ShownNodeExecution["status"];
  readonly duration: number | null;
  /** How long its output is, if that is a list. */
  readonly items?: number | undefined;
}

/** How the node fared in a run. */
export function CardBadge({ status, duration, items }: CardBadgeProps) {
  const { label, icon: Icon } = runStatuses[status];
  const count = items === undefined ? "" : `${items} ${items === 1 ? "item" : "items"} · `;
  return (
    <span className={styles.badge}>
      <Icon size={14} stroke={2.2} aria-hidden="true" className={styles.badgeIcon} />
      {duration === null || status === "skipped" ? label : `${count}${formatDuration(duration)}`}
    </span>
  );
}
