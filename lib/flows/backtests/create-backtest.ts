import type { Actor } from "#lib/auth/actor.ts";
import type { NewBacktest } from "#lib/contract/flows/backtests.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { notOfDraft } from "#lib/executions/search/execution-filter.ts";
import { lockFlow, type Transaction } from "#lib/flows/delete-flow.ts";
import { findFlow } from "#lib/flows/show-flow.ts";
import { compileGiven } from "#lib/flows/tests/run-tests.ts";
import { definitionOfDraft } from "#lib/flows/working-copy/run-draft.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { database, query, statementsOf } from "#lib/platform/database.ts";
import { isId, newId } from "#lib/platform/ids.ts";

const runningMax = 3;
/** Backtests kept per flow: older ones are deleted when another starts. */
const keptMax = 10;
const lastByDefault = 100;

interface CreatedBacktest {
  readonly backtestId: string;
  readonly status: "running" | "completed";
  readonly total: number;
}

/**
 * Stores a backtest with the runs to compare; the runtime does the rest. Throws NOT_FOUND, VALIDATION_ERROR, and
 * CONFLICT if the workspace has too many in progress.
 */
export async function createBacktest(actor: Actor, flowId: string, given: NewBacktest): Promise<CreatedBacktest> {
  const { once } = actor;
  if (once?.made) return once.made as CreatedBacktest;
  const { row } = await findFlow(actor, flowId);
  const target = await targetOf(actor, row, given);
  const { workspaceId } = actor;
  return await database().$transaction(async (tx) => {
    await lockFlow(tx, actor, flowId, null);
    await requirePlace(tx, workspaceId);
    const now = timeNow();
    const id = newId("backtest");
    const data = {
      id,
      workspaceId,
      flowId,
      ...target,
      status: "running",
      total: 0,
      leaseUntil: now,
      createdAt: now,
    };
    await tx.backtest.create({ data });
    const total = await chooseRuns(tx, id, { workspaceId, flowId }, given);
    const end = total === 0 ? { status: "completed", completedAt: now } : {};
    await tx.backtest.update({ where: { id }, data: { total, ...end } });
    await tx.$executeRaw`
      DELETE FROM backtest WHERE flow_id = ${flowId} AND status <> 'running' AND id NOT IN (
        SELECT id FROM backtest WHERE flow_id = ${flowId} ORDER BY created_at DESC, id DESC LIMIT ${keptMax})`;
    const made: CreatedBacktest = { backtestId: id, status: total === 0 ? "completed" : "running", total };
    await once?.keep(statementsOf(tx), made);
    return made;
  });
}

/** The definition to compare runs with; its graph must be valid. Throws NOT_FOUND, VALIDATION_ERROR. */
async function targetOf(
  actor: Actor,
  { id, version: current }: { readonly id: string; readonly version: number },
  { version, definition }: NewBacktest,
): Promise<{ of: "definition" | "draft" | "version"; version: number; definition: string }> {
  const given = definition ?? (version === undefined ? await definitionOfDraft(id) : null);
  if (given === null) return { of: "version", ...(await storedVersion(id, version ?? current)) };
  const { nodes, edges, variables } = given;
  await compileGiven(actor, { nodes, edges, variables });
  const text = JSON.stringify({ nodes, edges, variables });
  return { of: definition === undefined ? "draft" : "definition", version: current, definition: text };
}

async function storedVersion(flowId: string, version: number) {
  const text = "SELECT definition FROM flow_version WHERE flow_id = $1 AND version = $2";
  const [row] = await query<{ definition: string }>("definition-of-version", text, [flowId, version]);
  if (row === undefined) throw notFound("Version");
  return { version, definition: row.definition };
}

/** Serialized per workspace, so that two requests do not both take the last place. */
async function requirePlace(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`millrace.backtests.${workspaceId}`}))`;
  const running = await tx.backtest.count({ where: { workspaceId, status: "running" } });
  if (running < runningMax) return;
  throw new AppError("CONFLICT", `The workspace has ${runningMax} backtests in progress: wait for one, or cancel one`);
}

interface Owner {
  readonly workspaceId: string;
  readonly flowId: string;
}

/** SQL condition: whole runs of published versions that completed or failed. */
const comparable = `workspace_id = $2 AND flow_id = $3 AND completed_at IS NOT NULL AND from_node IS NULL
  AND flow_version > 0 AND ${notOfDraft}`;
const insert = "INSERT INTO backtest_run (backtest_id, position, execution_id)";
const numbered = "SELECT $1, row_number() OVER (ORDER BY started_at DESC, id DESC) - 1, id";

const chooseLatest = `${insert} ${numbered} FROM (
  SELECT id, started_at FROM execution
  WHERE ${comparable} AND status = ANY($4::text[]) AND started_at >= $5::timestamptz
  ORDER BY started_at DESC, id DESC LIMIT $6) AS latest RETURNING execution_id AS id`;

const chooseNamed = `${insert} ${numbered} FROM execution
  WHERE id = ANY($4::text[]) AND status IN ('completed', 'failed') AND ${comparable} RETURNING execution_id AS id`;

/** The epoch, to match every run. */
const everSince = new Date(0);

/** Stores the selected runs; returns how many. Throws VALIDATION_ERROR for a named run that cannot be compared. */
async function chooseRuns(tx: Transaction, id: string, { workspaceId, flowId }: Owner, given: NewBacktest) {
  const run = statementsOf(tx);
  const { executionIds, last = lastByDefault, status, since = everSince } = given;
  const owner = [id, workspaceId, flowId];
  if (executionIds === undefined) {
    const statuses = status === undefined ? ["completed", "failed"] : [status];
    return (await run("choose-latest-runs", chooseLatest, [...owner, statuses, since, last])).length;
  }
  const ids = [...new Set(executionIds)].filter((id) => isId("execution", id));
  const rows = await run<{ id: string }>("choose-named-runs", chooseNamed, [...owner, ids]);
  const chosen = new Set(rows.map((row) => row.id));
  const missing = executionIds.findIndex((id) => !chosen.has(id));
  if (missing === -1) return rows.length;
  throw new AppError("VALIDATION_ERROR", "The request body is not valid", {
    details: {
      [`executionIds[${missing}]`]:
        "must be a whole run of this flow, not of its working copy, that completed or failed",
    },
  });
}
