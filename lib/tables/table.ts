import type { ColumnType } from "#lib/contract/tables/tables.ts";
import type { RowChangeKind } from "#lib/engine/flow.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { inTransaction, type RunStatement } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";

/** A stored column. Its table never reuses its number. */
export interface Column {
  readonly id: number;
  readonly name: string;
  readonly type: ColumnType;
  readonly unique: boolean;
  /** Whether it is indexed; a unique column always is. */
  readonly indexed: boolean;
  readonly required: boolean;
}

export interface Table {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly columns: readonly Column[];
  /** The active flows that changes to its rows start. */
  readonly listeners: readonly Listener[];
}

export interface Listener {
  readonly flowId: string;
  readonly changes: readonly RowChangeKind[];
}

/** The columns of a table's row. */
export function columnsIn(json: string): Column[] {
  return JSON.parse(json);
}

/**
 * A table of the workspace. `lock`: held until the transaction ends; `share` prevents changes of its columns, `update`
 * prevents all other writes too. Throws NOT_FOUND.
 */
export async function findTable(
  run: RunStatement,
  workspaceId: string,
  id: string,
  lock: "none" | "share" | "update" = "none",
): Promise<Table> {
  const where = "id = $2 AND workspace_id = $1";
  const [row] = isId("table", id) ? await select(run, where, [workspaceId, id], lock) : [];
  if (row === undefined) throw notFound("Table");
  return row;
}

/** The same by its name; null if there is none. */
export async function findTableNamed(
  run: RunStatement,
  workspaceId: string,
  name: string,
  lock: "none" | "share",
): Promise<Table | null> {
  const [row] = await select(run, "name = $2 AND workspace_id = $1", [workspaceId, name], lock);
  return row ?? null;
}

interface StoredTable extends Record<string, unknown> {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly columns: string;
  readonly listeners: Listener[] | null;
}

const locks = { none: "", share: "FOR SHARE OF t", update: "FOR UPDATE OF t" } as const;

async function select(run: RunStatement, where: string, values: readonly string[], lock: keyof typeof locks) {
  const text = `
    SELECT id, workspace_id, name, columns, (
      SELECT json_agg(json_build_object('flowId', l.flow_id, 'changes', l.changes)) FROM flow_listener l
      WHERE l.workspace_id = t.workspace_id AND l.kind = 'table' AND l.table_id = t.id) AS listeners
    FROM data_table t WHERE ${where} ${locks[lock]}`;
  const name = `find-table-${where.slice(0, 4)}-${lock}`;
  const rows = await run<StoredTable>(name, text, values);
  return rows.map(({ id, workspace_id, name: called, columns, listeners }): Table => {
    return { id, workspaceId: workspace_id, name: called, columns: columnsIn(columns), listeners: listeners ?? [] };
  });
}

/** The column of this name. Throws VALIDATION_ERROR for `field`. */
export function columnNamed(table: Table, name: string, field: string): Column {
  const found = table.columns.find((column) => column.name === name);
  if (found !== undefined) return found;
  throw invalid({ [field]: `there is no column "${name.slice(0, 100).toWellFormed()}"` });
}

/** A VALIDATION_ERROR with the problem of each field. */
export function invalid(details: Readonly<Record<string, string>>, cause?: unknown): AppError {
  return new AppError("VALIDATION_ERROR", "The request is not valid", { details: { ...details }, cause });
}

const triesMax = 5;
/** How long a statement waits for other writers, holding a connection of the shared pool. */
const lockMsMax = 2_000;

/**
 * Does the work in one transaction; a refusal rolls it back and keeps the connection. Writers that lock the same rows
 * in different orders can deadlock: PostgreSQL aborts one, and its work is retried. Throws SERVICE_UNAVAILABLE if it
 * waits for other writers too long.
 */
export async function inTableTransaction<T>(work: (run: RunStatement) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    let refusal: AppError | NodeFailure | null = null;
    try {
      const done = await inTransaction(async (run, client) => {
        try {
          await client.query(`SET LOCAL lock_timeout = ${lockMsMax}`);
          return { value: await work(run) };
        } catch (error) {
          refusal = refusalOf(error);
          if (refusal === null) throw error;
          await client.query("ROLLBACK");
          return null;
        }
      });
      if (done === null) throw refusal;
      return done.value;
    } catch (error) {
      if (tries === triesMax || !hasCode(error, "40P01")) throw error;
    }
  }
}

function refusalOf(error: unknown): AppError | NodeFailure | null {
  if (error instanceof AppError || error instanceof NodeFailure) return error;
  if (!hasCode(error, "55P03")) return null;
  const message = "Others are writing to the same rows; try again shortly";
  return new AppError("SERVICE_UNAVAILABLE", message, { retryAfterSeconds: 1, cause: error });
}

/** Whether PostgreSQL refused a statement with this SQLSTATE. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
