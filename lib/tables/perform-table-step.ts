import { rowsAtOnceMax } from "#lib/contract/tables/rows.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { AppError, notFound } from "#lib/errors.ts";
import {
  type StepOfRun,
  type TableAnswer,
  type TableRequest,
  tableReads,
} from "#lib/nodes/across-runs/table-access.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { sleep } from "#lib/platform/clock.ts";
import { query, type RunStatement } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import { mapInTurns } from "#lib/platform/turns.ts";
import { applyChanges, type RowChange } from "./rows/apply-changes.ts";
import { countFound, findRows, isServed, lockFound } from "./rows/find-rows.ts";
import { searchSlots } from "./rows/search-slots.ts";
import { type StoredRow, showRow, writtenCells } from "./rows/stored-row.ts";
import { upsertWithin } from "./rows/upsert.ts";
import { incremented } from "./rows/write-rows.ts";
import { onceForStep } from "./step-effect.ts";
import { columnNamed, findTable, findTableNamed, inTableTransaction, invalid, type Table } from "./table.ts";

const limitDefault = 100;
/** How often a write blocked by other writers is retried, and the longest backoff. */
const busyTriesMax = 5;
const busyMsMax = 1_000;

/**
 * Performs a step's request to a table. A write happens once: its result is recorded in the same transaction, and
 * returned if the step starts again. Throws NodeFailure.
 */
export async function performTableStep(step: StepOfRun, request: TableRequest): Promise<TableAnswer> {
  try {
    if (tableReads.has(request.action)) return await translateBusy(() => read(step, request));
    return await translateBusy(() =>
      inTurn(step, request, () => inTableTransaction((run) => writeOnce(run, step, request))),
    );
  } catch (error) {
    if (error instanceof AppError) throw failureOf(error, request);
    throw error;
  }
}

function writeOnce(run: RunStatement, step: StepOfRun, request: TableRequest): Promise<TableAnswer> {
  return onceForStep(run, step, async () => {
    const answer = await write(run, step, request);
    await step.requireFit(answer);
    return answer;
  });
}

/** A search without an index waits for a slot before it takes a connection. */
async function inTurn<T>({ workspaceId }: StepOfRun, request: TableRequest, work: () => Promise<T>): Promise<T> {
  if (!isJsonObject(request.where)) return await work();
  const table = await tableOf(query, workspaceId, request.table, "none");
  return isServed(table, request.where) ? await work() : await searchSlots().use(workspaceId, work);
}

async function translateBusy<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || tries === busyTriesMax) throw error;
      await sleep(Math.random() * busyMsMax);
    }
  }
}

function isBusy(error: unknown): error is AppError {
  return error instanceof AppError && error.code === "SERVICE_UNAVAILABLE";
}

async function read({ workspaceId }: StepOfRun, request: TableRequest): Promise<TableAnswer> {
  const table = await tableOf(query, workspaceId, request.table, "none");
  const { action, where, sort, limit } = request;
  if (action === "count") return { rows: [], count: await countFound(table, where) };
  const rowsMax = action === "get" ? 1 : (limit ?? limitDefault);
  const { rows, nextCursor } = await findRows(table, { where, sort, limit: rowsMax });
  if (nextCursor !== null && rows.length < rowsMax) {
    throw invalid({ limit: `${rows.length} rows are as many as one answer holds: ask for fewer` });
  }
  return await shownAnswer(table, rows);
}

async function shownAnswer(table: Table, rows: readonly StoredRow[]): Promise<TableAnswer> {
  return { rows: await mapInTurns(rows, (row) => showRow(table, row)), count: rows.length };
}

/** The table by its id or name. Throws NOT_FOUND. */
async function tableOf(run: RunStatement, workspaceId: string, named: string, lock: "none" | "share"): Promise<Table> {
  if (isId("table", named)) return await findTable(run, workspaceId, named, lock);
  const isNamed = named.isWellFormed() && !named.includes("\u0000");
  const found = isNamed ? await findTableNamed(run, workspaceId, named, lock) : null;
  if (found === null) throw notFound("Table");
  return found;
}

async function write(
  run: RunStatement,
  { workspaceId, depth }: StepOfRun,
  request: TableRequest,
): Promise<TableAnswer> {
  const table = await tableOf(run, workspaceId, request.table, "share");
  const writing = { depth: depth + 1 };
  if (request.action === "insert") {
    const changes = await mapInTurns(rowsToWrite(request.row), ({ values, path }): RowChange => {
      return { before: null, after: writtenCells(table, values, null, path), path };
    });
    return await shownAnswer(table, await applyChanges(run, table, changes, writing));
  }
  if (request.action === "upsert") {
    const given = rowsToWrite(request.row);
    const column = columnNamed(table, request.key ?? "", "key");
    const values = given.map((row) => row.values);
    const pathOf = (at: number) => given[at]?.path ?? "row";
    const { rows, inserted } = await upsertWithin(run, table, column, values, pathOf, writing);
    return { ...(await shownAnswer(table, rows)), inserted };
  }
  if (!isJsonObject(request.where)) throw invalid({ where: "must be an object" });
  const matched = await lockFound(run, table, request.where, rowsAtOnceMax);
  const changes = await mapInTurns(matched, (before): RowChange => {
    return { before, after: afterOf(table, before, request) };
  });
  return await shownAnswer(table, await applyChanges(run, table, changes, writing));
}

function afterOf(table: Table, before: StoredRow, { action, row, column = "", by = 1 }: TableRequest) {
  if (action === "delete") return null;
  if (action === "increment") return incremented(table, before, { column, by });
  if (!isJsonObject(row)) throw invalid({ row: "must be an object" });
  return writtenCells(table, row, before.cells, "row");
}

/** The rows to write, given as one or a list. */
function rowsToWrite(row: unknown): { values: Record<string, unknown>; path: string }[] {
  const isList = Array.isArray(row);
  const rows: unknown[] = isList ? row : [row];
  if (rows.length > rowsAtOnceMax) throw invalid({ row: `must be at most ${rowsAtOnceMax} rows` });
  return rows.map((values, index) => {
    const path = isList ? `row[${index}]` : "row";
    if (!isJsonObject(values)) throw invalid({ [path]: "must be an object" });
    return { values, path };
  });
}

function failureOf(error: AppError, request: TableRequest): NodeFailure {
  const { message, code, details = {} } = error;
  if (isBusy(error)) return new NodeFailure("TABLE_BUSY", message);
  if (code === "NOT_FOUND") {
    const named = request.table.slice(0, 100);
    return new NodeFailure("TABLE_NOT_FOUND", `There is no table "${named}"`, { field: "table" });
  }
  const [field] = Object.keys(details);
  const reasons = Object.entries(details).map(([place, reason]) => `${place}: ${reason}`);
  const text = reasons.length === 0 ? message : reasons.slice(0, 5).join("; ");
  const failure = code === "CONFLICT" ? "UNIQUE_VALUE_TAKEN" : "TABLE_REQUEST_REFUSED";
  return new NodeFailure(failure, text, field === undefined ? {} : { field });
}
