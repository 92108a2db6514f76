import { recordWith } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { ShownTable, TableChanges } from "#lib/contract/tables/tables.ts";
import { nowMs } from "#lib/platform/clock.ts";
import type { RunStatement } from "#lib/platform/database.ts";
import { intArray, textArray } from "#lib/platform/rows-parameter.ts";
import { emptyKey } from "./cells.ts";
import { type Column, columnsIn, findTable, inTableTransaction, invalid, type Table } from "./table.ts";
import { columnId, numbered, readTable, refuseTakenName } from "./tables.ts";
import { secondsMax, withinTime } from "./within-time.ts";

interface Stored extends Record<string, unknown> {
  readonly columns: string;
  readonly next_column: number;
  readonly updated_at: Date;
}

const readStored = "SELECT columns, next_column, updated_at FROM data_table WHERE id = $1";
const update =
  "UPDATE data_table SET name = $2, columns = $3, next_column = $4, updated_at = $5::timestamptz WHERE id = $1";
const noteRemoval = `
  INSERT INTO table_removal (table_id, column_id) SELECT $1, c FROM unnest($2::int[]) AS c ON CONFLICT DO NOTHING`;

/** Changes name and columns, locking out writers. Throws NOT_FOUND, VALIDATION_ERROR. */
export async function updateTable(actor: Actor, id: string, changes: TableChanges): Promise<ShownTable> {
  await refuseTakenName(changes.name ?? "", () =>
    inTableTransaction(async (run) => {
      const table = await findTable(run, actor.workspaceId, id, "update");
      const [stored] = await run<Stored>("read-stored-table", readStored, [id]);
      const { columns, next_column: next, updated_at } = stored as Stored;
      const before = columnsIn(columns);
      const newColumns = changes.columns === undefined ? null : await columnsAfter(run, table, changes.columns, next);
      const { after, nextColumn } = newColumns ?? { after: before, nextColumn: next };
      const name = changes.name ?? table.name;
      const at = new Date(Math.max(nowMs(), updated_at.getTime() + 1));
      await run("update-table", update, [id, name, JSON.stringify(after), nextColumn, at]);
      await indexRows(
        run,
        id,
        after.filter((column) => column.indexed && column.id >= next),
      );
      const removed = before.filter((column) => !after.some((remaining) => remaining.id === column.id));
      await run("note-column-removal", noteRemoval, [id, removed.map((column) => column.id)]);
      await recordWith(run, actor, {
        action: "table.updated",
        id,
        name,
        before: { name: table.name, columns: before.map((column) => column.name) },
        after: { name, columns: after.map((column) => column.name) },
      });
    }),
  );
  return await readTable(actor, id);
}

/** One million rows take about 10 seconds per column. Writers wait for a while, and are then refused. */
const indexMsMax = 60_000;
const enterEmpty = `
  INSERT INTO table_key (table_id, column_id, key, row_id, is_unique)
  SELECT $1, c, '${emptyKey}', r.id, false FROM unnest($2::int[]) AS c CROSS JOIN table_row r WHERE r.table_id = $1`;

/** Gives the rows their entries in new columns, which also serve searches for missing values. Throws VALIDATION_ERROR. */
async function indexRows(run: RunStatement, tableId: string, added: readonly Column[]): Promise<void> {
  if (added.length === 0) return;
  const columns = `it takes longer than ${indexMsMax / 1_000} seconds to index the new columns: add fewer at once`;
  const ids = intArray(added.map(({ id }) => id));
  await withinTime(run, { columns }, () => run("enter-empty-keys", enterEmpty, [tableId, ids]), indexMsMax);
}

type RequestedColumns = NonNullable<TableChanges["columns"]>;

async function columnsAfter(run: RunStatement, table: Table, requested: RequestedColumns, next: number) {
  const details: Record<string, string> = {};
  const newlyRequired = new Map<string, string>();
  let nextColumn = next;
  const after: Column[] = [];
  for (const [index, given] of requested.entries()) {
    const known = given.id === undefined ? undefined : table.columns.find((column) => columnId(column) === given.id);
    const place = `columns[${index}]`;
    if (given.id !== undefined && known === undefined) details[`${place}.id`] = "there is no such column";
    if (known !== undefined && after.some((column) => column.id === known.id))
      details[`${place}.id`] = "is named twice";
    const column = numbered(given, known?.id ?? nextColumn);
    if (known === undefined) nextColumn += 1;
    else if (column.type !== known.type) details[`${place}.type`] = "cannot change: make another column";
    else if (column.unique !== known.unique) details[`${place}.unique`] = "cannot change: make another column";
    else if (column.indexed !== known.indexed) details[`${place}.indexed`] = "cannot change: make another column";
    if (column.required && known?.required !== true) newlyRequired.set(String(column.id), `${place}.required`);
    after.push(column);
  }
  if (Object.keys(details).length > 0) throw invalid(details);
  await requireValues(run, table, newlyRequired);
  return { after, nextColumn };
}

// The first row that lacks a required value.
const findEmpty = `
  SELECT ARRAY(SELECT c FROM unnest($2::text[]) AS c WHERE NOT r.cells ? c) AS missing
  FROM table_row r WHERE table_id = $1 AND NOT cells ?& $2::text[] LIMIT 1`;

/**
 * Throws VALIDATION_ERROR unless all rows have values in these columns. `places`: the columns' paths in the request, by
 * number.
 */
async function requireValues(run: RunStatement, { id }: Table, places: ReadonlyMap<string, string>): Promise<void> {
  if (places.size === 0) return;
  const columns = textArray([...places.keys()]);
  const refusal = `it takes longer than ${secondsMax} seconds to see whether all rows have values in the columns that become required`;
  const [empty] = await withinTime(run, { columns: refusal }, () =>
    run<{ missing: string[] }>("find-empty-cells", findEmpty, [id, columns]),
  );
  if (empty === undefined) return;
  const missing = empty.missing.map((column) => [places.get(column) ?? "columns", "there are rows without a value"]);
  throw invalid(Object.fromEntries(missing));
}
