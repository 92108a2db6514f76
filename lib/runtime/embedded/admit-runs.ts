import { afterCancellation, cancellation, cancelRow } from "#lib/executions/cancel-execution.ts";
import { replacedReason, skippedReason, stuckReason } from "#lib/executions/nodes/run-limit.ts";
import { finishWithin } from "#lib/executions/store/finish-execution.ts";
import { isoNow } from "#lib/platform/clock.ts";
import { inTransaction, query } from "#lib/platform/database.ts";

/** SQL: the runs under a limit that have not ended. */
const limited = "concurrency_key IS NOT NULL AND status IN ('pending', 'running')";

/**
 * SQL for a WITH RECURSIVE: the `keys` with held runs, followed by a null. Found one by one in the index, so that ten
 * thousand runs held under one key are not scanned.
 */
const waitedKeys = `
  keys AS (
    (SELECT concurrency_key AS key FROM execution WHERE held AND ${limited} ORDER BY concurrency_key LIMIT 1)
    UNION ALL
    SELECT (SELECT e.concurrency_key FROM execution e WHERE e.held AND e.concurrency_key > k.key AND e.${limited}
      ORDER BY e.concurrency_key LIMIT 1)
    FROM keys k WHERE k.key IS NOT NULL)`;

// For each key with held runs: the runs that hold a slot, and the held runs that these wait for.
const read = `
  WITH RECURSIVE ${waitedKeys},
  below AS (
    SELECT e.id AS holder, e.concurrency_key AS holder_key, e.id FROM keys k
    JOIN execution e ON e.concurrency_key = k.key AND NOT e.held AND e.${limited}
    UNION
    SELECT b.holder, b.holder_key, c.id FROM below b
    JOIN execution_wait w ON w.execution_id = b.id AND w.kind = 'execution'
    JOIN execution c ON c.id = w.waited_id AND c.status IN ('pending', 'running'))
  SELECT b.holder, b.holder_key, e.id, e.concurrency_key AS key, e.concurrency_limit AS most
  FROM below b LEFT JOIN execution e ON e.id = b.id AND e.held`;

interface Row extends Record<string, unknown> {
  readonly holder: string;
  readonly holder_key: string;
  readonly id: string | null;
  readonly key: string | null;
  readonly most: number | null;
}

/** Held sub-flow runs whose slots are all taken by runs that wait for them. */
export async function findStuckRuns(): Promise<string[]> {
  const rows = await query<Row>("find-stuck-runs", read, []);
  const holders = new Map<string, Holder>(rows.map((row) => [row.holder, { id: row.holder, key: row.holder_key }]));
  const awaited = rows.flatMap(({ id, key, most, holder }): AwaitedRun[] =>
    id === null || key === null || most === null ? [] : [{ id, key, most, holder }],
  );
  return stuckRuns([...holders.values()], awaited);
}

/** An arbitrary advisory lock number that nothing else uses. */
const admissionLock = 1_296_649_557;
/** Runs of one key that are skipped or replaced at once. */
const endedMax = 1_000;

interface Verdict extends Record<string, unknown> {
  id: string;
  verdict: "admitted" | "skipped" | "replaced";
  most: number;
}

// For each key with held runs: how many are in progress, and which is next. All runs of a key are of one flow, and held
// ones carry its current limit.
const judge = `
  WITH RECURSIVE ${waitedKeys},
  groups AS MATERIALIZED (
    SELECT k.key, f.most, f.policy,
      (SELECT count(*) FROM execution e WHERE NOT e.held AND e.concurrency_key = k.key AND e.${limited}) AS taken
    FROM keys k CROSS JOIN LATERAL (
      SELECT e.concurrency_limit AS most, e.concurrency_policy AS policy FROM execution e
      WHERE e.held AND e.concurrency_key = k.key AND e.${limited} ORDER BY e.started_at DESC, e.id DESC LIMIT 1) f
    WHERE k.key IS NOT NULL),
  replaced AS MATERIALIZED (
    SELECT o.id, g.key, g.most FROM groups g CROSS JOIN LATERAL (
      SELECT e.id FROM execution e WHERE e.held IN (true, false) AND e.concurrency_key = g.key AND e.${limited}
      ORDER BY e.started_at DESC, e.id DESC OFFSET g.most LIMIT ${endedMax}) o
    WHERE g.policy = 'cancel-previous'),
  admitted AS (
    UPDATE execution e SET held = false
    FROM groups g CROSS JOIN LATERAL (
      SELECT h.id FROM execution h WHERE h.held AND h.concurrency_key = g.key AND h.${limited}
      ORDER BY h.started_at, h.id LIMIT greatest(0, g.most - g.taken)) n
    WHERE e.id = n.id AND e.held AND e.status = 'pending' AND g.key NOT IN (SELECT key FROM replaced)
    RETURNING e.id)
  SELECT id, 'admitted' AS verdict, 0 AS most FROM admitted
  UNION ALL SELECT id, 'replaced', most FROM replaced
  UNION ALL SELECT n.id, 'skipped', g.most FROM groups g CROSS JOIN LATERAL (
    SELECT h.id FROM execution h WHERE h.held AND h.concurrency_key = g.key AND h.${limited}
    ORDER BY h.started_at, h.id OFFSET greatest(0, g.most - g.taken) LIMIT ${endedMax}) n
  WHERE g.policy = 'skip'`;

/**
 * Admits the held runs that are next, and ends those that the policy refuses or that can never start. Only one process
 * does so at a time, and it counts the rows as the previous one left them. Nothing is kept in memory, so a dying
 * process takes no slot with it. Returns how many may start.
 */
export async function admitRuns(): Promise<number> {
  let admitted = 0;
  while (await hasWaitingRuns()) {
    const { verdicts, skipped } = await admitUnderLock();
    const ended = verdicts.filter(({ verdict }) => verdict !== "admitted");
    admitted += verdicts.length - ended.length;
    const now = isoNow();
    const replaced = ended.filter(({ verdict }) => verdict === "replaced");
    await Promise.all([...skipped].map(afterCancellation));
    await Promise.all(replaced.map(({ id }) => cancelRow(id, now, replacedReason)));
    if (ended.length === 0 && (await endStuck()) === 0) break;
  }
  return admitted;
}

async function hasWaitingRuns(): Promise<boolean> {
  const text = `SELECT 1 AS found FROM execution WHERE held AND ${limited} LIMIT 1`;
  return (await query("someone-waits", text, [])).length > 0;
}

/**
 * The lock is a separate statement, so that the next one sees everything committed before the lock was acquired. Skipped
 * runs are ended before it is released, because another process may have room for them afterwards. Returns those too.
 */
async function admitUnderLock(): Promise<{ verdicts: readonly Verdict[]; skipped: ReadonlySet<string> }> {
  const { verdicts, ended } = await inTransaction(async (run) => {
    await run("lock-admission", "SELECT pg_advisory_xact_lock($1) IS NULL AS held", [admissionLock]);
    const verdicts = await run<Verdict>("judge-held-runs", judge, []);
    const now = isoNow();
    const skipped = verdicts.filter(({ verdict }) => verdict === "skipped");
    const ends = skipped.map(({ id, most }) => cancellation(id, now, skippedReason(most)));
    return { verdicts, ended: await finishWithin(run, ends) };
  });
  return { verdicts, skipped: ended() };
}

/** Ends the runs that can never start, which fails the nodes waiting for them. */
async function endStuck(): Promise<number> {
  const stuck = await findStuckRuns();
  const now = isoNow();
  await Promise.all(stuck.map((id) => cancelRow(id, now, stuckReason)));
  return stuck.length;
}

/** A run that holds a slot under a limit. */
interface Holder {
  readonly id: string;
  readonly key: string;
}

/** A held run. `holder` waits for it to end, directly or through others. */
interface AwaitedRun {
  readonly id: string;
  readonly key: string;
  /** How many slots the key has. */
  readonly most: number;
  readonly holder: string;
}

/**
 * Detects deadlocks: the held runs that can never get a slot, because all its holders wait for such runs. The simplest
 * case is a flow with a limit of 1 that runs itself; a cycle may lead through several runs, keys and flows. `holders`:
 * all holders of each key. Whatever waits for a stuck run is stuck.
 */
export function stuckRuns(holders: readonly Holder[], awaited: readonly AwaitedRun[]): string[] {
  const taken = Map.groupBy(holders, ({ key }) => key);
  // Suspect all; a run that can be admitted clears the holders that wait for no other.
  let suspects = new Set(awaited.map(({ holder }) => holder));
  for (;;) {
    const free = new Set(holders.filter(({ id }) => !suspects.has(id)).map(({ key }) => key));
    const stuck = awaited.filter(
      ({ key, most, holder }) => suspects.has(holder) && !free.has(key) && (taken.get(key)?.length ?? 0) >= most,
    );
    const still = new Set(stuck.map(({ holder }) => holder));
    if (still.size === suspects.size) return [...new Set(stuck.map(({ id }) => id))];
    suspects = still;
  }
}
