import { toStorableText } from "#lib/engine/flow.ts";
import { cancelWaitedFor } from "#lib/executions/cancel-execution.ts";
import { finishExecution } from "#lib/executions/store/finish-execution.ts";
import type { Unreadable } from "#lib/executions/store/read-records.ts";
import type { FinishedRun } from "#lib/executions/store/run-row.ts";
import { wakeParent } from "#lib/executions/sub-flow-runs.ts";
import { isoNow } from "#lib/platform/clock.ts";

/** How often in a row a run's process may die without a finished step in between, before the run is blamed. */
export const lossesMax = 5;

/** The end of a run that cannot continue. */
export type FailedRun = Pick<FinishedRun, "completedAt" | "error">;

/** A run and the claim under which it may be ended. */
interface Claimed {
  readonly id: string;
  readonly fence: number;
}

export function failGone(row: Claimed): Promise<FailedRun> {
  return failRun(row, "The version of the flow that this run is of is gone", "FLOW_GONE");
}

export function failLost(row: Claimed): Promise<FailedRun> {
  return failRun(
    row,
    `The process that ran it died ${lossesMax} times in a row: the run may be the cause`,
    "WORKER_LOST",
  );
}

export function failUnreadable(row: Claimed, { problem }: Unreadable): Promise<FailedRun> {
  return failRun(row, `What is stored of this run cannot be read: ${problem}`, "RECORD_UNREADABLE");
}

/** Fails a run whose new records cannot be stored; it ends with those that are. */
export function failRefused(row: Claimed, error: unknown): Promise<FailedRun> {
  const reason = toStorableText(error instanceof Error ? error.message : String(error));
  return failRun(row, `What this run did cannot be stored: ${reason}`, "RECORD_REFUSED");
}

async function failRun(row: Claimed, message: string, code: string): Promise<FailedRun> {
  const failed = await storeFailure(row, { message, code, nodesExecuted: null });
  await wakeParent(row.id);
  await cancelWaitedFor(row.id);
  return failed;
}

interface Failure {
  readonly message: string;
  readonly code: string;
  /** Null: the nodes that are stored. */
  readonly nodesExecuted: number | null;
}

/** Ends a run with a failure that is no node's. A run that nobody has claimed has no fence. */
export async function storeFailure(
  { id, fence }: { readonly id: string; readonly fence: number | null },
  { message, code, nodesExecuted }: Failure,
): Promise<FailedRun> {
  const completedAt = isoNow();
  const error = { message, nodeId: null, code };
  await finishExecution({
    executionId: id,
    fence,
    status: "failed",
    completedAt,
    output: null,
    error,
    warnings: null,
    nodesExecuted,
    errorCount: 1,
    warningCount: 0,
    reason: null,
    nodes: [],
    logs: [{ timestamp: completedAt, level: "error", nodeId: null, message, data: null }],
  });
  return { completedAt, error };
}
