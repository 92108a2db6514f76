import { foldStatistics, removeEmptyStatistics } from "#lib/executions/fold-statistics.ts";
import { pruneExecutions } from "#lib/executions/prune-executions.ts";
import { sweepOrphans } from "#lib/executions/sweep-orphans.ts";
import { env } from "#lib/platform/env.ts";
import { expireRows } from "#lib/platform/expire-rows.ts";
import { metrics } from "#lib/platform/metrics.ts";
import { sweepDeliveries } from "#lib/webhooks/sweep-deliveries.ts";

const dayMs = 86_400_000;

/** For how long the first answer to an `Idempotency-Key` is given again. */
const idempotencyKeysKeptMs = dayMs;
const quotaWindowsKeptMs = 30 * dayMs;
const deliveriesKeptDays = 30;

/** What was removed, by what it was. */
export interface Upkeep {
  readonly executions: number;
  readonly deliveries: number;
  readonly idempotencyKeys: number;
  readonly quotaWindows: number;
  /** Rows of nodes, logs and waits whose run was gone. */
  readonly orphans: number;
}

/**
 * Removes what is kept no longer and folds the statistics: what has to be done every hour or so, by whichever process
 * comes to it. Deliveries have runs' outputs in them, so they go no later than the runs.
 */
export async function performUpkeep(now: Date, signal?: AbortSignal): Promise<Upkeep> {
  const { retentionDays } = env();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  await foldStatistics();
  const executions = await pruneExecutions({ now, retentionDays, ...(signal && { signal }) });
  const deliveries = await sweepDeliveries(
    now,
    Math.min(deliveriesKeptDays, retentionDays ?? deliveriesKeptDays) * dayMs,
  );
  const idempotencyKeys = await expireRows("idempotency_key", ago(idempotencyKeysKeptMs));
  const quotaWindows = await expireRows("quota_window", ago(quotaWindowsKeptMs));
  const orphans = await sweepOrphans(now, signal);
  await foldStatistics();
  await removeEmptyStatistics();
  const removed = { executions, deliveries, idempotencyKeys, quotaWindows, orphans };
  for (const [kind, count] of Object.entries(removed)) metrics().removed.inc({ kind }, count);
  return removed;
}
