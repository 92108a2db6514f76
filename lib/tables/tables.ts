import { recordWith } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { SearchedPage } from "#lib/contract/query.ts";
import type { NewTable, ShownTable } from "#lib/contract/tables/tables.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { iso, timeNow } from "#lib/platform/clock.ts";
import { containing } from "#lib/platform/containing.ts";
import { newestFirst, pageOf } from "#lib/platform/database/page.ts";
import { database, isDuplicate, query, type RunStatement } from "#lib/platform/database.ts";
import { isId, newId } from "#lib/platform/ids.ts";
import type { DataTableModel } from "#lib/platform/prisma/models.ts";
import { textArray } from "#lib/platform/rows-parameter.ts";
import { type Column, columnsIn, findTable, inTableTransaction, invalid, type Table } from "./table.ts";

/** A table's size. */
export interface TableSize {
  readonly rows: number;
  readonly bytes: number;
}

const sizesText = `
  SELECT table_id AS id, sum(rows)::float8 AS rows, sum(bytes)::float8 AS bytes
  FROM table_size WHERE table_id = ANY($1::text[]) GROUP BY table_id`;

async function sizesOf(ids: readonly string[]): Promise<Map<string, TableSize>> {
  const rows = await query<TableSize & { id: string }>("table-sizes", sizesText, [ids]);
  return new Map(rows.map(({ id, rows: count, bytes }) => [id, { rows: count, bytes }]));
}

/** The size of a table. */
export async function sizeOf(tableId: string): Promise<TableSize> {
  return (await sizesOf([tableId])).get(tableId) ?? { rows: 0, bytes: 0 };
}

export function showTable(row: DataTableModel, size: TableSize = { rows: 0, bytes: 0 }): ShownTable {
  return {
    id: row.id,
    name: row.name,
    columns: columnsIn(row.columns).map((column) => ({ ...column, id: columnId(column) })),
    rowCount: size.rows,
    bytes: size.bytes,
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  };
}

/** A page of the workspace's tables, newest first. */
export async function listTables({ workspaceId }: Actor, { search, ...asked }: SearchedPage) {
  const where = { workspaceId, ...(search && { name: containing(search) }) };
  const { dataTable } = database();
  return await pageOf(asked, dataTable.count({ where }), async (part) => {
    const rows = await dataTable.findMany({ where, ...newestFirst, ...part });
    const sizes = await sizesOf(rows.map(({ id }) => id));
    return rows.map((row) => showTable(row, sizes.get(row.id)));
  });
}

/** A table as the API shows it. Throws NOT_FOUND. */
export async function readTable({ workspaceId }: Actor, id: string): Promise<ShownTable> {
  const row = isId("table", id) ? await database().dataTable.findFirst({ where: { id, workspaceId } }) : null;
  if (row === null) throw notFound("Table");
  return showTable(row, await sizeOf(id));
}

/** The maximum number of tables per workspace. */
const tablesMax = 500;

const insertTable = `
  INSERT INTO data_table (id, workspace_id, name, columns, next_column, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6::timestamptz, $6::timestamptz)`;

/** Creates an empty table. Throws VALIDATION_ERROR, including for a name that is taken. */
export async function createTable(actor: Actor, given: NewTable): Promise<ShownTable> {
  const { workspaceId, once } = actor;
  if (once?.made) return once.made as ShownTable;
  const { name } = given;
  const count = await database().dataTable.count({ where: { workspaceId } });
  if (count >= tablesMax) throw invalid({ name: `a workspace may have at most ${tablesMax} tables` });
  const columns = given.columns.map((column, index) => numbered(column, index + 1));
  const now = timeNow();
  const row: DataTableModel = {
    id: newId("table"),
    workspaceId,
    name,
    columns: JSON.stringify(columns),
    nextColumn: columns.length + 1,
    createdAt: now,
    updatedAt: now,
  };
  const shown = showTable(row);
  await refuseTakenName(name, () =>
    inTableTransaction(async (run) => {
      await run("insert-table", insertTable, [row.id, workspaceId, name, row.columns, row.nextColumn, now]);
      const after = { columns: columns.map((column) => column.name) };
      await recordWith(run, actor, { action: "table.created", id: row.id, name, after });
      await once?.keep(run, shown);
    }),
  );
  return shown;
}

/** A column's id as the API shows it. */
export function columnId({ id }: Pick<Column, "id">): string {
  return `c${id}`;
}

/** A column in stored form. */
export function numbered(column: Omit<Column, "id">, id: number): Column {
  const { name, type, unique, indexed, required } = column;
  return { id, name, type, unique, indexed: indexed || unique, required };
}

/** The database decides: of two tables created concurrently with one name, one succeeds. Throws VALIDATION_ERROR. */
export async function refuseTakenName<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw invalid({ name: `there is a table named "${name}" already` }, error);
  }
}

const noteRemoval = "INSERT INTO table_removal (table_id, column_id) VALUES ($1, 0)";

const findFlows = "SELECT id, name FROM flow WHERE id = ANY($1::text[]) ORDER BY name, id";

/** Throws CONFLICT, naming the flows, while active flows listen for the table's changes. */
async function refuseWhileListenedTo(run: RunStatement, { listeners }: Table): Promise<void> {
  if (listeners.length === 0) return;
  const ids = textArray(listeners.map(({ flowId }) => flowId));
  const flows = await run<{ id: string; name: string }>("find-listening-flows", findFlows, [ids]);
  const names = flows.map(({ name }) => `"${name}"`).join(", ");
  throw new AppError("CONFLICT", `Active flows listen for changes of the table: ${names}. Deactivate them first`, {
    details: { flowIds: flows.map((flow) => flow.id) },
  });
}

/**
 * Deletes a table. Its rows are hidden at once and deleted by upkeep. Throws NOT_FOUND, and CONFLICT while active flows
 * listen for its changes.
 */
export async function deleteTable(actor: Actor, id: string): Promise<null> {
  await inTableTransaction(async (run) => {
    const table = await findTable(run, actor.workspaceId, id, "update");
    await refuseWhileListenedTo(run, table);
    const { name } = table;
    await run("delete-table", "DELETE FROM data_table WHERE id = $1", [id]);
    await run("note-table-removal", noteRemoval, [id]);
    await recordWith(run, actor, { action: "table.deleted", id, name });
  });
  return null;
}
