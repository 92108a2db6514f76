import { expect, test, vi } from "vitest";
import type { Api } from "#components/api/use-api.ts";
import type { ShownColumn, ShownRow } from "#components/tables/table-queries.ts";
import { ApiError } from "#lib/contract/client.ts";
import { countOf, rowAt } from "./row-pages.ts";
import { TableModel } from "./table-model.ts";

const column = (name: string, type: ShownColumn["type"], required = false): ShownColumn => ({
  id: name,
  name,
  type,
  unique: required,
  indexed: required,
  required,
});
const email = column("email", "text", true);
const orders = column("orders", "number");
const columns = [email, orders];

const refusal = (status: number, details: Record<string, unknown>) =>
  new ApiError(status, status === 409 ? "CONFLICT" : "VALIDATION_ERROR", "refused", details, null);

/** An in-memory table that answers like the API. */
class FakeTable {
  readonly rows: Record<string, unknown>[] = [];
  /** Set to fail the next request. */
  failure: Error | null = null;
  writes = 0;
  #made = 0;

  insert(values: Record<string, unknown>, path = ""): string {
    if (this.rows.some((row) => row.email === values.email)) {
      throw refusal(409, { [`${path}email`]: "there is a row with this value already" });
    }
    this.#made += 1;
    const id = `row_${this.#made}`;
    this.rows.push({ orders: null, ...values, id, version: 1, createdAt: "", updatedAt: "" });
    return id;
  }

  change(id: string, values: Record<string, unknown>, version?: number): Record<string, unknown> {
    const row = this.rows.find((candidate) => candidate.id === id);
    if (row === undefined) throw refusal(404, {});
    if (version !== undefined && version !== row.version) throw refusal(409, { currentVersion: row.version });
    Object.assign(row, values, { version: Number(row.version) + 1 });
    return row;
  }

  readonly api = {
    call: async (name: string, input: never) => {
      await Promise.resolve();
      if (name !== "listRows") this.writes += 1;
      if (this.failure !== null && name !== "listRows") throw this.failure;
      return structuredClone(this.#answer(name, input));
    },
  } as unknown as Api;

  #answer(name: string, input: { [part: string]: Record<string, never> }): unknown {
    const { params = {}, query = {}, body = {}, headers = {} } = input;
    if (name === "listRows") return this.#page(query.where, Number(query.limit), Number(query.cursor ?? 0));
    if (name === "updateRow") {
      return this.change(params.rowId as never, body, Number(String(headers["if-match"]).replaceAll('"', "")));
    }
    const {
      insert = [],
      update = [],
      delete: deleted = [],
    } = body as {
      insert?: Record<string, unknown>[];
      update?: { id: string; row: Record<string, unknown>; version: number }[];
      delete?: string[];
    };
    for (const { id, version } of update) {
      const row = this.rows.find((candidate) => candidate.id === id);
      if (row === undefined) throw refusal(400, { "update[0].id": "there is no such row" });
      if (row.version !== version) throw refusal(409, { currentVersion: row.version });
    }
    const taken = insert.findIndex((values) => this.rows.some((row) => row.email === values.email));
    if (taken >= 0) throw refusal(409, { [`insert[${taken}].email`]: "there is a row with this value already" });
    const remaining = this.rows.filter(({ id }) => !deleted.includes(String(id)));
    this.rows.splice(0, this.rows.length, ...remaining);
    for (const { id, row } of update) this.change(id, row);
    return { inserted: insert.map((values) => this.insert(values)), updated: update.length, deleted: deleted.length };
  }

  #page(where: string | undefined, limit: number, from: number) {
    const ids: string[] | undefined = where === undefined ? undefined : JSON.parse(where).id.in;
    const found = this.rows.filter(({ id }) => ids === undefined || ids.includes(String(id)));
    const rows = found.slice(from, from + limit);
    return { rows, nextCursor: from + limit < found.length ? String(from + limit) : null };
  }
}

async function opened(rows: readonly Record<string, unknown>[]) {
  const table = new FakeTable();
  for (const row of rows) table.insert(row);
  const failures: string[] = [];
  const onFailure = (message: string) => failures.push(message);
  const model = new TableModel({ api: table.api, tableId: "t", columns, onFailure });
  model.search({ where: undefined, sort: undefined });
  await vi.waitFor(() => expect(model.state().rows.next).not.toBeUndefined());
  const row = (at: number) => rowAt(model.state().rows, at) as ShownRow;
  const done = () => vi.waitFor(() => expect(model.state().writing).toBe(0));
  /** Resolves when everything is saved. */
  const still = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
    await done();
  };
  const stored = (name: string) => table.rows.map((row) => row[name]);
  return { table, model, row, still, stored, failures };
}

const ada = { email: "ada", orders: 1 };
const bob = { email: "bob", orders: 2 };

test("an edit shows at once, is written with the row's version, and is taken back and done again", async () => {
  const { model, row, still, stored, table } = await opened([ada]);
  model.edit([{ row: row(0), column: orders, text: "5" }]);
  expect(row(0).orders).toBe(5);
  model.edit([{ row: row(0), column: orders, text: "6" }]);
  await still();
  expect([stored("orders"), table.rows[0]?.version, row(0).version]).toEqual([[6], 3, 3]);
  model.undo();
  model.undo();
  await still();
  expect(stored("orders")).toEqual([1]);
  model.redo();
  await still();
  expect([stored("orders"), row(0).orders]).toEqual([[5], 5]);
  model.redo();
  model.redo();
  await still();
  expect(stored("orders")).toEqual([6]);
});

test("what a column does not take is not sent, and stays with its reason", async () => {
  const { model, row, still, table } = await opened([ada]);
  model.edit([
    { row: row(0), column: orders, text: "many" },
    { row: row(0), column: email, text: "" },
  ]);
  await still();
  expect(table.writes).toBe(0);
  expect([...model.state().problems.values()].map(({ text }) => text)).toEqual(["many", ""]);
  model.edit([{ row: row(0), column: orders, text: "1" }]);
  model.letGo(row(0), email);
  expect(model.state().problems.size).toBe(0);
});

test("a paste changes rows and adds others, and goes away in one step", async () => {
  const { model, still, stored } = await opened([ada, bob]);
  await model.paste(1, columns, [["bob", "20"], ["cy", "30"], ["dan"]]);
  await still();
  expect(stored("email")).toEqual(["ada", "bob", "cy", "dan"]);
  expect(stored("orders")).toEqual([1, 20, 30, null]);
  model.undo();
  await still();
  expect([stored("email"), stored("orders"), countOf(model.state().rows)]).toEqual([["ada", "bob"], [1, 2], 2]);
  model.redo();
  await still();
  expect(stored("email")).toEqual(["ada", "bob", "cy", "dan"]);
  // The rows have new ids now, and the step still refers to them.
  model.undo();
  await still();
  expect(stored("email")).toEqual(["ada", "bob"]);
});

test("refused pasted rows stay, marked; once fixed, they are saved", async () => {
  const { model, row, still, stored } = await opened([ada]);
  await model.paste(1, columns, [
    ["ada", "2"],
    ["bob", "3"],
    ["", "4"],
  ]);
  await still();
  expect(stored("email")).toEqual(["ada", "bob"]);
  expect([...model.state().problems.values()].map(({ message }) => message)).toEqual([
    "is required",
    "there is a row with this value already",
  ]);
  model.edit([{ row: row(1), column: email, text: "cy" }]);
  await still();
  expect(stored("email")).toEqual(["ada", "bob", "cy"]);
});

test("a new row is saved once it has what it needs; what is typed meanwhile follows", async () => {
  const { model, row, still, stored, table } = await opened([ada]);
  const at = model.addRow();
  expect([at, table.writes]).toEqual([1, 0]);
  model.edit([{ row: row(at), column: email, text: "new" }]);
  model.edit([{ row: row(at), column: orders, text: "9" }]);
  await still();
  expect([stored("email"), stored("orders")]).toEqual([
    ["ada", "new"],
    [1, 9],
  ]);
  model.undo();
  model.undo();
  await still();
  expect(stored("email")).toEqual(["ada"]);
});

test("rows that were deleted come back as new ones, and older steps mean those", async () => {
  const { model, row, still, stored } = await opened([ada, bob]);
  model.edit([{ row: row(0), column: orders, text: "5" }]);
  model.delete([row(0)]);
  await still();
  expect([stored("email"), countOf(model.state().rows)]).toEqual([["bob"], 1]);
  model.undo();
  await still();
  expect([stored("email"), stored("orders")]).toEqual([
    ["bob", "ada"],
    [2, 5],
  ]);
  model.undo();
  await still();
  expect(stored("orders")).toEqual([2, 1]);
});

test("a row selected before it was saved or changed is deleted, and comes back as it was last", async () => {
  const { model, row, still, stored } = await opened([ada]);
  const selected = [row(0)];
  model.edit([{ row: row(0), column: orders, text: "5" }]);
  model.edit([{ row: row(model.addRow()), column: orders, text: "2" }]);
  selected.push(row(1));
  model.edit([{ row: row(1), column: email, text: "bob" }]);
  await still();
  expect(stored("email")).toEqual(["ada", "bob"]);
  expect(model.now(selected)).toEqual([row(0), row(1)]);
  model.delete(selected);
  await still();
  expect([stored("email"), countOf(model.state().rows)]).toEqual([[], 0]);
  model.undo();
  await still();
  expect(stored("orders")).toEqual([5, 2]);
});

test("changes of different cells by two are both kept; of the same cell both values are shown", async () => {
  const { model, row, still, stored, table } = await opened([ada]);
  table.change("row_1", { email: "eva" });
  model.edit([{ row: row(0), column: orders, text: "5" }]);
  await still();
  expect([stored("email"), stored("orders"), row(0).email]).toEqual([["eva"], [5], "eva"]);
  table.change("row_1", { orders: 7 });
  model.edit([{ row: row(0), column: orders, text: "8" }]);
  await still();
  expect([stored("orders"), row(0).orders]).toEqual([[7], 7]);
  expect(model.state().conflicts).toMatchObject([{ mine: { orders: 8 }, theirs: { orders: 7 } }]);
  model.settle("row_1", "mine");
  await still();
  expect([stored("orders"), model.state().conflicts]).toEqual([[8], []]);
});

test("a row that somebody else deleted goes, in words", async () => {
  const { model, row, still, table, failures } = await opened([ada, bob]);
  table.rows.shift();
  model.edit([{ row: row(0), column: orders, text: "5" }]);
  await still();
  expect(failures).toEqual(["The row was deleted by someone else."]);
  expect(countOf(model.state().rows)).toBe(1);
});

test("what could not be sent stays typed, and new rows are sent again when asked", async () => {
  const { model, row, still, stored, table, failures } = await opened([ada]);
  table.failure = new TypeError("fetch failed");
  model.edit([{ row: row(0), column: orders, text: "5" }]);
  await model.paste(1, columns, [["bob", "2"]]);
  await still();
  expect([stored("orders"), row(0).orders]).toEqual([[1], 1]);
  expect([...model.state().problems.values()]).toEqual([{ text: "5", message: "was not saved" }]);
  expect(failures[0]).toMatch(/^A row was not changed\. The server did not answer\./);
  table.failure = null;
  model.edit([{ row: row(0), column: orders, text: "5" }]);
  model.saveAgain();
  await still();
  expect([stored("email"), stored("orders")]).toEqual([
    ["ada", "bob"],
    [5, 2],
  ]);
});

test("a paste far down fetches the rows that it goes over, and adds none before the end", async () => {
  const rows = Array.from({ length: 250 }, (_, n) => ({ email: `row ${n}`, orders: n }));
  const { model, still, stored } = await opened(rows);
  await model.paste(
    240,
    [orders],
    Array.from({ length: 10 }, () => ["0"]),
  );
  await still();
  expect(stored("orders").slice(239)).toEqual([239, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  expect(stored("email")).toHaveLength(250);
});
