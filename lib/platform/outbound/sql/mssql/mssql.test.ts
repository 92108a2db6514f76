// Statements against our own server that speaks SQL Server's protocol: Microsoft's does not run where the tests do.
import { expect, onTestFinished, test } from "vitest";
import { testCertificate } from "#e2e/support/certificates.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { openTdsServer, type TdsServer } from "#e2e/support/tds/server.ts";
import { columns, done, doneInProcedure, failure, loginAck, routing, row } from "#e2e/support/tds/tokens.ts";
import { createOutbound, type Outbound, type OutboundOptions } from "../../outbound.ts";
import type { SqlServer, SqlStatement, SqlValue } from "../sql-server.ts";

const certificate = testCertificate();
const account = { username: "shop", password: "Pass-wörd", database: "orders" };

async function served(options: Partial<Parameters<typeof openTdsServer>[0]> = {}): Promise<TdsServer> {
  const server = await openTdsServer({ answer: () => done(), account, ...options });
  onTestFinished(() => server.close());
  return server;
}
function open(options: Partial<OutboundOptions> = {}): Outbound {
  const outbound = createOutbound({ allow: "127.0.0.1,localhost", ...options });
  onTestFinished(() => outbound.close());
  return outbound;
}
const at = ({ port }: { readonly port: number }, overrides: Partial<SqlServer> = {}): SqlServer => ({
  ...{ kind: "mssql", host: "127.0.0.1", port, ...account, security: "none", ...overrides },
});
const statement = (text: string, ...values: SqlValue[]): SqlStatement => ({
  ...{ text, values, rowsMax: 1_000, bytesMax: 5_242_880 },
});
const limits = (timeoutMs = 20_000) => ({ workspaceId: "own", timeoutMs, signal: new AbortController().signal });
const singleRow = Buffer.concat([columns(["n", "int"]), row(["int", 1]), doneInProcedure(1), done()]);

test("values are sent separately from the text, whatever they contain", async () => {
  const server = await served();
  const evil = "x'); DROP TABLE person; --";
  const values = [evil, 7, -3_000_000_000, 0.5, true, null, "a\u0000b\ud800c\u{1f600}", "ä".repeat(4_001), ""];
  await open().query(at(server), statement("INSERT INTO t VALUES (@p1, @p2)", ...values), limits());
  expect(server.statements).toEqual([
    {
      text: "INSERT INTO t VALUES (@p1, @p2)",
      declared:
        "@p1 nvarchar(4000), @p2 int, @p3 bigint, @p4 float, @p5 bit, @p6 nvarchar(4000), @p7 nvarchar(4000), " +
        "@p8 nvarchar(max), @p9 nvarchar(4000)",
      values,
    },
  ]);
});

test("every type is returned as JSON, without losing digits", async () => {
  const answer = Buffer.concat([
    columns(
      ...([
        ["i", "int"],
        ["b", "bigint"],
        ["big", "bigint"],
        ["ok", "bit"],
        ["f", "float"],
        ["d", "decimal"],
        ["m", "money"],
        ["day", "date"],
        ["at", "datetime2"],
        ["time", "time"],
        ["zoned", "datetimeoffset"],
        ["old", "datetime"],
        ["id", "guid"],
        ["bytes", "varbinary"],
        ["text", "nvarchar"],
        ["long", "nvarcharMax"],
        ["", "int"],
      ] as const),
    ),
    row(
      ["int", -7],
      ["bigint", 42n],
      ["bigint", 9_007_199_254_740_993n],
      ["bit", true],
      ["float", 0.1],
      ["decimal", -123_456_789_012_345_678_901_234_567_890n],
      ["money", -9_223_372_036_854_775_808n],
      ["date", "2026-02-28"],
      ["datetime2", ["2026-02-28", 360_000_000_001n]],
      ["time", 863_999_999_999n],
      ["datetimeoffset", ["2026-02-28", 360_000_000_000n, 120]],
      ["datetime", [0, 100]],
      ["guid", Buffer.from("00112233445566778899aabbccddeeff", "hex")],
      ["varbinary", Buffer.from([0, 255])],
      ["nvarchar", "a\u0000\ud800"],
      ["nvarcharMax", "€".repeat(10_000)],
      ["int", 5],
    ),
    row(
      ...(["int", "bigint", "bigint", "bit", "float", "decimal", "money", "date", "datetime2", "time"] as const).map(
        (type) => [type, null] as const,
      ),
      ...(["datetimeoffset", "datetime", "guid", "varbinary", "nvarchar", "nvarcharMax", "int"] as const).map(
        (type) => [type, null] as const,
      ),
    ),
    doneInProcedure(2),
    done(),
  ]);
  const server = await served({ answer: () => answer });
  const { rows, rowCount } = await open().query(at(server), statement("SELECT * FROM t"), limits());
  expect(rowCount).toBe(2);
  expect(rows[0]).toEqual({
    i: -7,
    b: 42,
    big: "9007199254740993",
    ok: true,
    f: 0.1,
    d: "-12345678901234567890.1234567890",
    m: "-922337203685477.5808",
    day: "2026-02-28",
    at: "2026-02-28 10:00:00.0000001",
    time: "23:59:59.9999999",
    zoned: "2026-02-28T10:00:00.000Z",
    old: "1900-01-01 00:00:00.333",
    id: "33221100-5544-7766-8899-AABBCCDDEEFF",
    bytes: "AP8=",
    text: "a\u0000\ud800",
    long: "€".repeat(10_000),
    column17: 5,
  });
  expect(new Set(Object.values(rows[1] ?? {}))).toEqual(new Set([null]));
});

test("changes return the number of rows, and the first of several results is returned", async () => {
  const several = Buffer.concat([
    singleRow.subarray(0, -13),
    columns(["m", "int"]),
    row(["int", 2]),
    doneInProcedure(1),
    done(),
  ]);
  const server = await served({
    answer: ({ text }) => (text === "UPDATE" ? Buffer.concat([doneInProcedure(7), done()]) : several),
  });
  const outbound = open();
  const query = (text: string) => outbound.query(at(server), statement(text), limits());
  expect(await query("UPDATE")).toEqual({ rows: [], rowCount: 7 });
  expect(await query("SELECT")).toEqual({ rows: [{ n: 1 }], rowCount: 1 });
});

test("a refusal is reported with the server's error number, and the connection is reset and reused", async () => {
  const refusal = Buffer.concat([failure(208, "Invalid object name 'nowhere'."), failure(3_621, "Ended."), done()]);
  const server = await served({ answer: ({ text }) => (text === "SELECT 1" ? singleRow : refusal) });
  const outbound = open();
  await expect(outbound.query(at(server), statement("SELECT * FROM nowhere"), limits())).rejects.toMatchObject({
    name: "SqlRefused",
    code: "SQL_FAILED",
    message: "Invalid object name 'nowhere'. (error 208)",
  });
  await eventually("it is reset", () => [...server.connections].some(({ resets }) => resets === 1) || undefined);
  expect((await outbound.query(at(server), statement("SELECT 1"), limits())).rows).toEqual([{ n: 1 }]);
  expect(server.logins).toEqual([account]);
});

test("a wrong password and a missing database are reported with the server's message", async () => {
  const server = await served();
  const query = (overrides: Partial<SqlServer>) => open().query(at(server, overrides), statement("SELECT 1"), limits());
  const refused = { name: "SqlRefused", code: "SQL_SIGN_IN", message: "Login failed for user 'shop'." };
  await expect(query({ password: "wrong" })).rejects.toMatchObject(refused);
  await expect(query({ database: "nowhere" })).rejects.toMatchObject({
    code: "SQL_SIGN_IN",
    message: expect.stringContaining('Cannot open database "nowhere"'),
  });
  await eventually("the connections are closed", () => server.connections.size === 0 || undefined);
});

test("many statements at once share four connections", async () => {
  const server = await served({ answer: () => singleRow });
  const outbound = open();
  const all = Array.from({ length: 20 }, () => outbound.query(at(server), statement("SELECT 1"), limits()));
  expect((await Promise.all(all)).every(({ rows }) => rows[0]?.n === 1)).toBe(true);
  expect(server.logins.length).toBeLessThanOrEqual(4);
});

test("no blocked address is connected to, nor one that a name resolves to later", async () => {
  const server = await served();
  for (const host of ["127.0.0.1", "localhost", "[::1]", "169.254.169.254", "10.0.0.1"]) {
    const failed = open({ allow: "" }).query(at(server, { host }), statement("SELECT 1"), limits());
    await expect(failed).rejects.toMatchObject({ code: "BLOCKED_ADDRESS" });
  }
  const answers = [["127.0.0.1"], ["10.0.0.1"]];
  let lookups = 0;
  const outbound = open({ allow: "127.0.0.1", resolve: async () => answers[lookups++] ?? [] });
  const query = (database: string) =>
    outbound.query(at(server, { host: "rebind.test", database }), statement("SELECT 1"), limits());
  await query(account.database);
  await expect(query("other")).rejects.toMatchObject({ code: "BLOCKED_ADDRESS" });
  expect(server.logins).toHaveLength(1);
});

test("a server's redirect to another server is not followed", async () => {
  const other = await served();
  const server = await served({ login: () => Buffer.concat([routing("127.0.0.1", other.port), loginAck()]) });
  await expect(open().query(at(server), statement("SELECT 1"), limits())).rejects.toMatchObject({
    code: "CONNECT_FAILED",
    message: expect.stringContaining("sends its clients to another address"),
  });
  expect(other.logins).toEqual([]);
});

test.skipIf(certificate === null)(
  "no password goes to a server without TLS or with another's certificate, where TLS is asked for",
  async () => {
    const { ca, cert, key } = certificate ?? { ca: "", cert: "", key: "" };
    const plain = await served();
    const secure = await served({ secure: { cert, key }, answer: () => singleRow });
    const query = (server: TdsServer, overrides: Partial<SqlServer>) =>
      open().query(at(server, { security: "tls", ...overrides }), statement("SELECT 1 AS n"), limits());
    await expect(query(plain, {})).rejects.toMatchObject({ code: "TLS" });
    await expect(query(plain, { security: "unverified" })).rejects.toMatchObject({ code: "TLS" });
    await expect(query(secure, { host: "localhost" })).rejects.toMatchObject({ code: "TLS" });
    await expect(query(secure, { host: "127.0.0.1", ca })).rejects.toMatchObject({ code: "TLS" });
    await expect(query(secure, { security: "none" })).rejects.toMatchObject({ code: "TLS" });
    expect([...plain.logins, ...secure.logins]).toEqual([]);
    expect((await query(secure, { host: "localhost", ca })).rows).toEqual([{ n: 1 }]);
    expect((await query(secure, { security: "unverified" })).rows).toEqual([{ n: 1 }]);
    expect(secure.logins).toEqual([account, account]);
  },
);
