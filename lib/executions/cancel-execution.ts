import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { AppError } from "#lib/errors.ts";
import { isoNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { cancellationListeners } from "./cancellations.ts";
import { findExecution } from "./find-execution.ts";
import { finishExecution } from "./finish-execution.ts";
import { waitedFor, wakeParent } from "./relatives.ts";
import { stopRun } from "./running-runs.ts";

/**
 * Cancels a run that has not ended. The row is changed first: of a cancellation and an end at the same moment, one
 * wins. Then whoever runs it is stopped, here at once, elsewhere with its next heartbeat. Throws NOT_FOUND and
 * INVALID_STATUS (`details.currentStatus`).
 */
export async function cancelExecution(actor: Actor, id: string, reason: string | null) {
  await findExecution(actor, id);
  const cancelledAt = isoNow();
  const won = await cancelRow(id, cancelledAt, reason);
  if (!won) {
    const { status } = await findExecution(actor, id);
    throw new AppError("INVALID_STATUS", `The execution is ${status} and cannot be cancelled`, {
      details: { currentStatus: status },
    });
  }
  await recordChange(database(), actor, { action: "executions.cancelled", id, after: { count: 1, reason } });
  return { id, status: "cancelled" as const, cancelledAt, reason };
}

/** False when the run had ended already. Executions that it waits for are cancelled too. */
export async function cancelRow(id: string, cancelledAt: string, reason: string | null): Promise<boolean> {
  const won = await finishExecution({
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
    logs: [{ timestamp: cancelledAt, level: "info", nodeId: null, message: "Execution cancelled", data: null }],
  });
  if (!won) return false;
  stopRun(id, "cancelled");
  await Promise.all([...cancellationListeners()].map((tell) => tell(id)));
  await cancelWaitedFor(id);
  await wakeParent(id);
  return true;
}

/** Cancels the executions whose end a run waits for that has ended itself, and theirs. */
export async function cancelWaitedFor(id: string): Promise<void> {
  const reason = "The execution that waited for this one has ended";
  for (const child of await waitedFor(id)) await cancelRow(child, isoNow(), reason);
}
