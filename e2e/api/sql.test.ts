// Flows that work on a real PostgreSQL, a real MariaDB, SQLite, and a SQL Server of ours, by credentials of the workspace.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { post } from "#e2e/support/api-client.ts";
import { createFlow, execute, node, outputOf } from "#e2e/support/flows.ts";
import { startMariaDb } from "#e2e/support/mariadb.ts";
import { inOwnWorkspace } from "#e2e/support/own-workspace.ts";
import { freePort } from "#e2e/support/server.ts";
import { openTdsServer } from "#e2e/support/tds/server.ts";
import { columns, done, doneInProcedure, failure, row } from "#e2e/support/tds/tokens.ts";
import { createTestDatabase } from "#e2e/support/test-database.ts";

inOwnWorkspace("Databases");

const mariaDb = await startMariaDb();
let database: URL;

const local = { security: "none", host: "127.0.0.1" };

async function credential(name: string, type: string, data: object): Promise<void> {
  const answer = await post("/credentials", { name, type, data });
  expect(answer.status, answer.text).toBe(201);
}
beforeAll(async () => {
  database = new URL((await createTestDatabase({ empty: true })).url);
  const { port, username, password, pathname } = database;
  const account = { ...local, port: Number(port), username, password: decodeURIComponent(password) };
  await credential("postgresShop", "postgres", { ...account, database: pathname.slice(1) });
  await credential("sqliteShop", "sqlite", { file: "shops/one.db", access: "create" });
  if (mariaDb === null) return;
  const { port: mariaDbPort, database: mariaDbName, username: name, password: mariaDbPassword } = mariaDb;
  await credential("mysqlShop", "mysql", {
    ...local,
    port: mariaDbPort,
    database: mariaDbName,
    username: name,
    password: mariaDbPassword,
  });
});
afterAll(async () => {
  await mariaDb?.stop();
});

const sql = (id: string, kind: string, query: string, overrides: object = {}) =>
  node(id, "sql", { credential: `${kind}Shop`, query, ...overrides });
const numbers = "WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s)";
const fifty: Readonly<Record<string, string>> = {
  postgres: "SELECT * FROM generate_series(1, 50) AS s(n)",
  mysql: "SELECT seq FROM seq_1_to_50",
  sqlite: `${numbers} SELECT n FROM s LIMIT 50`,
};
const endless: Readonly<Record<string, string>> = {
  postgres: "SELECT pg_sleep(60)",
  mysql: "SELECT sleep(60)",
  sqlite: `${numbers} SELECT count(*) FROM s`,
};
const evil = "Robert'); DROP TABLE pupil; --";

describe.each(["postgres", "mysql", "sqlite"])("%s", (kind) => {
  // Proves nodes.sql
  test.skipIf(kind === "mysql" && mariaDb === null)(
    "a call's values become rows, whatever is in them, and rows the answer",
    async () => {
      const flow = await createFlow({
        nodes: [
          sql("make", kind, "CREATE TABLE IF NOT EXISTS pupil (id int PRIMARY KEY, name varchar(200))", {
            mode: "exec",
          }),
          sql("put", kind, "INSERT INTO pupil (id, name) VALUES (:id, :name)", {
            mode: "exec",
            parameters: { id: "{{ $trigger.body.id }}", name: "{{ $trigger.body.name }}" },
          }),
          sql("one", kind, "SELECT id, name FROM pupil WHERE name = :name", {
            mode: "one",
            parameters: { name: "{{ $trigger.body.name }}" },
          }),
          sql("all", kind, "SELECT id FROM pupil ORDER BY id"),
        ],
        edges: [
          { source: "make", target: "put" },
          { source: "put", target: "one" },
          { source: "one", target: "all" },
        ],
      });
      const run = await execute(flow.id, { id: 1, name: evil });
      expect(run.status).toBe("completed");
      expect(outputOf(run, "put")).toMatchObject({ rows: [], rowCount: 1 });
      expect(outputOf(run, "one")).toMatchObject({ row: { id: 1, name: evil }, rowCount: 1 });
      expect(outputOf(run, "all")).toEqual({ rows: [{ id: 1 }], rowCount: 1 });
      const again = await execute(flow.id, { id: 1, name: "twice" });
      expect(again.error).toMatchObject({ code: "SQL_FAILED", nodeId: "put" });
    },
  );

  test.skipIf(kind === "mysql" && mariaDb === null)(
    "too many rows, a missing value and an endless statement fail by name",
    async () => {
      const many = fifty[kind] ?? "";
      const sleep = endless[kind] ?? "";
      for (const [query, overrides, code] of [
        [many, { rowsMax: 49 }, "SQL_TOO_MANY_ROWS"],
        [many, { mode: "one" }, "SQL_NOT_ONE"],
        ["SELECT :name", {}, "SQL_PARAMETER"],
        ["SELECT 1", { parameters: { name: 1 } }, "SQL_PARAMETER"],
        [sleep, { timeout: 200 }, "TIMEOUT"],
      ] as const) {
        const flow = await createFlow({ nodes: [sql("query", kind, query, overrides)] });
        expect([query, (await execute(flow.id, {})).error]).toMatchObject([query, { code, nodeId: "query" }]);
      }
    },
  );
});

// Proves nodes.sql
test("a SQL Server is sent a call's values apart from the text, and its rows are the answer", async () => {
  const account = { username: "shop", password: "open-sesame", database: "shop" };
  const server = await openTdsServer({
    account,
    answer: ({ text, values }) => {
      if (text.startsWith("INSERT")) return Buffer.concat([doneInProcedure(1), done()]);
      if (text.startsWith("WAIT")) return undefined;
      if (text.startsWith("WRONG")) return Buffer.concat([failure(102, "Incorrect syntax near 'WRONG'."), done()]);
      const [name = null] = values;
      const head = columns(["id", "int"], ["name", "nvarchar"], ["total", "decimal"]);
      return Buffer.concat([
        head,
        row(["int", 1], ["nvarchar", name], ["decimal", 125_000_000_000n]),
        doneInProcedure(1),
        done(),
      ]);
    },
  });
  onTestFinished(() => server.close());
  await credential("mssqlShop", "mssql", { ...local, ...account, port: server.port });
  const name = { parameters: { name: "{{ $trigger.body.name }}" } };
  const flow = await createFlow({
    nodes: [
      sql("put", "mssql", "INSERT INTO pupil (name) VALUES (:name)", { mode: "exec", ...name }),
      sql("one", "mssql", "SELECT id, name FROM [pupil:a] WHERE name = :name", { mode: "one", ...name }),
    ],
    edges: [{ source: "put", target: "one" }],
  });
  for (const given of [evil, "a\u0000b", "\ud800", "ä\u{1f600}"]) {
    const run = await execute(flow.id, { name: given });
    expect([given, run.status]).toEqual([given, "completed"]);
    expect(outputOf(run, "put")).toMatchObject({ rows: [], rowCount: 1 });
    expect(outputOf(run, "one")).toMatchObject({ row: { id: 1 }, rowCount: 1 });
  }
  expect(outputOf(await execute(flow.id, { name: evil }), "one")).toMatchObject({
    row: { name: evil, total: "12.5000000000" },
  });
  const [put, select] = server.statements;
  expect([put?.text, select?.text]).toEqual([
    "INSERT INTO pupil (name) VALUES (@p1)",
    "SELECT id, name FROM [pupil:a] WHERE name = @p1",
  ]);
  await credential("mssqlWrong", "mssql", { ...local, ...account, password: "no-sesame", port: server.port });
  for (const [credential, query, code] of [
    ["mssqlShop", "WRONG", "SQL_FAILED"],
    ["mssqlShop", "WAITFOR DELAY '1:00'", "TIMEOUT"],
    ["mssqlWrong", "SELECT 1", "SQL_SIGN_IN"],
  ]) {
    const failing = await createFlow({ nodes: [node("query", "sql", { credential, query, timeout: 2_000 })] });
    const run = await execute(failing.id, {});
    expect(run.error).toMatchObject({ code, nodeId: "query" });
    expect(JSON.stringify(run)).not.toContain("sesame");
  }
});

test("what is no text of the database's fails the node, and the next run is none the worse", async () => {
  const flow = await createFlow({
    nodes: [
      sql("query", "postgres", "SELECT :value::text AS value", { parameters: { value: "{{ $trigger.body.value }}" } }),
    ],
  });
  const run = await execute(flow.id, { value: "a\u0000b" });
  expect([run.status, run.error?.code]).toEqual(["failed", "SQL_FAILED"]);
  expect(outputOf(await execute(flow.id, { value: "ä\u{1f600}" }), "query")).toMatchObject({
    rows: [{ value: "ä\u{1f600}" }],
  });
});

// Proves nodes.sql
test("a SQLite file is its workspace's own, and no other file is reached", async () => {
  for (const file of ["../x.db", "/etc/passwd", "a/../../x.db", "a\\b", "a\u0000b", ".x", "x.db-wal", ""]) {
    const answer = await post("/credentials", { name: "wrong", type: "sqlite", data: { file } });
    expect([file, answer.status]).toEqual([file, 400]);
  }
  await credential("missing", "sqlite", { file: "missing.db" });
  const missing = await createFlow({ nodes: [node("query", "sql", { credential: "missing", query: "SELECT 1" })] });
  expect((await execute(missing.id, {})).error).toMatchObject({ code: "SQL_FILE" });
  const attach = await createFlow({ nodes: [sql("query", "sqlite", "ATTACH 'x.db' AS x", { mode: "exec" })] });
  expect((await execute(attach.id, {})).error).toMatchObject({ code: "SQL_FAILED" });
  const text = await createFlow({
    nodes: [sql("query", "sqlite", "SELECT :v AS v", { parameters: { v: "{{ $trigger.body.v }}" } })],
  });
  expect((await execute(text.id, { v: "a\u0000b" })).error).toMatchObject({ code: "SQL_FAILED" });
  const run = await execute(text.id, { v: "pragma \u{1f600}" });
  expect(outputOf(run, "query")).toMatchObject({ rows: [{ v: "pragma \u{1f600}" }] });
});

test("the password shows in no run, and a wrong one is distinguished from an unavailable server", async () => {
  const { port, username, pathname } = database;
  const account = { ...local, port: Number(port), username, database: pathname.slice(1) };
  await credential("away", "postgres", { ...account, port: await freePort(), password: "open-sesame" });
  await credential("unknown", "postgres", { ...account, username: "nobody", password: "open-sesame" });
  const codes: (string | undefined)[] = [];
  for (const name of ["away", "unknown"]) {
    const flow = await createFlow({ nodes: [node("query", "sql", { credential: name, query: "SELECT 1" })] });
    const run = await execute(flow.id, {});
    expect(JSON.stringify(run)).not.toContain("open-sesame");
    codes.push(run.error?.code);
  }
  expect(codes).toEqual(["CONNECT_FAILED", "SQL_SIGN_IN"]);
});
