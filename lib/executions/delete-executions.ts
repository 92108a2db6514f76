import { recordWith } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { isoNow, timeNow } from "#lib/platform/clock.ts";
import { database, inTransaction, type RunStatement } from "#lib/platform/database.ts";
import type { ExecutionWhereInput } from "#lib/platform/prisma/models.ts";
import { cancelRow } from "./cancel-execution.ts";
import { runWatch } from "./live/watch-runs.ts";
import { findExecution } from "./read-execution.ts";
import { countEnded } from "./statistics/count-ended.ts";
import { commonShard } from "./statistics/rollup-rows.ts";

// Counts are reduced together with the rows. A step that waits for an open execution keeps its row: `cancelOrphanedChildren`
// uses it to find and cancel that execution.
const remove = `
  WITH gone AS (
    DELETE FROM execution WHERE id = ANY($1::text[])
    RETURNING id, workspace_id, flow_id, source, started_at, status, duration_ms, error_message),
  nodes AS (DELETE FROM node_execution WHERE execution_id IN (SELECT id FROM gone)),
  waits AS (DELETE FROM execution_wait w WHERE execution_id IN (SELECT id FROM gone) AND NOT EXISTS (
    SELECT FROM execution c WHERE c.id = w.waited_id AND c.status IN ('pending', 'running'))),
  backtests AS (
    UPDATE backtest_run SET verdict = coalesce(verdict, 'unknown'), result = NULL
    WHERE execution_id IN (SELECT id FROM gone)),
  logs AS (DELETE FROM log_entry WHERE execution_id IN (SELECT id FROM gone)),
  ${countEnded({ ended: "gone", sign: "-", shard: String(commonShard) })}
  SELECT id FROM gone`;

interface Selection {
  /** The name of the prepared statement. */
  readonly name: string;
  readonly condition: string;
  /** How many rows to lock, and how. */
  readonly lockClauses: string;
}

/**
 * Deletes those of the selected runs that have ended, with everything that belongs to them; returns their ids. `alsoWrite`:
 * more writes in the same transaction, if any run was deleted. A separate statement locks the rows first. Whoever
 * records or unfolds a run takes the same lock, so the second statement sees everything they wrote, and they find no
 * run afterwards.
 */
export function deleteEnded(
  { name, condition, lockClauses }: Selection,
  values: readonly unknown[],
  alsoWrite: (run: RunStatement, count: number) => Promise<void> = async () => {},
): Promise<string[]> {
  const lock = `SELECT id FROM execution WHERE ${condition} AND completed_at IS NOT NULL ${lockClauses}`;
  return inTransaction(async (run) => {
    const locked = await run<{ id: string }>(`lock-${name}`, lock, values);
    if (locked.length === 0) return [];
    const deleted = await run<{ id: string }>("delete-ended", remove, [locked.map(({ id }) => id)]);
    await alsoWrite(run, deleted.length);
    return deleted.map(({ id }) => id);
  });
}

/**
 * Deletes one record with everything that belongs to it, after cancelling the run if it has not ended. Throws
 * NOT_FOUND.
 */
export async function deleteExecution(actor: Actor, id: string): Promise<null> {
  const { status } = await findExecution(actor, id);
  if (status === "pending" || status === "running") await cancelRow(id, isoNow(), null);
  const entry = { action: "executions.deleted", id, after: { count: 1 } } as const;
  if ((await deleteRows([id], (run) => recordWith(run, actor, entry))) === 0) throw notFound("Execution");
  return null;
}

const named = { name: "executions", condition: "id = ANY($1::text[])", lockClauses: "ORDER BY id FOR UPDATE" };

/** Deletes the records of those of these runs that have ended; returns how many. `alsoWrite`: see `deleteEnded`. */
export async function deleteRows(
  ids: readonly string[],
  alsoWrite?: (run: RunStatement, count: number) => Promise<void>,
): Promise<number> {
  const deleted = await deleteEnded(named, [ids], alsoWrite);
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
 * Deletes all executions that match the filter, after cancelling those in progress. Runs that start meanwhile are left:
 * a flow may start them faster than they are deleted. Works in batches, each with an entry in the audit log.
 * `alsoWrite`: more writes with each batch, given the number deleted so far.
 */
export async function deleteExecutions(
  actor: Actor,
  filter: Filter,
  alsoWrite: (run: RunStatement, deletedCount: number) => Promise<void> = async () => {},
): Promise<{ deletedCount: number; status: string }> {
  const where = { AND: [whereOf(actor, filter), { startedAt: { lte: timeNow() } }] };
  let deletedCount = 0;
  for (;;) {
    const rows = await database().execution.findMany({ where, select: { id: true, status: true }, take: batchMax });
    if (rows.length === 0) break;
    const open = rows.filter(({ status }) => status === "pending" || status === "running");
    await Promise.all(open.map(({ id }) => cancelRow(id, isoNow(), null)));
    const before = deletedCount;
    const record = async (run: RunStatement, count: number) => {
      await alsoWrite(run, before + count);
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

/** Leaves out missing conditions: to Prisma, `undefined` means "any". */
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
  const selection = { flowId, status, olderThan, executionIds: executionIds?.length };
  return { action: "executions.deleted", id: flowId ?? "", after: { count, ...selection } } as const;
}
