import { recordWith } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { toStorableText } from "#lib/engine/flow.ts";
import { AppError } from "#lib/errors.ts";
import { isoNow } from "#lib/platform/clock.ts";
import { database, query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { findExecution } from "./read-execution.ts";
import type { Run } from "./run.ts";
import { finishExecution, finishTogether } from "./store/finish-execution.ts";
import type { FinishedRun } from "./store/run-row.ts";
import { stopRun } from "./store/runs-in-process.ts";
import { orphanedChildren, waitedFor, wakeParent } from "./sub-flow-runs.ts";

interface Cancelled {
  readonly id: string;
  readonly status: "cancelled";
  readonly cancelledAt: string;
  readonly reason: string | null;
}

/**
 * Cancels a run that has not ended. Updates the row first, together with the audit log, so that of a concurrent
 * cancellation and end only one wins. Then stops the process that runs it: this one at once, another with its next
 * heartbeat. Throws NOT_FOUND and INVALID_STATUS (`details.currentStatus`).
 */
export async function cancelExecution(actor: Actor, id: string, reason: string | null) {
  const { once } = actor;
  if (once?.made) return once.made as Cancelled;
  await findExecution(actor, id);
  const cancelledAt = isoNow();
  const cancelled: Cancelled = { id, status: "cancelled", cancelledAt, reason };
  const entry = { action: "executions.cancelled", id, after: { count: 1, reason } } as const;
  const by = await nameOfActor(actor);
  const won = await finishTogether([cancellation(id, cancelledAt, reason, by)], async (run) => {
    await once?.keep(run, cancelled);
    await recordWith(run, actor, entry);
  });
  if (!won.has(id)) {
    const { status } = await findExecution(actor, id);
    throw new AppError("INVALID_STATUS", `The execution is ${status} and cannot be cancelled`, {
      details: { currentStatus: status },
    });
  }
  await afterCancellation(id);
  return cancelled;
}

/** False if the run had already ended. Also cancels the executions it waits for. */
export async function cancelRow(id: string, cancelledAt: string, reason: string | null): Promise<boolean> {
  const won = await finishExecution(cancellation(id, cancelledAt, reason));
  if (won) await afterCancellation(id);
  return won;
}

/** The actor's name for the run's log. */
export async function nameOfActor({ workspaceId, by: { kind, id } }: Actor): Promise<string> {
  const select = { name: true };
  const found =
    kind === "key"
      ? await database().apiKey.findFirst({ where: { id, workspaceId }, select })
      : await database().user.findFirst({ where: { id }, select });
  return kind === "key" ? `the API key "${found?.name ?? id}"` : (found?.name ?? id);
}

/** How a cancelled run ends, whichever process holds it. `by`: who cancelled it; null for the system. */
export function cancellation(
  id: string,
  cancelledAt: string,
  reason: string | null,
  by: string | null = null,
): FinishedRun {
  const message = `Execution cancelled${by === null ? "" : ` by ${by}`}${reason === null ? "" : `: ${reason}`}`;
  return {
    executionId: id,
    fence: null,
    status: "cancelled",
    completedAt: cancelledAt,
    output: null,
    error: null,
    warnings: null,
    nodesExecuted: null,
    errorCount: 0,
    warningCount: 0,
    reason,
    nodes: [],
    logs: [{ timestamp: cancelledAt, level: "info", nodeId: null, message: toStorableText(message), data: null }],
  };
}

/** Stops the process that drives a cancelled run, and notifies its parent and children. */
export async function afterCancellation(id: string): Promise<void> {
  stopRun(id, "cancelled");
  await Promise.all([...cancellationListeners()].map((notify) => notify(id)));
  await cancelWaitedFor(id);
  await wakeParent(id);
}

const parentEndedReason = "The execution that waited for this one has ended";

/** Cancels the executions that an ended run was waiting for, recursively. */
export async function cancelWaitedFor(id: string): Promise<void> {
  for (const child of await waitedFor(id)) await cancelRow(child, isoNow(), parentEndedReason);
}

/**
 * Cancels orphaned executions: their waiting parent has ended or is gone, and its process died before cancelling them.
 * Returns how many.
 */
export async function cancelOrphanedChildren(): Promise<number> {
  const children = await orphanedChildren();
  for (const child of children) await cancelRow(child, isoNow(), parentEndedReason);
  return children.length;
}

/** Called for each run that this process cancels; must not reject. */
type Listener = (executionId: string) => Promise<void>;

/** Other runtimes that need to hear about cancellations. */
export function cancellationListeners(): Set<Listener> {
  return singleton("cancellation-listeners", () => new Set());
}

const amend = `
  UPDATE execution SET nodes_executed = greatest(nodes_executed, $3), error_count = $4, warning_count = $5, warnings = $6
  WHERE id = $1 AND fence = $2 AND status = 'cancelled'`;

/** Records what a cancelled run had done. Called by the process that drove it: the cancellation could not know. */
export async function recordStoppedRun({ id, fence, journal }: Run): Promise<void> {
  const warnings = journal.warnings.length === 0 ? null : JSON.stringify(journal.warnings);
  const values = [id, fence, journal.nodesExecuted, journal.errorCount, journal.warningCount, warnings];
  await query("amend-stopped", amend, values);
}
