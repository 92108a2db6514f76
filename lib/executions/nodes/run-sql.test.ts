// The node `sql` against a real PostgreSQL.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { inOwnDatabase } from "#e2e/support/own-database.ts";
import type { NodeCredential, SqlRequest } from "#lib/nodes/define.ts";
import { createOutbound, type Outbound } from "#lib/platform/outbound/outbound.ts";
import { runSql } from "./run-sql.ts";

let outbound: Outbound;
let credential: NodeCredential;
inOwnDatabase();
beforeAll(async () => {
  const { hostname: host, port, username, password, pathname } = new URL(process.env.DATABASE_URL ?? "");
  const database = pathname.slice(1);
  const account = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  const data = { host, port, database, ...account, security: "none" };
  credential = { name: "shop", type: "postgres", data, allowedHosts: [] };
  outbound = createOutbound({ allow: "127.0.0.1,localhost" });
});
beforeEach(() => {
  expect(credential.data.host).toMatch(/^(127\.0\.0\.1|localhost)$/);
});
afterAll(() => outbound?.close());

const run = (query: string, overrides: Partial<SqlRequest> = {}) => {
  const request = { credential, query, parameters: {}, timeoutMs: 10_000, rowsMax: 10_000, ...overrides };
  return runSql({ outbound, workspaceId: "workspace" }, request, new AbortController().signal);
};
const failing = (query: string, overrides: Partial<SqlRequest> = {}) =>
  run(query, overrides).catch((error) => error.code);

// Proves nodes.sql
test("values are returned as JSON, and JSON columns are parsed", async () => {
  const query = `SELECT '{"a": [1, null]}'::jsonb AS j, '[]'::json AS l, ARRAY[1, 2] AS list, 1.50::numeric AS n,
    '2026-02-28'::date AS day, true AS ok, 9007199254740993 AS big, 12::bigint AS small, '\\x00ff'::bytea AS bytes,
    'NaN'::float8 AS nan, '2026-01-01T00:00:00Z'::timestamptz AS at, :text AS text, :none::int AS none`;
  const { rows } = await run(query, { parameters: { text: ":x'; --", none: null } });
  expect(rows).toEqual([
    {
      ...{ j: { a: [1, null] }, l: [], list: [1, 2], n: "1.50", day: "2026-02-28", ok: true, big: "9007199254740993" },
      ...{ small: 12, bytes: "AP8=", nan: "NaN", at: "2026-01-01T00:00:00.000Z", text: ":x'; --", none: null },
    },
  ]);
});

test("large JSON and long lists do not block the event loop", async () => {
  const json =
    "SELECT jsonb_agg(jsonb_build_object('n', n, 't', 'text')) AS j, array_agg(n) AS list FROM generate_series(1, 90000) AS s(n)";
  let answer: Awaited<ReturnType<typeof run>> | undefined;
  const longest = await longestTurn(async () => {
    answer = await run(json);
  });
  expect(longest).toBeLessThan(100);
  expect(answer?.rows[0]?.j).toHaveLength(90_000);
  expect(answer?.rows[0]?.list).toMatch(/^\{1,2,3/);
});

test("failures have a code", async () => {
  expect(await failing("SELECT * FROM nothing")).toBe("SQL_FAILED");
  expect(await failing("SELECT :a")).toBe("SQL_PARAMETER");
  expect(await failing("SELECT 1", { parameters: { a: 1 } })).toBe("SQL_PARAMETER");
  expect(await failing("SELECT :a::text", { parameters: { a: "\u0000" } })).toBe("SQL_FAILED");
  expect(await failing("SELECT 1; SELECT 2")).toBe("SQL_FAILED");
  expect(await failing("SELECT * FROM generate_series(1, 11)", { rowsMax: 10 })).toBe("SQL_TOO_MANY_ROWS");
  expect(await failing("SELECT repeat('x', 6000000)")).toBe("SQL_TOO_LARGE");
  expect(await failing("SELECT pg_sleep(20)", { timeoutMs: 300 })).toBe("TIMEOUT");
  expect(await failing("SELECT (repeat('[', 5000) || repeat(']', 5000))::json")).toBe("OUTPUT_TOO_DEEP");
});

test("a credential of another type or for another host is refused before anything is sent", async () => {
  const of = (overrides: Partial<NodeCredential>, data: Record<string, string> = {}) =>
    failing("SELECT 1", { credential: { ...credential, ...overrides, data: { ...credential.data, ...data } } });
  expect(await of({ type: "bearer" })).toBe("CREDENTIAL_TYPE");
  expect(await of({ allowedHosts: ["db.example.com"] })).toBe("CREDENTIAL_HOST");
  expect(await of({}, { host: "169.254.169.254" })).toBe("BLOCKED_ADDRESS");
  expect(await of({}, { host: "127.0.0.1", port: "1" })).toMatch(/CONNECT_FAILED|BLOCKED_ADDRESS/);
  expect(await of({}, { security: "tls" })).toBe("TLS");
  expect(await of({}, { database: "nowhere" })).toBe("SQL_SIGN_IN");
});
