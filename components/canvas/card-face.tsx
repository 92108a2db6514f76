import type { ReactNode } from "react";
import { type FacedStatus, StatusLabel, statusFace } from "#components/status/run-status.tsx";
import { formatDuration } from "#components/time/duration.ts";
import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { errorHandle } from "#lib/engine/outcome.ts";
import type { Card } from "./flow-graph.ts";
import styles from "./node-card.module.css";
import { NodeTile } from "./node-tile.tsx";

/** A card's content: the icon of its type, its name, what it does. */
export function CardFace({ card }: { readonly card: Pick<Card, "icon" | "family" | "name" | "summary" | "disabled"> }) {
  return (
    <>
      <NodeTile icon={card.icon} family={card.family} />
      <span className={styles.words}>
        {/* The space is for screen readers, which read the two as one text. */}
        <span className={styles.name} dir="auto">
          {card.name}
        </span>{" "}
        <span className={styles.summary}>{summaryOf(card)}</span>
      </span>
    </>
  );
}

interface CardBranchesProps {
  readonly branches: readonly string[];
  /** The handle by which the run left; null or missing for the plain one. */
  readonly chosen: string | null | undefined;
  /** A branch's handle, as the canvas draws it. */
  readonly handle: (branch: string) => ReactNode;
}

/** A card's branches, a row each; nothing without any. */
export function CardBranches({ branches, chosen, handle }: CardBranchesProps) {
  if (branches.length === 0) return null;
  return (
    <div className={styles.branches}>
      {branches.map((branch) => (
        <div
          key={branch}
          className={styles.branch}
          data-error={branch === errorHandle || undefined}
          data-chosen={chosen === branch || undefined}
        >
          <span className={styles.branchName}>{branch}</span>
          {handle(branch)}
        </div>
      ))}
    </div>
  );
}

/** What a node does, in one line. */
export function summaryOf({ disabled, summary }: Pick<Card, "summary" | "disabled">): string {
  return disabled === true ? `Disabled · ${summary}` : summary;
}

/** A list output's length; for a running loop, how many items have started. Steps do not count as items. */
export function itemsOf({ hasSteps }: Card, run: ShownNodeExecution | undefined): number | undefined {
  if (hasSteps) return undefined;
  return run?.status === "running" ? run.iterations : run?.items;
}

interface CardBadgeProps {
  /** For a card that is described by its badge. */
  readonly id?: string;
  readonly of: FacedStatus;
  readonly duration: number | null;
  /** The length of its output, if that is a list; for a loop in progress, how many items have started. */
  readonly items?: number | undefined;
}

/** A node's status in a run: in words too, because colour alone is not accessible. */
export function CardBadge({ id, of, duration, items }: CardBadgeProps) {
  const { icon: Icon, tone = of.status } = statusFace(of);
  const parts: string[] = [""];
  if (tone !== "skipped" && items !== undefined) parts.push(`${items} ${items === 1 ? "item" : "items"}`);
  if (tone !== "skipped" && duration !== null) parts.push(formatDuration(duration));
  return (
    <span className={styles.badge} id={id} data-waiting={of.waitingFor} data-tone={tone}>
      <Icon size={14} stroke={2.2} aria-hidden="true" className={styles.badgeIcon} />
      <span>
        <StatusLabel of={of} />
        {parts.join(" · ")}
      </span>
    </span>
  );
}
