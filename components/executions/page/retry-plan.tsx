import { Skeleton } from "@mantine/core";
import { IconCircleDashed, IconKey, IconPlayerPlay, IconRecycle, IconRepeat } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { z } from "zod";
import { sayFailure } from "#components/page/failure-notice.tsx";
import type { retryPlan } from "#lib/contract/executions/retries.ts";
import styles from "./retry-plan.module.css";

type Plan = z.output<typeof retryPlan>;
type PlannedNode = Plan["nodes"][number];

const plans = {
  reused: { label: "output reused", icon: IconRecycle },
  runs: { label: "runs", icon: IconPlayerPlay },
  skipped: { label: "not run", icon: IconCircleDashed },
} as const;

/** What happens to each node, and which outside effects are repeated. */
export function RetryPlan({ plan }: { readonly plan: UseQueryResult<Plan> }) {
  if (plan.isError) return <p className={styles.note}>The plan could not be loaded. {sayFailure(plan.error)}</p>;
  if (plan.data === undefined) return <Skeleton height={96} />;
  const { nodes, flowVersion, originalVersion } = plan.data;
  return (
    <div aria-busy={plan.isPlaceholderData || undefined}>
      {flowVersion !== originalVersion && (
        <p className={styles.note}>
          The flow has changed since: the new run uses version {flowVersion}, this one used version {originalVersion}.
        </p>
      )}
      <p className={styles.note}>{describeEffects(nodes)}</p>
      <ul className={styles.plan} aria-label="Plan">
        {nodes.map((node) => (
          <PlannedRow key={node.nodeId} node={node} />
        ))}
      </ul>
    </div>
  );
}

function PlannedRow({ node: { nodeName, plan, effect, replay } }: { readonly node: PlannedNode }) {
  const { label, icon: Icon } = plans[plan];
  const isRepeated = plan === "runs" && replay.again && effect !== "none";
  return (
    <li className={styles.node} data-plan={plan}>
      <Icon size={16} aria-hidden="true" />
      <span className={styles.words}>
        <span className={styles.name}>{nodeName}</span>
        {(isRepeated || (plan === "reused" && effect === "write")) && (
          <span className={styles.reason} data-again={(isRepeated && effect === "write") || undefined}>
            {replay.key !== null ? (
              <IconKey size={12} aria-hidden="true" />
            ) : (
              isRepeated && <IconRepeat size={12} aria-hidden="true" />
            )}
            {replay.reason}.
          </span>
        )}
      </span>
      <span className={styles.what}>{label}</span>
    </li>
  );
}

/** How many outside effects are repeated, and which ones a receiver can deduplicate. */
export function describeEffects(nodes: readonly PlannedNode[]): string {
  const writes = nodes.filter(({ effect }) => effect === "write");
  const again = writes.filter(({ replay }) => replay.again);
  const skipped = writes.filter(({ plan }) => plan === "reused").length;
  const keyed = again.filter(({ replay }) => replay.key !== null).length;
  if (again.length === 0) {
    return skipped === 0
      ? "No side effects are repeated."
      : `Nothing is sent again: ${effectsAre(skipped)} not repeated.`;
  }
  const parts = [`${effectsAre(again.length)} repeated`];
  if (keyed > 0) parts.push(`${keyed} with the original’s key`);
  if (skipped > 0) parts.push(`${skipped} not repeated`);
  return `${parts.join(", ")}.`;
}

function effectsAre(count: number): string {
  return count === 1 ? "1 side effect is" : `${count} side effects are`;
}
