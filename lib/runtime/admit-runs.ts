import { cancelRow } from "#lib/executions/cancel-execution.ts";
import { replacedReason, skippedReason, stuckReason } from "#lib/executions/limit-reasons.ts";
import { isoNow } from "#lib/platform/clock.ts";
import { database, query } from "#lib/platform/database.ts";
import { findStuckRuns } from "./find-stuck-runs.ts";
import { limited, waitedKeys } from "./waited-keys.ts";

/** Any number that nothing else locks by. */
const admissionLock = 1_296_649_557;
/** Runs of one key that are skipped or replaced at once. */
const endedMax = 1_000;

interface Verdict {
  id: string;
  verdict: "admitted" | "skipped" | "replaced";
  most: number;
}

// Key by key, as far as somebody waits under it: how many are under way, and who comes next. All runs of a key are of
// one flow, and what it says now of its limit stands in those that wait.
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
 * Lets those runs begin whose turn it is among the runs of their flow, and ends those that its policy has no place for
 * and those whose turn can never come.
 * Processes take turns, and each counts the rows as the one before left them; nothing is kept in memory, so that a
 * process that dies takes no place with it. Gives how many may begin.
 */
export async function admitRuns(): Promise<number> {
  let admitted = 0;
  while (await someoneWaits()) {
    const verdicts = await judgeInTurn();
    const ended = verdicts.filter(({ verdict }) => verdict !== "admitted");
    admitted += verdicts.length - ended.length;
    const now = isoNow();
    await Promise.all(ended.map((one) => cancelRow(one.id, now, reasonOf(one))));
    if (ended.length === 0 && (await endStuck()) === 0) break;
  }
  return admitted;
}

async function someoneWaits(): Promise<boolean> {
  const text = `SELECT 1 AS found FROM execution WHERE held AND ${limited} LIMIT 1`;
  return (await query("someone-waits", text, [])).length > 0;
}

/** The lock in a statement of its own: the next one sees what was stored before the lock was had. */
async function judgeInTurn(): Promise<Verdict[]> {
  return await database().$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${admissionLock})`;
    return await tx.$queryRawUnsafe<Verdict[]>(judge);
  });
}

function reasonOf({ verdict, most }: Verdict): string {
  return verdict === "replaced" ? replacedReason : skippedReason(most);
}

/** Ends those whose turn can never come, which fails the nodes that wait for them. */
async function endStuck(): Promise<number> {
  const stuck = await findStuckRuns();
  const now = isoNow();
  await Promise.all(stuck.map((id) => cancelRow(id, now, stuckReason)));
  return stuck.length;
}
