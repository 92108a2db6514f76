// A hostile server that speaks SQL Server's protocol.
import type { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "#e2e/support/eventually.ts";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { openSocketServer, seededNumbers } from "#e2e/support/socket-server.ts";
import { openTdsServer, type TdsAnswer, type TdsServer } from "#e2e/support/tds/server.ts";
import { columns, done, doneInProcedure, failure, loginAck, nullRow, row } from "#e2e/support/tds/tokens.ts";
import { createOutbound, type Outbound } from "../../outbound.ts";
import type { SqlServer, SqlStatement } from "../sql-server.ts";

async function served(answer: TdsAnswer): Promise<TdsServer> {
  const server = await openTdsServer({ answer });
  onTestFinished(() => server.close());
  return server;
}
function open(): Outbound {
  const outbound = createOutbound({ allow: "127.0.0.1" });
  onTestFinished(() => outbound.close());
  return outbound;
}
const at = ({ port }: { readonly port: number }, database = "d"): SqlServer => ({
  ...{ kind: "mssql", host: "127.0.0.1", port, database, username: "u", password: "pass", security: "none" },
});
const statement = (overrides: Partial<SqlStatement> = {}): SqlStatement => ({
  ...{ text: "SELECT n, t FROM t", values: [], rowsMax: 10_000, bytesMax: 5_242_880, ...overrides },
});
const limits = (timeoutMs = 20_000, signal = new AbortController().signal) => ({
  workspaceId: "own",
  timeoutMs,
  signal,
});

const head = columns(["n", "int"], ["t", "nvarchar"]);
const numbers = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => row(["int", from + n], ["nvarchar", "x".repeat(20)]));
const table = (count: number) => Buffer.concat([head, ...numbers(count), doneInProcedure(count), done()]);
const singleRow = Buffer.concat([columns(["n", "int"]), row(["int", 1]), doneInProcedure(1), done()]);

test("an answer at the limit is complete, and one beyond it ends the statement", async () => {
  const server = await served(({ text }) => (text === "SELECT 1" ? singleRow : table(Number(text))));
  const outbound = open();
  const query = (text: string, overrides: Partial<SqlStatement>) =>
    outbound.query(at(server), statement({ text, ...overrides }), limits());
  expect((await query("100", { rowsMax: 100 })).rows).toHaveLength(100);
  await expect(query("101", { rowsMax: 100 })).rejects.toMatchObject({ code: "SQL_TOO_MANY_ROWS" });
  const bytes = table(1_000).length;
  expect((await query("1000", { bytesMax: 1.1 * bytes })).rows).toHaveLength(1_000);
  await expect(query("1000", { bytesMax: 0.9 * bytes })).rejects.toMatchObject({ code: "SQL_TOO_LARGE" });
  expect((await query("SELECT 1", {})).rows).toEqual([{ n: 1 }]);
});

test("the maximum number of rows does not block the event loop", async () => {
  const answer = table(30_000);
  const server = await served(() => answer);
  const outbound = open();
  // The driver is loaded by the first statement.
  await outbound.query(at(server), statement({ rowsMax: 100_000 }), limits());
  let count = 0;
  const longest = await longestTurn(async () => {
    count = (await outbound.query(at(server), statement({ rowsMax: 100_000 }), limits())).rows.length;
  });
  expect(count).toBe(30_000);
  expect(longest).toBeLessThan(100);
});

test.each<[string, TdsAnswer]>([
  ["rows", (_, connection) => void connection.flood(() => Buffer.concat(numbers(100)))],
  ["one value", (_, connection) => void connection.flood(() => Buffer.alloc(65_536))],
])("an answer of %s without an end is ended by its bytes, in little memory", async (_title, flood) => {
  const server = await served((request, connection) => {
    connection.send(_title === "rows" ? head : endlessValue(), false);
    return flood(request, connection);
  });
  const before = process.memoryUsage().rss;
  const failed = open().query(at(server), statement({ rowsMax: 100_000_000 }), limits());
  await expect(failed).rejects.toMatchObject({ code: "SQL_TOO_LARGE" });
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1_048_576);
  await eventually("the connection is closed", () => server.connections.size === 0 || undefined);
});

/** A column of unlimited length, and the start of a value; its chunks follow. */
function endlessValue(): Buffer {
  const start = Buffer.from([0xd1, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0x7f]);
  return Buffer.concat([columns(["long", "nvarcharMax"]), start]);
}

test("rows without bytes and endless messages are stopped by their total cost", async () => {
  const many = columns(...Array.from({ length: 4_000 }, (_, n) => [`c${n}`, "int"] as const));
  const nulls = Buffer.concat([many, ...Array.from({ length: 5_000 }, () => nullRow(4_000)), done()]);
  const errors = Buffer.concat([...Array.from({ length: 100_000 }, () => failure(1, "")), done()]);
  const wide = columns(...Array.from({ length: 5_000 }, () => ["c", "int"] as const));
  const answers: Readonly<Record<string, Buffer>> = {
    one: singleRow,
    nulls,
    errors,
    wide: Buffer.concat([wide, done()]),
  };
  const server = await served(({ text }) => answers[text] ?? singleRow);
  const outbound = open();
  await outbound.query(at(server), statement({ text: "one" }), limits());
  for (const text of ["nulls", "errors", "wide"]) {
    const longest = await longestTurn(async () => {
      const failed = outbound.query(at(server), statement({ text }), limits());
      await expect(failed, text).rejects.toMatchObject({ code: "SQL_TOO_LARGE" });
    });
    expect([text, longest < 100 ? "in turns" : longest]).toEqual([text, "in turns"]);
  }
});

test("a server that stalls mid-rows is abandoned at the deadline, and leaves nothing", async () => {
  const stalled: TdsAnswer = (_, connection) => void connection.send(Buffer.concat([head, ...numbers(500)]), false);
  const server = await served(stalled);
  const outbound = open();
  const [first, ...others] = await Promise.all(
    Array.from({ length: 6 }, () =>
      outbound.query(at(server), statement(), limits(1_500)).catch((error: unknown) => error),
    ),
  );
  for (const failure of [first, ...others]) expect(failure).toMatchObject({ name: "OutboundError", code: "TIMEOUT" });
  await eventually("every connection is closed", () => server.connections.size === 0 || undefined);
  const controller = new AbortController();
  const cancelled = outbound.query(at(server), statement(), limits(20_000, controller.signal));
  const before = server.statements.length;
  await eventually("a statement has come", () => server.statements.length > before || undefined);
  controller.abort();
  await expect(cancelled).rejects.toMatchObject({ code: "ABORTED" });
  await eventually("it is closed", () => server.connections.size === 0 || undefined);
});

test("a reset mid-answer fails that statement, and the next one reconnects", async () => {
  let isFirst = true;
  const server = await served((_, connection) => {
    if (!isFirst) return singleRow;
    isFirst = false;
    connection.send(Buffer.concat([head, ...numbers(10)]), false);
    connection.socket.resetAndDestroy();
    return undefined;
  });
  const outbound = open();
  await expect(outbound.query(at(server), statement(), limits())).rejects.toMatchObject({ code: "RESET" });
  expect((await outbound.query(at(server), statement(), limits())).rows).toEqual([{ n: 1 }]);
});

test("servers that close, stay silent, send too much or send garbage fail in time", async () => {
  const prelogin = Buffer.concat([Buffer.from([4, 0, 0x10, 0, 0, 0, 1, 0]), Buffer.alloc(4_088)]);
  const responses: [(socket: Socket) => void, string | RegExp, number][] = [
    [(socket) => socket.destroy(), "RESET", 20_000],
    [() => {}, "TIMEOUT", 700],
    [(socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"), /RESET|BAD_RESPONSE/, 20_000],
    [(socket) => socket.end(Buffer.from([4, 1, 0, 2, 0, 0, 1, 0])), /RESET|BAD_RESPONSE/, 20_000],
    [
      function flood(socket) {
        while (!socket.destroyed && socket.write(prelogin));
        socket.once("drain", () => flood(socket));
      },
      "BAD_RESPONSE",
      20_000,
    ],
  ];
  for (const [talk, code, timeoutMs] of responses) {
    const failed = open().query(at({ port: await openSocketServer(talk) }), statement(), limits(timeoutMs));
    await expect(failed).rejects.toMatchObject({
      code: typeof code === "string" ? code : expect.stringMatching(code),
    });
  }
});

test("whatever a server sends, the statement fails and the process survives", async () => {
  const chance = seededNumbers(7);
  const kinds = [
    0x79, 0x81, 0xa4, 0xa5, 0xa9, 0xaa, 0xab, 0xac, 0xad, 0xae, 0xd1, 0xd2, 0xe3, 0xed, 0xee, 0xfd, 0xfe, 0xff,
  ];
  const randomBytes = () => Buffer.from(Array.from({ length: chance() % 40 }, () => chance() & 255));
  const token = () => Buffer.concat([Buffer.from([kinds[chance() % kinds.length] ?? 0]), randomBytes()]);
  const randomToken = () => [head, ...numbers(3), failure(1, "no"), done(), loginAck()][chance() % 7] ?? done();
  const tokens = () => Buffer.concat(Array.from({ length: 8 }, () => (chance() % 2 === 0 ? randomToken() : token())));
  const server = await openTdsServer({
    login: () => (chance() % 3 === 0 ? tokens() : loginAck()),
    answer: (_, connection) => {
      const response = tokens();
      if (chance() % 4 === 0) connection.write(response);
      else connection.send(response, chance() % 3 !== 0);
      if (chance() % 2 === 0) connection.socket.end();
      return undefined;
    },
  });
  onTestFinished(() => server.close());
  const outbound = open();
  const failures = await Promise.all(
    Array.from({ length: 300 }, (_, n) =>
      outbound.query(at(server, `d${n % 50}`), statement(), limits(4_000)).catch((error: unknown) => error),
    ),
  );
  const codes = new Set(failures.map((failure) => (failure as { code?: string }).code ?? "answered"));
  const expected = ["RESET", "TIMEOUT", "BAD_RESPONSE", "CONNECT_FAILED", "SQL_FAILED", "SQL_SIGN_IN", "answered"];
  for (const code of codes) expect([...expected, "SQL_TOO_LARGE"]).toContain(code);
});
