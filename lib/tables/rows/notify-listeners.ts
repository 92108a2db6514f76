import { type RowChangeKind, rowChanges } from "#lib/engine/flow.ts";
import { depthMax } from "#lib/engine/flow-body.ts";
import { AppError } from "#lib/errors.ts";
import type { RunStatement } from "#lib/platform/database.ts";
import { textArray } from "#lib/platform/rows-parameter.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import type { Table } from "#lib/tables/table.ts";
import type { RowChange } from "./apply-changes.ts";
import { type StoredRow, showRow } from "./stored-row.ts";

const insertEvents = `
  INSERT INTO trigger_event (workspace_id, flow_id, kind, body, depth)
  SELECT $1, l.flow_id, 'table', e.body, $4
  FROM unnest($2::text[]) WITH ORDINALITY AS e(body, nth) CROSS JOIN unnest($3::text[]) AS l(flow_id) ORDER BY e.nth`;

/** The limit on a workspace's waiting events. */
const waitingMax = { events: 10_000, bytes: 33_554_432 } as const;
const countWaiting = `
  SELECT count(*)::int AS events, coalesce(sum(bytes), 0)::float8 AS bytes
  FROM (SELECT octet_length(body) AS bytes FROM trigger_event WHERE workspace_id = $1 LIMIT ${waitingMax.events + 1}) AS e`;

interface Written {
  /** The new rows, in the order of the changes. */
  readonly rows: readonly StoredRow[];
  readonly depth: number;
}

/**
 * Stores the events that start flows with the trigger `table`, in the transaction that changes the rows. Stores none
 * beyond the maximum depth of flows, so that two flows that trigger each other stop eventually. Throws
 * SERVICE_UNAVAILABLE if too many events would wait.
 */
export async function notifyListeners(
  run: RunStatement,
  table: Table,
  changes: readonly RowChange[],
  { rows, depth }: Written,
): Promise<void> {
  if (table.listeners.length === 0 || depth > depthMax) return;
  const waiting = { events: 0, bytes: 0 };
  for (const kind of rowChanges) {
    const flowIds = table.listeners.flatMap((listener) => (listener.changes.includes(kind) ? [listener.flowId] : []));
    const indexes =
      flowIds.length === 0 ? [] : changes.flatMap((change, index) => (kindOf(change) === kind ? [index] : []));
    const bodies: string[] = [];
    for (const at of indexes) {
      const body = bodyOf(table, changes[at] as RowChange, rows[at] as StoredRow);
      bodies.push(body);
      waiting.events += flowIds.length;
      waiting.bytes += Buffer.byteLength(body) * flowIds.length;
      requireRoomFor(waiting);
      await yieldTurn();
    }
    if (bodies.length === 0) continue;
    await run("insert-trigger-events", insertEvents, [table.workspaceId, textArray(bodies), textArray(flowIds), depth]);
  }
  if (waiting.events === 0) return;
  const [all] = await run<typeof waiting>("count-trigger-events", countWaiting, [table.workspaceId]);
  requireRoomFor(all ?? waiting);
}

function kindOf({ before, after }: RowChange): RowChangeKind {
  if (after === null) return "deleted";
  return before === null ? "inserted" : "updated";
}

function bodyOf(table: Table, change: RowChange, row: StoredRow): string {
  return JSON.stringify({
    change: kindOf(change),
    row: change.after === null ? null : showRow(table, row),
    before: change.before === null ? null : showRow(table, change.before),
  });
}

function requireRoomFor({ events, bytes }: { readonly events: number; readonly bytes: number }): void {
  if (events <= waitingMax.events && bytes <= waitingMax.bytes) return;
  const message = `Flows wait to be started for ${waitingMax.events} changes, or ${waitingMax.bytes} bytes of them, already: write fewer rows at once, or try again later`;
  throw new AppError("SERVICE_UNAVAILABLE", message, { retryAfterSeconds: 5 });
}
