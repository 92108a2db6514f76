import { expect, test } from "vitest";
import { NodeFailure, type SqlAnswer, type SqlRequest } from "../define.ts";
import { fakeRun } from "../http-request/fake-context.ts";
import { sql } from "./sql.ts";

const config = { credential: "shop", query: "SELECT 1" };

/** Runs the node with a database that gives this answer. */
async function run(given: object, answer: SqlAnswer | NodeFailure = { rows: [], rowCount: 0 }) {
  const requests: SqlRequest[] = [];
  const context = {
    ...fakeRun([], { type: "postgres" }).context,
    sql: async (request: SqlRequest) => {
      requests.push(request);
      if (answer instanceof NodeFailure) throw answer;
      return answer;
    },
  };
  const result = await Promise.resolve(sql.run(sql.config.parse({ ...config, ...given }), context)).catch(
    (error) => error,
  );
  return { result, requests };
}

test("passes the query on with its values, objects and lists as JSON", async () => {
  const parameters = { a: "x'; --", b: 1.5, c: true, d: null, e: { f: [1] }, g: ["h"] };
  const { requests } = await run({ query: " SELECT :a ", parameters });
  expect(requests).toEqual([
    {
      credential: expect.objectContaining({ name: "shop" }),
      query: "SELECT :a",
      parameters: { a: "x'; --", b: 1.5, c: true, d: null, e: '{"f":[1]}', g: '["h"]' },
      timeoutMs: 30_000,
      rowsMax: 10_000,
    },
  ]);
});

test("returns rows, one row, or a count", async () => {
  const rows = [{ n: 1 }];
  expect((await run({}, { rows, rowCount: 1 })).result).toEqual({ output: { rows, rowCount: 1 } });
  expect((await run({ mode: "one" }, { rows, rowCount: 1 })).result).toEqual({
    output: { row: { n: 1 }, rows, rowCount: 1 },
  });
  expect((await run({ mode: "one" })).result).toEqual({ output: { row: null, rows: [], rowCount: 0 } });
  expect((await run({ mode: "exec" }, { rows, rowCount: 3, insertId: 7 })).result).toEqual({
    output: { rows: [], rowCount: 3, insertId: 7 },
  });
  expect((await run({ mode: "one" }, { rows: [...rows, ...rows], rowCount: 2 })).result).toMatchObject({
    code: "SQL_NOT_ONE",
  });
});

test("fails with the database's failure, without a retry", async () => {
  const failure = new NodeFailure("SQL_FAILED", "no such table");
  const { result, requests } = await run({}, failure);
  expect([result, requests.length]).toEqual([failure, 1]);
});

test("distinguishes reads from writes", () => {
  expect(sql.acts?.({ query: "SELECT 1" })).toBe("read");
  expect(sql.acts?.({ query: "SELECT 1", mode: "exec" })).toBe("write");
  expect(sql.acts?.({ query: "WITH a AS (DELETE FROM b) SELECT 1" })).toBe("write");
  expect(sql.acts?.({})).toBe("write");
});

test.each([
  { query: "" },
  { query: " " },
  { query: "x".repeat(70_000) },
  { query: 1 },
  { parameters: [1] },
  { mode: "many" },
  { timeout: 0 },
  { timeout: 300_001 },
  { rowsMax: 100_001 },
  { credential: undefined },
])("%.40j is no config", (given) => {
  expect(sql.config.safeParse({ ...config, ...given }).success).toBe(false);
});
