import { sleep } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import { derivedId } from "#lib/platform/ids.ts";
import { singleton } from "#lib/platform/singleton.ts";

const hourMs = 3_600_000;
/** Runs per statement, and statements per table and sweep. */
const runsMax = 1_000;
const batchesMax = 50;

const tables = ["node_execution", "log_entry", "execution_wait"] as const;
type Table = (typeof tables)[number];

// Finds run ids one by one in the index, so that a run with many rows costs no more than another. A wait for an open
// execution is kept until that is cancelled.
const sweepText = (table: Table) => `
  WITH RECURSIVE runs AS (
    (SELECT execution_id AS id, 1 AS place FROM ${table} WHERE execution_id > $1 AND execution_id < $2
      ORDER BY execution_id LIMIT 1)
    UNION ALL
    SELECT n.execution_id, r.place + 1 FROM runs r CROSS JOIN LATERAL (
      SELECT t.execution_id FROM ${table} t WHERE t.execution_id > r.id AND t.execution_id < $2
      ORDER BY t.execution_id LIMIT 1) n
    WHERE r.place < ${runsMax}),
  gone AS (
    DELETE FROM ${table} o WHERE o.execution_id IN (
      SELECT r.id FROM runs r WHERE NOT EXISTS (SELECT FROM execution e WHERE e.id = r.id))
      ${table === "execution_wait" ? stillWaitedFor : ""}
    RETURNING 1)
  SELECT (SELECT max(id) FROM runs) AS last, (SELECT count(*) FROM runs)::int AS runs,
    (SELECT count(*) FROM gone)::int AS gone`;

const stillWaitedFor = `AND NOT EXISTS (
        SELECT FROM execution c WHERE c.id = o.waited_id AND c.status IN ('pending', 'running'))`;

interface SweptCounts {
  readonly last: string | null;
  readonly runs: number;
  readonly gone: number;
}

/** Where this process's last sweep stopped, by table. */
const places = () => singleton("orphans-swept-to", () => new Map<Table, string>());

/**
 * Deletes orphaned nodes, logs and waits, whose run is gone; returns how many. Deleting a run deletes its rows, so
 * there should be none except after an earlier version or manual SQL. Each sweep continues where the last one stopped,
 * in small batches, pausing after each for as long as it took.
 */
export async function sweepOrphans(now: Date, signal?: AbortSignal): Promise<number> {
  // Ids sort by time.
  const young = derivedId("execution", new Date(now.getTime() - hourMs), "");
  let swept = 0;
  for (const table of tables) {
    for (let batch = 0; batch < batchesMax && !signal?.aborted; batch += 1) {
      const startedAt = performance.now();
      const after = places().get(table) ?? "";
      const [row] = await query<SweptCounts & Record<string, unknown>>(`sweep-${table}`, sweepText(table), [
        after,
        young,
      ]);
      swept += row?.gone ?? 0;
      const isThrough = row === undefined || row.runs < runsMax;
      places().set(table, isThrough ? "" : (row.last ?? ""));
      if (isThrough) break;
      await sleep(performance.now() - startedAt);
    }
  }
  return swept;
}
