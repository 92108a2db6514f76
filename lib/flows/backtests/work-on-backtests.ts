import { query } from "#lib/platform/database.ts";
import { type Compared, comparePastRun, resultOf } from "./compare-past-run.ts";
import { type ReadRun, readPastRun, targetOfBacktest } from "./past-run.ts";

/** A process that stores nothing for this long is dead: one run takes at most ten seconds. */
const leaseSeconds = 30;
/** After this much work on one backtest, the next one gets a turn. */
const sliceMs = 5_000;
/** How many runs to compare before storing their results. */
const runsAtOnce = 25;
const unstoredMs = 1_000;
/** Claims in a row without a result, after which one of its runs is assumed to kill the processes. */
const lossesMax = 5;

interface Claimed {
  readonly id: string;
  readonly fence: number;
  readonly losses: number;
  readonly workspaceId: string;
  readonly flowId: string;
  readonly definition: string;
}

const lease = `now() + interval '${leaseSeconds} seconds'`;

// The due backtest that has waited longest.
const claim = `
  UPDATE backtest SET fence = fence + 1, losses = losses + 1, lease_until = ${lease}
  WHERE id = (
    SELECT id FROM backtest WHERE status = 'running' AND lease_until <= now()
    ORDER BY lease_until, id LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id, fence, losses, workspace_id AS "workspaceId", flow_id AS "flowId", definition`;

/**
 * Works on due backtests, one after the other, until none is left or the signal is aborted; returns how many slices it
 * did. Safe to run in several processes at once: the holder of a backtest's lease continues it, and if it dies, another
 * process takes over.
 */
export async function workOnBacktests(stop: AbortSignal): Promise<number> {
  for (let slices = 0; ; slices += 1) {
    if (stop.aborted) return slices;
    const [claimed] = await query<Claimed & Record<string, unknown>>("claim-backtest", claim, []);
    if (claimed === undefined) return slices;
    await workOn(claimed, stop);
  }
}

const next = `
  SELECT position, execution_id AS "executionId" FROM backtest_run
  WHERE backtest_id = $1 AND verdict IS NULL ORDER BY position LIMIT ${runsAtOnce}`;

interface Next extends Record<string, unknown> {
  readonly position: number;
  readonly executionId: string;
}

async function workOn(claimed: Claimed, stop: AbortSignal): Promise<void> {
  if (claimed.losses > lossesMax) {
    await end(claimed, "failed", `The process that compared its runs died ${lossesMax} times in a row`);
    return;
  }
  const compared = await targetOfBacktest(claimed);
  const endsAt = performance.now() + sliceMs;
  // Runs that may have killed a process are stored one by one.
  const atOnce = claimed.losses > 1 ? 1 : runsAtOnce;
  while (performance.now() < endsAt && !stop.aborted) {
    const runs = await query<Next>("next-of-backtest", next, [claimed.id]);
    if (runs.length === 0) {
      await end(claimed, "completed", null);
      return;
    }
    if (!(await compareSome(claimed, compared, runs.slice(0, atOnce), stop))) return;
  }
  await query(
    "leave-backtest",
    "UPDATE backtest SET lease_until = now(), losses = 0 WHERE id = $1 AND fence = $2 AND status = 'running'",
    [claimed.id, claimed.fence],
  );
}

interface Result {
  readonly position: number;
  readonly verdict: string;
  readonly text: string;
}

/** Compares these runs one by one; false if the backtest has ended or another process has claimed it. */
async function compareSome(
  claimed: Claimed,
  compared: Compared,
  runs: readonly Next[],
  stop: AbortSignal,
): Promise<boolean> {
  let [results, storedAt]: [Result[], number] = [[], performance.now()];
  let ahead = readAhead(compared, runs[0]);
  for (const [index, { position, executionId }] of runs.entries()) {
    if (stop.aborted) break;
    // The next run is read while this one is compared.
    const reading = ahead;
    ahead = readAhead(compared, runs[index + 1]);
    const found = await comparePastRun(compared, executionId, stop, reading).catch((error: unknown) => {
      if (stop.aborted) return null;
      throw error;
    });
    if (found === null) break;
    const verdict = "verdict" in found ? found.verdict : "unknown";
    results.push({ position, verdict, text: JSON.stringify(resultOf(found)) });
    if (performance.now() - storedAt < unstoredMs) continue;
    if (!(await store(claimed, results))) return false;
    [results, storedAt] = [[], performance.now()];
  }
  return results.length === 0 || (await store(claimed, results));
}

function readAhead({ workspaceId }: Compared, run: Next | undefined): Promise<ReadRun> | undefined {
  const reading = run === undefined ? undefined : readPastRun(workspaceId, run.executionId);
  // The error surfaces when the run is compared.
  reading?.catch(() => {});
  return reading;
}

// Stores no values of a run that was deleted in the meantime.
const keep = `
  WITH mine AS (
    UPDATE backtest SET lease_until = ${lease}, losses = 0 WHERE id = $1 AND fence = $2 AND status = 'running'
    RETURNING id),
  kept AS (
    UPDATE backtest_run r SET verdict = n.verdict,
      result = CASE WHEN EXISTS (SELECT FROM execution e WHERE e.id = r.execution_id) THEN n.result END
    FROM unnest($3::int[], $4::text[], $5::text[]) AS n(position, verdict, result)
    WHERE r.backtest_id = (SELECT id FROM mine) AND r.position = n.position AND r.verdict IS NULL)
  SELECT id FROM mine`;

async function store({ id, fence }: Claimed, results: readonly Result[]): Promise<boolean> {
  const rows = await query("keep-verdicts", keep, [
    id,
    fence,
    results.map(({ position }) => position),
    results.map(({ verdict }) => verdict),
    results.map(({ text }) => text),
  ]);
  return rows.length > 0;
}

const endText = `
  UPDATE backtest SET status = $3, error = $4, completed_at = now()
  WHERE id = $1 AND fence = $2 AND status = 'running'`;

async function end({ id, fence }: Claimed, status: "completed" | "failed", error: string | null): Promise<void> {
  await query("end-backtest", endText, [id, fence, status, error]);
}
