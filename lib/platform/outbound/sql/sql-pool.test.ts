// Statements against a real PostgreSQL and a real MariaDB, and against hostile servers.
import { connect, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "#e2e/support/eventually.ts";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { type MariaDb, startMariaDb } from "#e2e/support/mariadb.ts";
import { openSocketServer, seededNumbers } from "#e2e/support/socket-server.ts";
import { createTestDatabase, type TestDatabase } from "#e2e/support/test-database.ts";
import { createOutbound, type Outbound } from "../outbound.ts";
import type { SqlServer, SqlStatement } from "./sql-server.ts";

let own: TestDatabase;
const mariaDb: MariaDb | null = await startMariaDb();
const servers = new Map<SqlServer["kind"], SqlServer>();

beforeAll(async () => {
  own = await createTestDatabase({ empty: true });
  const { hostname, port, username, password, pathname } = new URL(own.url);
  servers.set("postgres", {
    kind: "postgres",
    host: hostname || "127.0.0.1",
    port: Number(port),
    database: pathname.slice(1),
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    security: "none",
  });
  if (mariaDb !== null) {
    const { port: mariaDbPort, database, username: name, password: mariaDbPassword } = mariaDb;
    servers.set("mysql", {
      kind: "mysql",
      host: "127.0.0.1",
      port: mariaDbPort,
      database,
      username: name,
      password: mariaDbPassword,
      security: "none",
    });
  }
});
afterAll(async () => {
  await mariaDb?.stop();
  await own?.drop();
});

function open(allow = "127.0.0.1,localhost"): Outbound {
  const outbound = createOutbound({ allow });
  onTestFinished(() => outbound.close());
  return outbound;
}
const serverOf = (kind: SqlServer["kind"]) => servers.get(kind) as SqlServer;
const statement = (
  text: string,
  values: SqlStatement["values"] = [],
  overrides: Partial<SqlStatement> = {},
): SqlStatement => ({
  text,
  values,
  rowsMax: 10_000,
  bytesMax: 5_242_880,
  ...overrides,
});
const limits = (timeoutMs = 10_000, signal = new AbortController().signal) => ({
  workspaceId: "own",
  timeoutMs,
  signal,
});

const kinds = ["postgres", "mysql"] as const;
const place = (kind: SqlServer["kind"], number: number) => (kind === "postgres" ? `$${number}` : "?");
const sleep = { postgres: "SELECT pg_sleep(30)", mysql: "SELECT sleep(30)" };
const me = { postgres: "SELECT pg_backend_pid() AS id", mysql: "SELECT connection_id() AS id" };
const numbers = {
  postgres: (count: number) => `SELECT n, repeat('x', 100) AS t FROM generate_series(1, ${count}) AS s(n)`,
  mysql: (count: number) => `SELECT seq AS n, repeat('x', 100) AS t FROM seq_1_to_${count}`,
};

describe.each(kinds)("%s", (kind) => {
  const isMissing = () => kind === "mysql" && mariaDb === null;

  test.skipIf(isMissing())("values round-trip, and are never part of the text", async () => {
    const outbound = open();
    const run = (text: string, ...values: SqlStatement["values"]) =>
      outbound.query(serverOf(kind), statement(text, values), limits());
    await run("CREATE TABLE person (id int, name varchar(200), born date, at timestamp, big bigint, ok boolean)");
    onTestFinished(
      async () =>
        void (await createOutboundOnce((outbound) =>
          outbound.query(serverOf(kind), statement("DROP TABLE person"), limits()),
        )),
    );
    const evil = "x'); DROP TABLE person; --";
    const places = [1, 2, 3, 4, 5, 6].map((number) => place(kind, number)).join(", ");
    const inserted = await run(
      `INSERT INTO person VALUES (${places})`,
      1,
      evil,
      "2026-02-28",
      "2026-02-28 10:00:00",
      "9007199254740993",
      true,
    );
    expect(inserted).toMatchObject({ rows: [], rowCount: 1 });
    const { rows, rowCount } = await run(`SELECT * FROM person WHERE name = ${place(kind, 1)}`, evil);
    expect(rowCount).toBe(1);
    expect(rows).toEqual([
      {
        id: 1,
        name: evil,
        born: "2026-02-28",
        at: "2026-02-28 10:00:00",
        big: "9007199254740993",
        ok: kind === "postgres" ? true : 1,
      },
    ]);
    expect((await run("UPDATE person SET name = NULL")).rowCount).toBe(1);
    expect((await run("SELECT name FROM person")).rows).toEqual([{ name: null }]);
  });

  test.skipIf(isMissing())("a refused statement is reported, and the connection stays usable", async () => {
    const outbound = open();
    const query = (text: string, server = serverOf(kind)) => outbound.query(server, statement(text), limits());
    await expect(query("SELECT nothing FROM nowhere")).rejects.toMatchObject({
      name: "SqlRefused",
      code: "SQL_FAILED",
    });
    await expect(query("SELECT 1; SELECT 2")).rejects.toMatchObject({ code: "SQL_FAILED" });
    expect((await query("SELECT 1 AS n")).rows).toEqual([{ n: 1 }]);
    const wrong = { ...serverOf(kind), username: "nobody", password: "wrong-password" };
    await expect(query("SELECT 1", wrong)).rejects.toMatchObject({ code: "SQL_SIGN_IN" });
    await expect(query("SELECT 1", { ...serverOf(kind), database: "nowhere" })).rejects.toMatchObject({
      code: "SQL_SIGN_IN",
    });
  });

  test.skipIf(isMissing())(
    "connections are used again, with nothing of the last statement left, and four at most",
    async () => {
      const outbound = open();
      const query = (text: string) => outbound.query(serverOf(kind), statement(text), limits());
      const id = async () => (await query(me[kind])).rows[0]?.id;
      const first = await id();
      await query(kind === "postgres" ? "SET search_path = nowhere" : "SET @left = 1");
      const left = await query(kind === "postgres" ? "SHOW search_path" : "SELECT @left AS search_path");
      expect(String(left.rows[0]?.search_path)).not.toMatch(/nowhere|1/);
      const ids = await Promise.all(Array.from({ length: 20 }, id));
      expect(new Set(ids).size).toBeLessThanOrEqual(4);
      expect(ids).toContain(first);
    },
  );

  test.skipIf(isMissing())("an open transaction does not affect the next statement", async () => {
    const outbound = open();
    const query = (text: string) => outbound.query(serverOf(kind), statement(text), limits());
    await query("CREATE TABLE counted (n int)");
    for (const text of ["BEGIN", "INSERT INTO counted VALUES (1)"]) await query(text);
    expect((await query("SELECT count(*) AS n FROM counted")).rows).toEqual([{ n: 1 }]);
    await query("DROP TABLE counted");
  });

  test.skipIf(isMissing())("too many rows or bytes end the statement", async () => {
    const outbound = open();
    const query = (text: string, overrides: Partial<SqlStatement>) =>
      outbound.query(serverOf(kind), statement(text, [], overrides), limits(30_000));
    expect((await query(numbers[kind](100), { rowsMax: 100 })).rows).toHaveLength(100);
    await expect(query(numbers[kind](101), { rowsMax: 100 })).rejects.toMatchObject({ code: "SQL_TOO_MANY_ROWS" });
    await expect(query(numbers[kind](2_000_000), { rowsMax: 10_000_000 })).rejects.toMatchObject({
      code: "SQL_TOO_LARGE",
    });
    const huge = kind === "postgres" ? "SELECT repeat('x', 60000000)" : "SELECT repeat('x', 16000000)";
    const before = process.memoryUsage().rss;
    await expect(query(huge, {})).rejects.toMatchObject({ code: "SQL_TOO_LARGE" });
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1_048_576);
    expect((await query("SELECT 1 AS n", {})).rows).toEqual([{ n: 1 }]);
  });

  test.skipIf(isMissing())("the maximum number of rows does not block the event loop", async () => {
    const outbound = open();
    let count = 0;
    const longest = await longestTurn(async () => {
      count = (
        await outbound.query(serverOf(kind), statement(numbers[kind](30_000), [], { rowsMax: 100_000 }), limits())
      ).rows.length;
    });
    expect(count).toBe(30_000);
    expect(longest).toBeLessThan(100);
  });

  test.skipIf(isMissing())("a timeout or a cancellation ends a statement and its connection", async () => {
    const outbound = open();
    const controller = new AbortController();
    const startedAt = Date.now();
    const slow = outbound.query(serverOf(kind), statement(sleep[kind]), limits(300));
    await expect(slow).rejects.toMatchObject({ name: "OutboundError", code: "TIMEOUT" });
    const cancelled = outbound.query(serverOf(kind), statement(sleep[kind]), limits(10_000, controller.signal));
    setTimeout(() => controller.abort(), 200);
    await expect(cancelled).rejects.toMatchObject({ code: "ABORTED" });
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    expect((await outbound.query(serverOf(kind), statement("SELECT 1 AS n"), limits())).rows).toEqual([{ n: 1 }]);
  });

  test.skipIf(isMissing())("a server that stalls mid-rows is abandoned at the deadline, and stops", async () => {
    const server = serverOf(kind);
    const clients = new Set<Socket>();
    const port = await openSocketServer((client) => {
      clients.add(client.on("close", () => clients.delete(client)));
      const upstream = connect(server.port, server.host).on("error", () => client.destroy());
      client.pipe(upstream).on("close", () => client.destroy());
      client.on("close", () => upstream.destroy());
      let bytes = 0;
      upstream.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        client.write(chunk);
        if (bytes > 200_000) upstream.pause();
      });
    });
    const outbound = open();
    const text = `${numbers[kind](30_000)} -- stalled`;
    const all = Array.from({ length: 6 }, () =>
      outbound.query({ ...server, port }, statement(text), limits(1_500)).catch((error: unknown) => error),
    );
    for (const failure of await Promise.all(all)) expect(failure).toMatchObject({ code: "TIMEOUT" });
    const running = {
      postgres: "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%-- stalled' AND state = 'active'",
      mysql: "SELECT 1 FROM information_schema.processlist WHERE info LIKE '%-- stalled'",
    };
    await eventually("nothing of it stays", async () => {
      const { rows } = await outbound.query(server, statement(running[kind]), limits());
      return (clients.size === 0 && rows.length === 0) || undefined;
    });
  });

  test.skipIf(isMissing())("no blocked address is connected to", async () => {
    const server = serverOf(kind);
    for (const host of ["127.0.0.1", "localhost", "[::1]", "169.254.169.254", "10.0.0.1"]) {
      await expect(open("").query({ ...server, host }, statement("SELECT 1"), limits())).rejects.toMatchObject({
        code: "BLOCKED_ADDRESS",
      });
    }
    await expect(
      open("10.0.0.1").query({ ...server, port: 6379, host: "10.0.0.1" }, statement("SELECT 1"), limits()),
    ).rejects.toMatchObject({
      code: "BLOCKED_ADDRESS",
    });
  });

  test.skipIf(isMissing())("a server without TLS is refused if TLS is required", async () => {
    const plain = kind === "mysql" ? { ...serverOf(kind), port: await openSocketServer(greetMysql) } : serverOf(kind);
    await expect(open().query({ ...plain, security: "tls" }, statement("SELECT 1"), limits())).rejects.toMatchObject({
      code: "TLS",
    });
  });

  test("servers that close, stay silent or send garbage fail in time", async () => {
    const server = {
      kind,
      host: "127.0.0.1",
      database: "d",
      username: "u",
      password: "pass",
      security: "none",
    } as const;
    const wrong: [(socket: Socket) => void, string | RegExp][] = [
      [(socket) => socket.destroy(), "RESET"],
      [() => {}, "TIMEOUT"],
      [(socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"), /RESET|BAD_RESPONSE|SQL_/],
    ];
    for (const [talk, code] of wrong) {
      const port = await openSocketServer(talk);
      const failed = open().query({ ...server, port }, statement("SELECT 1"), limits(700));
      await expect(failed).rejects.toMatchObject({
        code: typeof code === "string" ? code : expect.stringMatching(code),
      });
    }
  });
});

/** The greeting of a MySQL server without TLS. */
function greetMysql(socket: Socket): void {
  const body = Buffer.concat([
    Buffer.from([10]),
    Buffer.from("8.0.0\0"),
    Buffer.from([1, 0, 0, 0]),
    Buffer.from("12345678\0"),
    Buffer.from([0x00, 0x82, 33, 2, 0, 0x08, 0x00, 21]),
    Buffer.alloc(10),
    Buffer.from("123456789012\0mysql_native_password\0"),
  ]);
  socket.write(Buffer.concat([Buffer.from([body.length, 0, 0, 0]), body]));
}

async function createOutboundOnce(use: (outbound: Outbound) => Promise<unknown>): Promise<void> {
  const outbound = createOutbound({ allow: "127.0.0.1,localhost" });
  await use(outbound).finally(() => outbound.close());
}

test.skipIf(mariaDb?.certificate == null)("a certificate's authority and name are verified", async () => {
  const outbound = open();
  const query = (overrides: Partial<SqlServer>) =>
    outbound.query({ ...serverOf("mysql"), ...overrides }, statement("SHOW STATUS LIKE 'Ssl_version'"), limits());
  const ca = mariaDb?.certificate?.ca ?? "";
  expect((await query({ security: "tls", host: "localhost", ca })).rows[0]?.Value).toMatch(/^TLS/);
  await expect(query({ security: "tls", host: "localhost" })).rejects.toMatchObject({ code: "TLS" });
  await expect(query({ security: "tls", host: "127.0.0.1", ca })).rejects.toMatchObject({ code: "TLS" });
  expect((await query({ security: "unverified" })).rows[0]?.Value).toMatch(/^TLS/);
  const large = statement(numbers.mysql(2_000_000), [], { rowsMax: 10_000_000 });
  const secure = { ...serverOf("mysql"), security: "tls", host: "localhost", ca } as const;
  await expect(outbound.query(secure, large, limits())).rejects.toMatchObject({ code: "SQL_TOO_LARGE" });
});

test.skipIf(mariaDb?.certificate == null)(
  "PostgreSQL's certificate is checked before anything is said to it",
  async () => {
    const { ca, ...pair } = mariaDb?.certificate ?? { ca: "", cert: "", key: "" };
    const port = await openSocketServer((socket) => {
      socket.once("data", () => {
        socket.write("S");
        const secure = new TLSSocket(socket, { isServer: true, ...pair }).on("error", () => {});
        secure.once("data", () => secure.end(Buffer.from("R\0\0\0\x08\0\0\0\x63", "latin1")));
      });
    });
    const server = { ...serverOf("postgres"), port, security: "tls" } as const;
    const query = (overrides: Partial<SqlServer>) =>
      open().query({ ...server, ...overrides }, statement("SELECT 1"), limits(2_000));
    await expect(query({ host: "localhost" })).rejects.toMatchObject({ code: "TLS" });
    await expect(query({ host: "127.0.0.1", ca })).rejects.toMatchObject({ code: "TLS" });
    // These get as far as the sign-in.
    await expect(query({ host: "localhost", ca })).rejects.not.toMatchObject({ code: "TLS" });
    await expect(query({ host: "127.0.0.1", security: "unverified" })).rejects.not.toMatchObject({ code: "TLS" });
  },
);

test("a workspace whose databases do not answer leaves connections to the others", async () => {
  const port = await openSocketServer(() => {});
  const outbound = open();
  const silent = { ...serverOf("postgres"), port };
  const controller = new AbortController();
  const held = Array.from({ length: 100 }, (_, n) =>
    outbound
      .query({ ...silent, database: `d${n}` }, statement("SELECT 1"), limits(60_000, controller.signal))
      .catch((error) => error.code),
  );
  const others = { ...limits(5_000), workspaceId: "other" };
  expect((await outbound.query(serverOf("postgres"), statement("SELECT 1 AS n"), others)).rows).toEqual([{ n: 1 }]);
  controller.abort();
  expect(new Set(await Promise.all(held))).toEqual(new Set(["ABORTED"]));
  // Those that were waiting have left no trace.
  const again = outbound.query(serverOf("postgres"), statement("SELECT 1 AS n"), limits(5_000));
  expect((await again).rows).toEqual([{ n: 1 }]);
});

const packets = {
  // Completes authentication, then sends random messages of every kind.
  postgres: (chance: () => number) => {
    const message = (type: string, body: Buffer) => {
      const length = Buffer.alloc(4);
      length.writeInt32BE(body.length + 4 - (chance() % 9 === 0 ? 2 : 0));
      return Buffer.concat([Buffer.from(type), length, body]);
    };
    const randomBytes = () => Buffer.from(Array.from({ length: chance() % 40 }, () => chance() & 255));
    const kinds = "RSKZT12CDEnsNAtIGHWcdvX";
    const opening = [message("R", Buffer.alloc(4)), message("Z", Buffer.from("I"))];
    const random = Array.from({ length: 12 }, () => message(kinds[chance() % kinds.length] ?? "R", randomBytes()));
    return Buffer.concat(chance() % 2 === 0 ? [...opening, ...random] : random);
  },
  mysql: (chance: () => number) => {
    const parts = Array.from({ length: 12 }, (_, sequence) => {
      const body = Buffer.from(Array.from({ length: 1 + (chance() % 40) }, () => chance() & 255));
      if (chance() % 3 === 0) body[0] = [0, 0xff, 0xfe, 0xfb, 1][chance() % 5] ?? 0;
      return Buffer.concat([Buffer.from([body.length, 0, 0, (sequence + 2) & 255]), body]);
    });
    return Buffer.concat(parts);
  },
};

test.each(kinds)("whatever a %s sends, the statement fails and the process survives", async (kind) => {
  const chance = seededNumbers(7);
  const port = await openSocketServer((socket) => {
    if (kind === "mysql") greetMysql(socket);
    const sent = packets[kind](chance);
    if (kind === "postgres") socket.once("data", () => socket.write(sent));
    else socket.once("data", () => socket.end(sent));
    setTimeout(() => socket.end(), 50).unref();
  });
  const server = {
    kind,
    host: "127.0.0.1",
    port,
    database: "d",
    username: "u",
    password: "pass",
    security: "none",
  } as const;
  const outbound = open();
  const failures = await Promise.all(
    Array.from({ length: 300 }, (_, n) =>
      outbound
        .query({ ...server, database: `d${n % 50}` }, statement("SELECT 1"), limits(8_000))
        .catch((error) => error),
    ),
  );
  const codes = new Set(failures.map((failure) => failure?.code ?? "answered"));
  for (const code of codes)
    expect(["RESET", "TIMEOUT", "BAD_RESPONSE", "TLS", "answered"]).toContain(code.replace(/^SQL_\w+$/, "RESET"));
});
