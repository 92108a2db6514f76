import { AppError } from "#lib/errors.ts";
import { nowMs } from "#lib/platform/clock.ts";
import type { RunStatement } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { intArray, textArray, timeArray } from "#lib/platform/rows-parameter.ts";
import { mapInTurns } from "#lib/platform/turns.ts";
import { type Cells, emptyKey, keyOf } from "#lib/tables/cells.ts";
import type { Table } from "#lib/tables/table.ts";
import { noteFilesOfRows } from "./note-files.ts";
import { notifyListeners } from "./notify-listeners.ts";
import { at, requireFewBytes, type StoredRow } from "./stored-row.ts";
import { addGrowth, type Growth, requireSpace } from "./table-growth.ts";

/** A change of a row. `before` is null for a new row, `after` for a deleted one. */
export interface RowChange {
  readonly before: StoredRow | null;
  readonly after: { readonly cells: Cells; readonly bytes: number } | null;
  /** Its path in the request. */
  readonly path?: string;
}

const insertRows = `
  INSERT INTO table_row (table_id, id, version, cells, bytes, created_at, updated_at)
  SELECT $1, r.id, 1, r.cells::jsonb, r.bytes, $5::timestamptz, $5::timestamptz
  FROM unnest($2::text[], $3::text[], $4::int[]) AS r(id, cells, bytes)`;
const updateRows = `
  UPDATE table_row t SET version = t.version + 1, cells = r.cells::jsonb, bytes = r.bytes, updated_at = r.updated_at
  FROM unnest($2::text[], $3::text[], $4::int[], $5::timestamptz[]) AS r(id, cells, bytes, updated_at)
  WHERE t.table_id = $1 AND t.id = r.id`;
const deleteRows = "DELETE FROM table_row WHERE table_id = $1 AND id = ANY($2::text[])";
const deleteKeys = `
  DELETE FROM table_key k USING unnest($2::int[], $3::text[], $4::text[]) AS d(column_id, key, row_id)
  WHERE k.table_id = $1 AND k.column_id = d.column_id AND k.key = d.key AND k.row_id = d.row_id`;
// Waits for a concurrent transaction that inserts the same unique value. In a fixed order, so that deadlocks are rare.
const insertKeys = `
  INSERT INTO table_key (table_id, column_id, key, row_id, is_unique)
  SELECT $1, k.column_id, k.key, k.row_id, k.is_unique = 1
  FROM unnest($2::int[], $3::text[], $4::text[], $5::int[]) AS k(column_id, key, row_id, is_unique)
  ORDER BY k.column_id, k.key
  ON CONFLICT DO NOTHING RETURNING column_id, row_id`;

/** How changes are written. */
export interface Writing {
  /** How many flows called each other to get here. */
  readonly depth?: number;
  /** Accumulates the growth over several calls in one transaction; the caller adds it to the table's size. */
  readonly growth?: Growth;
}

/**
 * Writes changes of rows that the transaction has locked, with their index entries; returns the new rows in the order
 * of the changes (deleted ones as they were). A change to the same values is none: the row keeps its version. Starts the
 * listening flows for each change, unless flows called each other too deeply. Throws CONFLICT for a duplicate unique
 * value, VALIDATION_ERROR for too many bytes or a full table, SERVICE_UNAVAILABLE while too many events wait.
 */
export async function applyChanges(
  run: RunStatement,
  table: Table,
  changes: readonly RowChange[],
  writing: Writing = {},
): Promise<StoredRow[]> {
  const isReal = changes.map((change) => !isUnchanged(table, change));
  const real = changes.filter((_, index) => isReal[index]);
  const written = real.length === 0 ? [] : await writeChanges(run, table, real, writing);
  let next = 0;
  return changes.map(({ before }, index) => (isReal[index] ? written[next++] : before) as StoredRow);
}

function isUnchanged({ columns }: Table, { before, after }: RowChange): boolean {
  return before !== null && after !== null && columns.every(({ id }) => before.cells[id] === after.cells[id]);
}

async function writeChanges(
  run: RunStatement,
  table: Table,
  changes: readonly RowChange[],
  { depth = 0, growth }: Writing,
): Promise<StoredRow[]> {
  requireFewBytes(
    changes.flatMap(({ after }) => after ?? []),
    "rows",
  );
  const now = new Date(nowMs());
  const rows = changes.map((change) => changedRow(change, now));
  const pick = (isPicked: (change: RowChange) => boolean) =>
    rows.filter((_, index) => isPicked(changes[index] as RowChange));
  const inserted = pick(({ before, after }) => before === null && after !== null);
  const updated = pick(({ before, after }) => before !== null && after !== null);
  const deleted = pick(({ after }) => after === null);
  await dropKeys(run, table, changes);
  await noteFilesOfRows(run, table, changes, rows);
  if (inserted.length > 0) await run("insert-rows", insertRows, [table.id, ...(await columnsOf(inserted)), now]);
  if (updated.length > 0) {
    const times = timeArray(updated.map((row) => row.updated_at.toISOString()));
    await run("update-rows", updateRows, [table.id, ...(await columnsOf(updated)), times]);
  }
  if (deleted.length > 0) await run("delete-rows", deleteRows, [table.id, textArray(deleted.map(({ id }) => id))]);
  await enterKeys(run, table, changes, rows);
  await notifyListeners(run, table, changes, { rows, depth });
  const added = growthOf(changes);
  const total = growth ?? { rows: 0, bytes: 0 };
  total.rows += added.rows;
  total.bytes += added.bytes;
  if (added.rows > 0 || added.bytes > 0) await requireSpace(run, table, total);
  if (growth === undefined) await addGrowth(run, table, total);
  return rows;
}

async function columnsOf(rows: readonly StoredRow[]): Promise<Buffer[]> {
  const cells = await mapInTurns(rows, (row) => JSON.stringify(row.cells));
  return [textArray(rows.map(({ id }) => id)), textArray(cells), intArray(rows.map(({ bytes }) => bytes))];
}

function changedRow({ before, after }: RowChange, now: Date): StoredRow {
  if (after === null) return before as StoredRow;
  const { cells, bytes } = after;
  if (before === null) return { id: newId("tableRow"), version: 1, cells, bytes, created_at: now, updated_at: now };
  const updated_at = new Date(Math.max(now.getTime(), before.updated_at.getTime() + 1));
  return { ...before, version: before.version + 1, cells, bytes, updated_at };
}

interface Entry {
  readonly columnId: number;
  readonly key: string;
  readonly rowId: string;
  readonly isUnique: boolean;
  readonly place: string;
}

/** The index entries that a change removes (`before`) or adds (`after`). */
function entriesOf(table: Table, { before, after, path = "" }: RowChange, rowId: string, side: "before" | "after") {
  const [own, other] = side === "before" ? [before, after] : [after, before];
  if (own === null) return [];
  return table.columns.flatMap(({ id, name, indexed, unique }): Entry[] => {
    const key = keyOf(own.cells[id]);
    if (!indexed || (other !== null && key === keyOf(other.cells[id]))) return [];
    return [{ columnId: id, key, rowId, isUnique: unique && key !== emptyKey, place: at(path, name) }];
  });
}

function entryColumns(entries: readonly Entry[]): Buffer[] {
  const columns = intArray(entries.map((e) => e.columnId));
  return [columns, textArray(entries.map((e) => e.key)), textArray(entries.map((e) => e.rowId))];
}

async function dropKeys(run: RunStatement, table: Table, changes: readonly RowChange[]): Promise<void> {
  const found = await mapInTurns(changes, (change) => entriesOf(table, change, change.before?.id ?? "", "before"));
  const entries = found.flat();
  if (entries.length > 0) await run("delete-keys", deleteKeys, [table.id, ...entryColumns(entries)]);
}

async function enterKeys(
  run: RunStatement,
  table: Table,
  changes: readonly RowChange[],
  rows: readonly StoredRow[],
): Promise<void> {
  const found = await mapInTurns(changes, (change, at) => entriesOf(table, change, rows[at]?.id ?? "", "after"));
  const entries = found.flat();
  if (entries.length === 0) return;
  const isUnique = intArray(entries.map((e) => Number(e.isUnique)));
  const values = [table.id, ...entryColumns(entries), isUnique];
  const made = await run<{ column_id: number; row_id: string }>("insert-keys", insertKeys, values);
  if (made.length === entries.length) return;
  const entered = new Set(made.map((row) => `${row.column_id} ${row.row_id}`));
  const refused = entries.filter((e) => !entered.has(`${e.columnId} ${e.rowId}`)).slice(0, refusedToldMax);
  throw new AppError("CONFLICT", "The table has a row with the same value in a unique column", {
    details: Object.fromEntries(refused.map(({ place }) => [place, "there is a row with this value already"])),
  });
}

const refusedToldMax = 100;

/** How much the changes add to the table. */
function growthOf(changes: readonly RowChange[]): Growth {
  const sum = { rows: 0, bytes: 0 };
  for (const { before, after } of changes) {
    sum.rows += Number(after !== null) - Number(before !== null);
    sum.bytes += (after?.bytes ?? 0) - (before?.bytes ?? 0);
  }
  return sum;
}
