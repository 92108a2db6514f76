import { query } from "#lib/platform/database.ts";
import { type AwaitedRun, type Holder, stuckRuns } from "./stuck-runs.ts";
import { limited, waitedKeys } from "./waited-keys.ts";

// Under each key that somebody waits for, who has a place, and which held runs their waits lead down to.
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

/** The runs of sub-flows that wait for a place which only runs that wait for them hold. */
export async function findStuckRuns(): Promise<string[]> {
  const rows = await query<Row>("find-stuck-runs", read, []);
  const holders = new Map<string, Holder>(rows.map((row) => [row.holder, { id: row.holder, key: row.holder_key }]));
  const awaited = rows.flatMap(({ id, key, most, holder }): AwaitedRun[] =>
    id === null || key === null || most === null ? [] : [{ id, key, most, holder }],
  );
  return stuckRuns([...holders.values()], awaited);
}
