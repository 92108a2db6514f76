import type { Actor } from "#lib/auth/actor.ts";
import type { ComparedRun, ShownBacktest, ShownBacktestRun, Verdict } from "#lib/contract/flows/backtests.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { findFlow } from "#lib/flows/show-flow.ts";
import { replayPlaces } from "#lib/flows/tests/replay-places.ts";
import { iso } from "#lib/platform/clock.ts";
import { database, query } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import type { BacktestModel } from "#lib/platform/prisma/models.ts";
import { comparePastRun, resultOf, type StoredResult, sidesOf } from "./compare-past-run.ts";
import { targetOfBacktest } from "./past-run.ts";

interface Page {
  readonly page: number;
  readonly limit: number;
}

/** A page of a flow's backtests, newest first. Throws NOT_FOUND. */
export async function listBacktests(actor: Actor, flowId: string, { page, limit }: Page) {
  await findFlow(actor, flowId);
  const where = { flowId, workspaceId: actor.workspaceId };
  const total = await database().backtest.count({ where });
  const orderBy = [{ createdAt: "desc" as const }, { id: "desc" as const }];
  const skip = Math.min((page - 1) * limit, total);
  const rows = await database().backtest.findMany({ where, orderBy, skip, take: limit });
  const counts = await countsOf(rows.map(({ id }) => id));
  return { items: rows.map((row) => showBacktest(row, counts.get(row.id))), total };
}

interface RunRow extends Record<string, unknown> {
  readonly execution_id: string;
  readonly started_at: Date | null;
  readonly verdict: Verdict;
  readonly result: string | null;
}

const pageOfRuns = `
  SELECT r.execution_id, e.started_at, r.verdict, r.result
  FROM backtest_run r LEFT JOIN execution e ON e.id = r.execution_id
  WHERE r.backtest_id = $1 AND r.verdict IS NOT NULL AND ($2::text IS NULL OR r.verdict = $2)
  ORDER BY r.position OFFSET $3 LIMIT $4`;

/** A backtest with a page of its compared runs. Throws NOT_FOUND. */
export async function readBacktest(
  actor: Actor,
  flowId: string,
  id: string,
  { page, limit, verdict }: Page & { readonly verdict?: Verdict | undefined },
) {
  const row = await findBacktest(actor, flowId, id);
  const shown = showBacktest(row, (await countsOf([id])).get(id));
  const total = verdict === undefined ? shown.done : shown.counts[verdict];
  const from = Math.min((page - 1) * limit, total);
  const rows = await query<RunRow>("page-of-backtest", pageOfRuns, [id, verdict ?? null, from, limit]);
  const pagination = { page, limit, total, totalPages: Math.ceil(total / limit) };
  return { ...shown, runs: rows.map(showRun), pagination };
}

/** Compares one run again, to show both outcomes. Throws NOT_FOUND, and VALIDATION_ERROR if it cannot be compared. */
export async function readBacktestRun(
  actor: Actor,
  flowId: string,
  id: string,
  executionId: string,
): Promise<ComparedRun> {
  const backtest = await findBacktest(actor, flowId, id);
  const run = isId("execution", executionId)
    ? await database().backtestRun.findFirst({ where: { backtestId: id, executionId }, select: { position: true } })
    : null;
  if (run === null) throw notFound("Run");
  const compared = await replayPlaces().take(actor.workspaceId, async () => {
    return await comparePastRun(await targetOfBacktest(backtest), executionId);
  });
  if (!("verdict" in compared)) {
    throw new AppError("VALIDATION_ERROR", compared.reason, { details: { executionId: compared.reason } });
  }
  const found = await database().execution.findUnique({ where: { id: executionId }, select: { startedAt: true } });
  const startedAt = found === null ? null : iso(found.startedAt);
  return { executionId, startedAt, verdict: compared.verdict, ...resultOf(compared), ...sidesOf(compared) };
}

/** Cancels a backtest in progress; its results are kept. Throws NOT_FOUND. */
export async function cancelBacktest(actor: Actor, flowId: string, id: string): Promise<null> {
  await findBacktest(actor, flowId, id);
  await query(
    "cancel-backtest",
    "UPDATE backtest SET status = 'cancelled', completed_at = now() WHERE id = $1 AND status = 'running'",
    [id],
  );
  return null;
}

async function findBacktest({ workspaceId }: Actor, flowId: string, id: string): Promise<BacktestModel> {
  const isWellFormed = isId("backtest", id) && isId("flow", flowId);
  const row = isWellFormed ? await database().backtest.findFirst({ where: { id, flowId, workspaceId } }) : null;
  if (row === null) throw notFound("Backtest");
  return row;
}

const none = { same: 0, changed: 0, mended: 0, broken: 0, unknown: 0 };
type Counts = Readonly<Record<Verdict, number>>;

const count = `
  SELECT backtest_id AS id, verdict, count(*)::int AS runs FROM backtest_run
  WHERE backtest_id = ANY($1::text[]) AND verdict IS NOT NULL GROUP BY 1, 2`;

/** Counts runs by verdict. A backtest has at most 1,000, so no counter is stored. */
async function countsOf(ids: readonly string[]): Promise<Map<string, Counts>> {
  const rows = await query<{ id: string; verdict: Verdict; runs: number }>("count-verdicts", count, [ids]);
  const byId = Map.groupBy(rows, ({ id }) => id);
  return new Map([...byId].map(([id, own]) => [id, Object.assign({ ...none }, ...own.map(entryOf)) as Counts]));
}

function entryOf({ verdict, runs }: { readonly verdict: Verdict; readonly runs: number }) {
  return { [verdict]: runs };
}

function showBacktest(row: BacktestModel, counts: Counts = none): ShownBacktest {
  return {
    id: row.id,
    flowId: row.flowId,
    status: row.status as ShownBacktest["status"],
    of: row.of as ShownBacktest["of"],
    version: row.version,
    done: Object.values(counts).reduce((sum, runs) => sum + runs, 0),
    total: row.total,
    counts: { ...counts },
    createdAt: iso(row.createdAt),
    completedAt: row.completedAt === null ? null : iso(row.completedAt),
    error: row.error,
  };
}

/** Shown for a deleted run: its results are deleted too. */
const deletedRun: StoredResult = { first: null, calls: [], reason: "The run was deleted" };

function showRun({ execution_id: executionId, started_at, verdict, result }: RunRow): ShownBacktestRun {
  const shown = result === null ? deletedRun : (JSON.parse(result) as StoredResult);
  return { executionId, startedAt: started_at === null ? null : iso(started_at), verdict, ...shown };
}
