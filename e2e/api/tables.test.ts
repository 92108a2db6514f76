import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, call, del, get, patch, post, send } from "#e2e/support/api-client.ts";
import { node, run } from "#e2e/support/flows.ts";
import { newTenant } from "#e2e/support/matrix/own-resources.ts";
import { inOwnWorkspace } from "#e2e/support/own-workspace.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";
import type { ShownTable } from "#lib/contract/tables/tables.ts";

inOwnWorkspace("Tables");

type Row = Record<string, unknown> & { readonly id: string; readonly version: number };
interface Page {
  readonly rows: Row[];
  readonly nextCursor: string | null;
}

const columns = [
  { name: "email", type: "text", unique: true, required: true },
  { name: "orders", type: "number" },
  { name: "since", type: "time", indexed: true },
  { name: "active", type: "boolean" },
  { name: "more", type: "json" },
];

let made = 0;
async function newTable(overrides: object = {}): Promise<ShownTable> {
  made += 1;
  const answer = await post<ShownTable>("/tables", { name: `table ${made}`, columns, ...overrides });
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
}

const insert = async (table: ShownTable, values: object) => (await post<Row>(`/tables/${table.id}/rows`, values)).data;
const rowsOf = async ({ id }: ShownTable, search = "") => (await get<Page>(`/tables/${id}/rows${search}`)).data.rows;
const whereOf = (filter: unknown) => `?where=${encodeURIComponent(JSON.stringify(filter))}`;

describe("a table", () => {
  // Proves tables.columns
  it("is made with typed columns, listed, read, changed and deleted", async () => {
    const table = await newTable({ name: "customers" });
    expect(table).toMatchObject({ name: "customers", rowCount: 0, bytes: 0 });
    expect(table.columns[0]).toEqual({
      id: "c1",
      name: "email",
      type: "text",
      unique: true,
      indexed: true,
      required: true,
    });
    await insert(table, { email: "ada@example.com" });
    expect((await get<ShownTable>(`/tables/${table.id}`)).data).toMatchObject({ rowCount: 1 });
    expect((await get<ShownTable[]>("/tables?limit=100")).data.map(({ id }) => id)).toContain(table.id);
    const renamed = await patch<ShownTable>(`/tables/${table.id}`, { name: "clients" });
    expect(renamed.data).toMatchObject({ name: "clients", columns: table.columns, rowCount: 1 });
    expect((await del(`/tables/${table.id}`)).status).toBe(204);
    expectRefusal(await get(`/tables/${table.id}`), 404, "NOT_FOUND");
    expectRefusal(await get(`/tables/${table.id}/rows`), 404, "NOT_FOUND");
    const log = (await get<{ action: string }[]>(`/audit-log?subject=${table.id}`)).data.map(({ action }) => action);
    expect(log).toEqual(["table.deleted", "table.updated", "table.created"]);
  });

  it.each<[string, object]>([
    ["name", { name: " " }],
    ["columns", { columns: [] }],
    ["columns[0].name", { columns: [{ name: "id", type: "text" }] }],
    ["columns[0].name", { columns: [{ name: "a\u0000", type: "text" }] }],
    ["columns[0].type", { columns: [{ name: "a", type: "date" }] }],
    ["columns[0].type", { columns: [{ name: "a", type: "json", unique: true }] }],
    [
      "columns[1].name",
      {
        columns: [
          { name: "a", type: "text" },
          { name: "a", type: "text" },
        ],
      },
    ],
    ["columns", { columns: Array.from({ length: 11 }, (_, n) => ({ name: `c${n}`, type: "text", indexed: true })) }],
  ])("is refused for its %s", async (field, wrong) => {
    expectInvalid(await post("/tables", { name: randomUUID(), columns, ...wrong }), field);
  });

  it("has a name of its own in the workspace, also of two made at once", async () => {
    const body = { name: randomUUID(), columns };
    const answers = await Promise.all([post("/tables", body), post("/tables", body)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
    expectInvalid(await post("/tables", body), "name");
  });

  // Proves tables.change-columns
  it("keeps its values when a column is renamed, and loses those of a deleted one", async () => {
    const table = await newTable();
    await insert(table, { email: "a", orders: 1, active: true });
    const [email, orders] = table.columns;
    const changed = await patch<ShownTable>(`/tables/${table.id}`, {
      columns: [{ ...orders, name: "count" }, email, { name: "active", type: "text" }],
    });
    expect(changed.data.columns.map(({ id, name }) => [id, name])).toEqual([
      ["c2", "count"],
      ["c1", "email"],
      ["c6", "active"],
    ]);
    expect(await rowsOf(table)).toMatchObject([{ count: 1, email: "a", active: null }]);
  });

  it.each<[string, (table: ShownTable) => object[]]>([
    ["columns[0].type", ({ columns: [email] }) => [{ ...email, type: "number" }]],
    ["columns[0].unique", ({ columns: [email] }) => [{ ...email, unique: false }]],
    ["columns[0].indexed", ({ columns: [, orders] }) => [{ ...orders, indexed: true }]],
    ["columns[0].required", ({ columns: [, orders] }) => [{ ...orders, required: true }]],
    ["columns[0].required", () => [{ name: "new", type: "text", required: true }]],
    ["columns[0].id", () => [{ id: "c99", name: "new", type: "text" }]],
    ["columns[1].id", ({ columns: [email] }) => [email as object, { ...email, name: "again" }]],
  ])("refuses a change of columns at %s", async (field, change) => {
    const table = await newTable();
    await insert(table, { email: "a" });
    expectInvalid(await patch(`/tables/${table.id}`, { columns: change(table) }), field);
    expect((await get<ShownTable>(`/tables/${table.id}`)).data.columns).toEqual(table.columns);
  });
});

describe("a row", () => {
  let table: ShownTable;
  beforeAll(async () => {
    table = await newTable();
  });
  const path = (row: Row) => `/tables/${table.id}/rows/${row.id}`;

  // Proves tables.rows
  it("is inserted, read, changed and deleted; its values come back as they were", async () => {
    const values = {
      email: "a\u0000\ud800 👍 '; DROP TABLE table_row; --",
      orders: -1e21,
      since: "2026-01-31T10:00:00.000Z",
      active: false,
      more: { b: [null, "\u0000"], a: "{{ 1 + 1 }}" },
    };
    const row = await insert(table, values);
    expect(row).toMatchObject({ ...values, version: 1 });
    const read = await get<Row>(path(row));
    expect(read.data).toEqual(row);
    expect(read.headers.get("etag")).toBe('"1"');
    const changed = await patch<Row>(path(row), { orders: 2, active: null });
    expect(changed.data).toMatchObject({ ...values, orders: 2, active: null, version: 2 });
    expect(await rowsOf(table, whereOf({ email: values.email }))).toEqual([changed.data]);
    expect((await del(path(row))).status).toBe(204);
    expectRefusal(await get(path(row)), 404, "NOT_FOUND");
    expectRefusal(await del(path(row)), 404, "NOT_FOUND");
  });

  it.each<[string, object]>([
    ["email", {}],
    ["email", { email: null }],
    ["email", { email: 1 }],
    ["email", { email: "x".repeat(1_001) }],
    ["orders", { email: "x", orders: "1" }],
    ["since", { email: "x", since: "yesterday" }],
    ["active", { email: "x", active: "true" }],
    ["nothing", { email: "x", nothing: 1 }],
    ["row", { email: "x", more: "x".repeat(70_000) }],
  ])("is refused for its %s", async (field, values) => {
    expectInvalid(await post(`/tables/${table.id}/rows`, values), field);
  });

  // Proves tables.if-match
  it("is not overwritten by who read an older version; of two at once, one succeeds", async () => {
    const row = await insert(table, { email: randomUUID() });
    const change = (orders: number) => call("PATCH", path(row), { orders }, { headers: { "if-match": '"1"' } });
    const answers = await Promise.all([change(1), change(2)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const stale = await del(path(row), { headers: { "if-match": '"1"' } });
    expectRefusal(stale, 409, "CONFLICT");
    expect(stale.error.details).toEqual({ currentVersion: 2 });
    expect((await del(path(row), { headers: { "if-match": '"2"' } })).status).toBe(204);
  });

  it("keeps its version where a change has the values that it has", async () => {
    const row = await insert(table, { email: randomUUID(), orders: 2 });
    for (const same of [{}, { orders: 2 }, { email: row.email, active: null }]) {
      const { status, data } = await call("PATCH", path(row), same, { headers: { "if-match": '"1"' } });
      expect([status, data]).toEqual([200, row]);
    }
    const many = await post(`/tables/${table.id}/rows/bulk`, {
      update: [{ id: row.id, row: { orders: 2 } }],
    });
    expect(many.data).toMatchObject({ updated: 1 });
    expect((await get(path(row))).data).toEqual(row);
  });

  // Proves tables.unique
  it("has its unique value alone, of many inserted at once", async () => {
    const email = randomUUID();
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(`/tables/${table.id}/rows`, { email })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    const refused = answers.find(({ status }) => status === 409) as Answer;
    expectRefusal(refused, 409, "CONFLICT");
    expect(refused.error.details).toEqual({ email: "there is a row with this value already" });
  });

  // Proves tables.increment
  it("counts without losing any of many at once", async () => {
    const row = await insert(table, { email: randomUUID() });
    const add = (by?: number) => post<Row>(`${path(row)}/increment`, { column: "orders", ...(by && { by }) });
    await Promise.all(Array.from({ length: 20 }, () => add()));
    expect((await add(-5)).data).toMatchObject({ orders: 15, version: 22 });
    expectInvalid(await post(`${path(row)}/increment`, { column: "email" }), "column");
    await add(Number.MAX_VALUE);
    expectInvalid(await add(Number.MAX_VALUE), "by");
  });

  // Proves tables.upsert
  it("is inserted or changed by its unique value, once of many at once", async () => {
    const email = randomUUID();
    const upsert = (orders: number) =>
      post<Row>(`/tables/${table.id}/rows/upsert`, { key: "email", row: { email, orders } });
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => upsert(n)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201]);
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    expectInvalid(await post(`/tables/${table.id}/rows/upsert`, { key: "orders", row: { orders: 1 } }), "key");
  });

  // Proves tables.once
  it("is inserted once under an Idempotency-Key", async () => {
    const options = { headers: { "idempotency-key": randomUUID() } };
    const body = { email: randomUUID() };
    const first = await post<Row>(`/tables/${table.id}/rows`, body, options);
    const again = await post<Row>(`/tables/${table.id}/rows`, body, options);
    expect([again.status, again.data, again.headers.get("idempotency-replayed")]).toEqual([201, first.data, "true"]);
  });
});

describe("columns with names that mean something to the service", () => {
  it("are columns like any others, to insert, add to, change and read", async () => {
    const names = ["payload", "pieces", "texts", "status", "headers", "items", "total"];
    const table = await newTable({ columns: names.map((name) => ({ name, type: "number" })) });
    const values = Object.fromEntries(names.map((name) => [name, 1]));
    const made = await post<Row>(`/tables/${table.id}/rows`, values);
    expect([made.status, made.data]).toEqual([201, expect.objectContaining(values)]);
    const address = `/tables/${table.id}/rows/${made.data.id}`;
    for (const column of names) {
      const added = await post<Row>(`${address}/increment`, { column });
      expect([added.status, added.data[column]]).toEqual([200, 2]);
    }
    expect((await patch<Row>(address, values)).data).toMatchObject(values);
    expect((await get<Row>(address)).data).toMatchObject(values);
  });
});

describe("the list of rows", () => {
  let table: ShownTable;
  beforeAll(async () => {
    table = await newTable();
    const rows = Array.from({ length: 25 }, (_, n) => ({ email: `u${n}`, orders: n % 5, active: n % 2 === 0 }));
    expect((await post(`/tables/${table.id}/rows/bulk`, { insert: rows })).status).toBe(200);
  });

  // Proves tables.filter
  it("is filtered, counted and sorted", async () => {
    const filter = { active: true, or: [{ orders: { gte: 3 } }, { email: { in: ["u0", "u1"] } }] };
    const rows = await rowsOf(table, `${whereOf(filter)}&sort=-email`);
    expect(rows.map(({ email }) => email)).toEqual(["u8", "u4", "u24", "u18", "u14", "u0"]);
    expect((await get(`/tables/${table.id}/rows/count${whereOf(filter)}`)).data).toEqual({ count: 6 });
    expect((await get(`/tables/${table.id}/rows/count`)).data).toEqual({ count: 25 });
  });

  // Proves tables.cursor
  it("is read page by page, and rows that come meanwhile repeat or skip none", async () => {
    const seen: unknown[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const after: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { data }: Answer<Page> = await get<Page>(`/tables/${table.id}/rows?limit=10&sort=orders${after}`);
      seen.push(...data.rows.map(({ email }) => email));
      if (cursor === "") await insert(table, { email: "before", orders: -1 });
      cursor = data.nextCursor;
    }
    expect([seen.length, new Set(seen).size]).toEqual([25, 25]);
  });

  it.each([
    ["where", "?where={"],
    ["where", "?where=[]"],
    ["where.nothing", whereOf({ nothing: 1 })],
    ["where.orders.like", whereOf({ orders: { like: 1 } })],
    ["sort", "?sort=nothing"],
    ["sort", "?sort=more"],
    ["sort", "?sort=%00"],
    ["limit", "?limit=1001"],
    ["limit", "?limit=0"],
    ["cursor", "?cursor=abc"],
  ])("is refused for its %s: %s", async (field, search) => {
    expectInvalid(await get(`/tables/${table.id}/rows${search}`), field);
  });
});

describe("many rows at once", () => {
  // Proves tables.bulk
  it("are written all or none", async () => {
    const table = await newTable();
    const [a, b, c] = (
      await post<{ inserted: string[] }>(`/tables/${table.id}/rows/bulk`, {
        insert: [{ email: "a" }, { email: "b" }, { email: "c" }],
      })
    ).data.inserted;
    const writes = {
      update: [
        { id: a, row: { email: "b" } },
        { id: b, row: { email: "a" } },
      ],
      delete: [c, "row_gone"],
    };
    const done = await post(`/tables/${table.id}/rows/bulk`, { ...writes, insert: [{ email: "c" }] });
    expect(done.data).toEqual({ inserted: [expect.any(String)], updated: 2, deleted: 1 });
    expect((await rowsOf(table)).map(({ email }) => email)).toEqual(["b", "a", "c"]);
    const refused: [string, object][] = [
      ["insert[1].email", { insert: [{ email: "d" }, { email: 1 }] }],
      ["update[0].id", { insert: [{ email: "d" }], update: [{ id: "row_gone", row: {} }] }],
      ["update", { update: [{ id: a, row: {} }], delete: [a] }],
      ["insert", { insert: Array.from({ length: 1_001 }, () => ({})) }],
    ];
    for (const [field, body] of refused) expectInvalid(await post(`/tables/${table.id}/rows/bulk`, body), field);
    const twice = await post(`/tables/${table.id}/rows/bulk`, { insert: [{ email: "d" }, { email: "d" }] });
    expectRefusal(twice, 409, "CONFLICT");
    expect(twice.error.details).toEqual({ "insert[1].email": "there is a row with this value already" });
    const stale = await post(`/tables/${table.id}/rows/bulk`, { update: [{ id: a, row: {}, version: 1 }] });
    expectRefusal(stale, 409, "CONFLICT");
    expect(await rowsOf(table)).toHaveLength(3);
  });

  it("of a thousand take one request", async () => {
    const table = await newTable();
    const insert = Array.from({ length: 1_000 }, (_, n) => ({ email: `u${n}`, orders: n }));
    expect((await post(`/tables/${table.id}/rows/bulk`, { insert })).status).toBe(200);
    expect((await get<ShownTable>(`/tables/${table.id}`)).data.rowCount).toBe(1_000);
  });
});

describe("CSV", () => {
  const importCsv = (table: ShownTable, csv: string, query = "") =>
    send("POST", `/tables/${table.id}/csv${query}`, csv, { headers: { "content-type": "text/csv" } });

  // Proves tables.csv
  it("goes in and comes out with the same values", async () => {
    const table = await newTable();
    const csv = 'orders,email,since,active,more\r\n1.5,"a ""b"", c\n",2026-01-31,TRUE,"[1,null]"\r\n,"",,,\r\n';
    expect((await importCsv(table, csv)).data).toEqual({ inserted: 2, updated: 0 });
    expect(await rowsOf(table)).toMatchObject([
      { orders: 1.5, email: 'a "b", c\n', since: "2026-01-31T00:00:00.000Z", active: true, more: [1, null] },
      { orders: null, email: "", since: null, active: null, more: null },
    ]);
    const out = await get(`/tables/${table.id}/csv`);
    expect(out.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(out.headers.get("content-disposition")).toMatch(/^attachment; filename="table-\d+\.csv"$/);
    const copy = await newTable();
    expect((await importCsv(copy, out.text)).data).toEqual({ inserted: 2, updated: 0 });
    const values = ({ id: _, createdAt, updatedAt, ...row }: Row) => row;
    expect((await rowsOf(copy)).map(values)).toEqual((await rowsOf(table)).map(values));
  });

  it("is read in the charset of its type, and refused in another one", async () => {
    const table = await newTable();
    const body = new Uint8Array([...Buffer.from("email\nzo"), 0xeb]);
    const sendAs = (type: string) =>
      send("POST", `/tables/${table.id}/csv`, body, { headers: { "content-type": type } });
    expectRefusal(await sendAs("text/csv"), 400, "VALIDATION_ERROR");
    expect((await sendAs("text/csv; charset=windows-1252")).status).toBe(200);
    expect(await rowsOf(table)).toMatchObject([{ email: "zoë" }]);
  });

  it("changes rows that are there, by a unique column", async () => {
    const table = await newTable();
    await insert(table, { email: "a", orders: 1, active: true });
    expect((await importCsv(table, "email,orders\na,2\nb,3\n", "?key=email")).data).toEqual({
      inserted: 1,
      updated: 1,
    });
    expect(await rowsOf(table)).toMatchObject([
      { email: "a", orders: 2, active: true },
      { email: "b", orders: 3 },
    ]);
  });

  it.each([
    ["body", ""],
    ["line 1", "nothing\n1"],
    ["line 1", "email,email\na,b"],
    ["line 3", "email,orders\na,1\nb"],
    ["line 2.orders", "email,orders\na,1e"],
    ["line 2.more", "email,more\na,{"],
    ["body", 'email\n"a'],
    ["body", new Uint8Array([0xff, 0xfe])],
  ])("is refused at %s, and nothing is written", async (field, csv) => {
    const table = await newTable();
    const headers = { "content-type": "text/csv" };
    expectInvalid(await send("POST", `/tables/${table.id}/csv`, csv, { headers }), field);
    expect(await rowsOf(table)).toEqual([]);
  });

  it("larger than a body may be is refused", async () => {
    const table = await newTable();
    expectRefusal(await importCsv(table, "email\n".repeat(200_000)), 413, "PAYLOAD_TOO_LARGE");
  });

  it("of many rows goes in within one request", async () => {
    const table = await newTable();
    const lines = Array.from({ length: 20_000 }, (_, n) => `user-${n}@example.com,${n}`);
    expect((await importCsv(table, ["email,orders", ...lines].join("\n"))).data).toEqual({
      inserted: 20_000,
      updated: 0,
    });
    expect((await get(`/tables/${table.id}/csv`)).text.split("\r\n")).toHaveLength(20_002);
  });
});

describe("the table node", () => {
  // Proves tables.node
  it("writes and finds rows", async () => {
    const table = await newTable();
    const ended = await run(
      [
        node("put", "table", {
          action: "upsert",
          table: table.name,
          key: "email",
          row: { email: "{{ $trigger.body.email }}" },
        }),
        node("count", "table", {
          action: "increment",
          table: table.id,
          where: { email: "ada" },
          column: "orders",
          by: 2,
        }),
        node("find", "table", { table: table.name, where: { orders: { gt: 1 } } }),
      ],
      [
        { source: "put", target: "count" },
        { source: "count", target: "find" },
      ],
      { email: "ada" },
    );
    expect(ended).toMatchObject({
      status: "completed",
      output: { row: { email: "ada", orders: 2, version: 2 }, count: 1 },
    });
    expect(await rowsOf(table)).toMatchObject([{ email: "ada", orders: 2 }]);
  });

  it("fails with what is wrong", async () => {
    const ended = await run([node("find", "table", { table: "nothing" })]);
    expect(ended.error).toMatchObject({ code: "TABLE_NOT_FOUND", nodeId: "find" });
  });

  it("reaches no table of another workspace", async () => {
    const table = await newTable();
    const theirs = await newTenant("Others");
    for (const named of [table.id, table.name]) {
      const flow = {
        name: "x",
        trigger: { type: "manual" },
        nodes: [node("t", "table", { action: "count", table: named })],
      };
      const { data } = await post<{ id: string }>("/flows", flow, { key: theirs.key });
      const ended = await post<{ error: { code: string } }>(
        `/flows/${data.id}/execute`,
        { async: false },
        { key: theirs.key },
      );
      expect(ended.data.error.code).toBe("TABLE_NOT_FOUND");
    }
  });

  // Proves tables.node-secrets
  it("writes no secret into a table", async () => {
    const table = await newTable();
    const value = randomUUID();
    const credential = { name: `s${randomUUID().replaceAll("-", "")}`, type: "secret", data: { value } };
    expect((await post("/credentials", credential)).status).toBe(201);
    const row = { email: `{{ "<" + $credentials.${credential.name} + ">" }}` };
    await run([node("put", "table", { action: "insert", table: table.id, row })]);
    expect(await rowsOf(table)).toMatchObject([{ email: "<•••>" }]);
  });
});
