import { recordWith } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { isoNow } from "#lib/platform/clock.ts";
import { database, inTransaction, type RunStatement } from "#lib/platform/database.ts";
import type { ExecutionWhereInput } from "#lib/platform/prisma/models.ts";
import { cancelRow } from "./cancel-execution.ts";
import { runWatch } from "./live/watch-runs.ts";
import { findExecution } from "./read-execution.ts";
import { countEnded } from "./statistics/count-ended.ts";
import { commonShard } from "./statistics/rollup-rows.ts";

// Counts go down with the rows that they count. A step that waits for an execution which has not ended yet keeps its
// row: by that the execution is found, and cancelled (`cancelForsaken`).
const remove = `
  WITH gone AS (
    DELETE FROM execution WHERE id = ANY($1::text[])
    RETURNING id, workspace_id, flow_id, source, started_at, status, duration_ms, error_message),
  nodes AS (DELETE FROM node_execution WHERE execution_id IN (SELECT id FROM gone)),
  waits AS (DELETE FROM execution_wait w WHERE execution_id IN (SELECT id FROM gone) AND NOT EXISTS (
    SELECT FROM execution c WHERE c.id = w.waited_id AND c.status IN ('pending', 'running'))),
  logs AS (DELETE FROM log_entry WHERE execution_id IN (SELECT id FROM gone)),
  ${countEnded({ ended: "gone", sign: "-", shard: String(commonShard) })}
  SELECT id FROM gone`;

interface Chosen {
  /** By which the statement is known. */
  readonly name: string;
  readonly condition: string;
  /** How many rows are locked, and how. */
  readonly rest: string;
}

/**
 * Deletes the chosen runs that have ended, with all that belongs to them; gives their ids. `along`: what else is
 * written in the transaction if there were any.
 *
 * The rows are locked by a statement of their own: who records or unfolds a run locks its row first, so that whatever
 * they wrote is there for the second statement to see, and they find no run after it.
 */
export function deleteEnded(
  { name, condition, rest }: Chosen,
  values: readonly unknown[],
  along: (run: RunStatement, count: number) => Promise<void> = async () => {},
): Promise<string[]> {
  const lock = `SELECT id FROM execution WHERE ${condition} AND completed_at IS NOT NULL ${rest}`;
  return inTransaction(async (run) => {
    const locked = await run<{ id: string }>(`lock-${name}`, lock, values);
    if (locked.length === 0) return [];
    const gone = await run<{ id: string }>("delete-ended", remove, [locked.map(({ id }) => id)]);
    await along(run, gone.length);
    return gone.map(({ id }) => id);
  });
}

/** Deletes one record with all that belongs to it; a run that has not ended is cancelled first. Throws NOT_FOUND. */
export async function deleteExecution(actor: Actor, id: string): Promise<null> {
  const { status } = await findExecution(actor, id);
  if (status === "pending" || status === "running") await cancelRow(id, isoNow(), null);
  const entry = { action: "executions.deleted", id, after: { count: 1 } } as const;
  if ((await deleteRows([id], (run) => recordWith(run, actor, entry))) === 0) throw notFound("Execution");
  return null;
}

const named = { name: "executions", condition: "id = ANY($1::text[])", rest: "ORDER BY id FOR UPDATE" };

/** Deletes the records of these runs that have ended; gives how many there were. `along`: see `deleteEnded`. */
export async function deleteRows(
  ids: readonly string[],
  along?: (run: RunStatement, count: number) => Promise<void>,
): Promise<number> {
  const deleted = await deleteEnded(named, [ids], along);
  runWatch().changed(deleted);
  return deleted.length;
}

interface Filter {
  readonly flowId?: string | undefined;
  readonly status?: string | undefined;
  readonly olderThan?: Date | undefined;
  readonly executionIds?: readonly string[] | undefined;
}

const batchMax = 1_000;

/**
 * Deletes all executions that the whole filter fits, in bounded steps, each with its entry in the audit log; what is
 * running is cancelled first. `along`: what else is written with each step, given how many are deleted by then.
 */
export async function deleteExecutions(
  actor: Actor,
  filter: Filter,
  along: (run: RunStatement, deletedCount: number) => Promise<void> = async () => {},
): Promise<{ deletedCount: number; status: string }> {
  const where = whereOf(actor, filter);
  let deletedCount = 0;
  for (;;) {
    const rows = await database().execution.findMany({ where, select: { id: true, status: true }, take: batchMax });
    if (rows.length === 0) break;
    const open = rows.filter(({ status }) => status === "pending" || status === "running");
    await Promise.all(open.map(({ id }) => cancelRow(id, isoNow(), null)));
    const before = deletedCount;
    const record = async (run: RunStatement, count: number) => {
      await along(run, before + count);
      await recordWith(run, actor, entryOf(filter, count));
    };
    const deleted = await deleteRows(
      rows.map(({ id }) => id),
      record,
    );
    deletedCount += deleted;
    if (deleted === 0) break;
  }
  return { deletedCount, status: `${deletedCount} ${deletedCount === 1 ? "execution" : "executions"} deleted` };
}

/** Each condition is written only when it was given: `undefined` would mean "any" to Prisma. */
function whereOf(actor: Actor, { flowId, status, olderThan, executionIds }: Filter): ExecutionWhereInput {
  return {
    workspaceId: actor.workspaceId,
    ...(flowId === undefined ? {} : { flowId }),
    ...(status === undefined ? {} : { status }),
    ...(olderThan === undefined ? {} : { startedAt: { lt: olderThan } }),
    ...(executionIds === undefined ? {} : { id: { in: [...executionIds] } }),
  };
}

function entryOf({ flowId, status, olderThan, executionIds }: Filter, count: number) {
  const asked = { flowId, status, olderThan, executionIds: executionIds?.length };
  return { action: "executions.deleted", id: flowId ?? "", after: { count, ...asked } } as const;
}
