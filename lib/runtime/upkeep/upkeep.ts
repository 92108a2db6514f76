import { sweepAcrossRuns } from "#lib/across-runs/sweep.ts";
import { cancelOrphanedChildren } from "#lib/executions/cancel-execution.ts";
import { pruneExecutions } from "#lib/executions/prune-executions.ts";
import { foldStatistics, removeEmptyStatistics } from "#lib/executions/statistics/fold-statistics.ts";
import { sweepOrphans } from "#lib/executions/sweep-orphans.ts";
import { finishFiles, sweepFiles } from "#lib/files/sweep-files.ts";
import { finishFlowDeletions } from "#lib/flows/delete-flow.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { deleteInBatches } from "#lib/platform/database/delete-in-batches.ts";
import { env } from "#lib/platform/env.ts";
import { logLine } from "#lib/platform/log.ts";
import { metrics } from "#lib/platform/metrics.ts";
import { Poller } from "#lib/platform/one-at-a-time.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { failUnkeyedRuns } from "#lib/runtime/start/queue-run.ts";
import { finishTableRemovals, sweepStepEffects } from "#lib/tables/remove-rows.ts";
import { sweepDeliveries } from "#lib/webhooks/deliveries.ts";

const dayMs = 86_400_000;

/** How long the answer to an `Idempotency-Key` is kept. */
const idempotencyKeysKeptMs = dayMs;
const quotaWindowsKeptMs = 30 * dayMs;
const deliveriesKeptDays = 30;
const backtestsKeptDays = 7;
const alertsKeptDays = 90;
/** Much longer than they count. */
const signInFailuresKeptMs = dayMs;
/** Much longer than their lease, in case this process's clock is wrong. */
const presencesKeptMs = 600_000;

/** The number of rows removed, by kind. */
interface Upkeep {
  readonly executions: number;
  readonly deliveries: number;
  readonly idempotencyKeys: number;
  readonly quotaWindows: number;
  readonly backtests: number;
  readonly alerts: number;
  /** Counts of sign-in attempts. */
  readonly signInFailures: number;
  /** Presences of tabs that closed without ending them. */
  readonly presences: number;
  /** Nodes, logs and waits whose run was gone. */
  readonly orphans: number;
  /** Effect records of steps in ended runs. */
  readonly stepEffects: number;
  /** Expired events, keys and limits that runs share. */
  readonly acrossRuns: number;
  /** Files that nothing refers to any more. */
  readonly files: number;
}

/**
 * Removes expired data and folds the statistics, hourly, in whichever process gets to it. Deliveries, backtests and
 * alerts contain data of runs, so they never outlive them.
 */
export async function performUpkeep(now: Date, signal?: AbortSignal): Promise<Upkeep> {
  const { retentionDays } = env();
  const keptDays = (daysMax: number) => Math.min(daysMax, retentionDays ?? daysMax);
  const ago = (ms: number) => new Date(now.getTime() - ms);
  await foldStatistics();
  const executions = await pruneExecutions({ now, retentionDays, ...(signal && { signal }) });
  const deliveries = await sweepDeliveries(now, keptDays(deliveriesKeptDays) * dayMs);
  const idempotencyKeys = await expireRows("idempotency_key", ago(idempotencyKeysKeptMs), signal);
  const quotaWindows = await expireRows("quota_window", ago(quotaWindowsKeptMs), signal);
  const backtests = await expireRows("backtest", ago(keptDays(backtestsKeptDays) * dayMs), signal);
  const alerts = await expireRows("alert", ago(keptDays(alertsKeptDays) * dayMs), signal);
  const signInFailures = await expireRows("sign_in_failure", ago(signInFailuresKeptMs), signal);
  const presences = await expireRows("flow_presence", ago(presencesKeptMs), signal);
  const orphans = await sweepOrphans(now, signal);
  const stepEffects = await sweepStepEffects(signal);
  const acrossRuns = await sweepAcrossRuns(signal);
  const files = await sweepFiles(retentionDays, signal);
  await foldStatistics();
  await removeEmptyStatistics();
  const counts = { executions, deliveries, idempotencyKeys, quotaWindows, backtests, alerts, signInFailures };
  const removed = { ...counts, presences, orphans, stepEffects, acrossRuns, files };
  for (const [kind, count] of Object.entries(removed)) metrics().removed.inc({ kind }, count);
  return removed;
}

const finishMs = 60_000;
const foldMs = 5 * 60_000;
const upkeepMs = 3_600_000;
/** Soon, but not during start-up: finishing a killed process's work comes first. */
const firstFinishMs = 5_000;
const firstMs = 30_000;

const interrupted = "Upkeep was interrupted";

/**
 * The server's upkeep: finishes interrupted work every minute, folds statistics every few minutes, removes expired data
 * every hour. None waits for another.
 */
class UpkeepTimer {
  readonly #stopped = new AbortController();
  readonly #finish = new Poller(finishMs, interrupted, () => finishInterrupted(this.#stopped.signal));
  readonly #fold = new Poller(foldMs, interrupted, foldStatistics);
  readonly #remove = new Poller(upkeepMs, interrupted, () => this.#perform());
  #first: NodeJS.Timeout[] = [];

  start(): void {
    this.#finish.start();
    this.#fold.start();
    this.#remove.start();
    const finish = setTimeout(() => this.#finish.poll(), firstFinishMs);
    const remove = setTimeout(() => this.#remove.poll(), firstMs);
    this.#first = [finish.unref(), remove.unref()];
  }

  /** Drains: starts nothing more and waits for the current batches. */
  async stop(): Promise<void> {
    for (const timer of this.#first) clearTimeout(timer);
    this.#stopped.abort();
    await Promise.all([this.#finish.stop(), this.#fold.stop(), this.#remove.stop()]);
  }

  async #perform(): Promise<void> {
    const removed = await performUpkeep(timeNow(), this.#stopped.signal);
    if (Object.values(removed).some((count) => count > 0)) logLine("info", "Old records were removed", { ...removed });
  }
}

/** This process's upkeep, started on first use. */
export function upkeep(): UpkeepTimer {
  return singleton("upkeep", () => {
    const made = new UpkeepTimer();
    made.start();
    return made;
  });
}

/**
 * Finishes deletions, cancellations and failures that killed processes left; returns how many. Safe to call in several processes
 * at once.
 */
export async function finishInterrupted(signal?: AbortSignal): Promise<number> {
  const finished =
    (await finishFlowDeletions()) +
    (await cancelOrphanedChildren()) +
    (await failUnkeyedRuns()) +
    (await finishTableRemovals(signal));
  return finished + (await finishFiles(signal));
}

/** Tables whose rows expire, and the column with their age. */
const ages = {
  idempotency_key: "created_at",
  quota_window: "started_at",
  backtest: "created_at",
  flow_presence: "seen_at",
  alert: "at",
  sign_in_failure: "last_at",
} as const;

/** Deletes rows older than this; returns how many. */
async function expireRows(table: keyof typeof ages, before: Date, signal?: AbortSignal): Promise<number> {
  return await deleteInBatches({ table, where: `${ages[table]} < $1`, values: [before], signal });
}
