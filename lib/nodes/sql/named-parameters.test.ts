import { describe, expect, test } from "vitest";
import { cpuTime } from "#e2e/support/longest-turn.ts";
import { onlyReads, placeParameters, valuesInPlace } from "./named-parameters.ts";

const placed = (query: string) => ({
  numbered: Object.values(placeParameters(query, "numbered")),
  question: Object.values(placeParameters(query, "question")),
});

test("a name becomes a placeholder, reused for the same name if the database allows it", () => {
  expect(placed("SELECT :a, :b_1 WHERE x=:a")).toEqual({
    numbered: ["SELECT $1, $2 WHERE x=$1", ["a", "b_1"]],
    question: ["SELECT ?, ? WHERE x=?", ["a", "b_1", "a"]],
  });
});

test.each([
  "SELECT ':a', 'it''s :a'",
  'SELECT ":a", "x"":a"',
  "SELECT `:a`",
  "SELECT 1 -- :a\n, 2",
  "SELECT /* :a \n :b */ 1",
  "SELECT now()::date, x :: text",
  "SET @x := 1",
  "SELECT a[1:2]",
])("there is no place in %j", (query) => {
  expect(placed(query)).toEqual({ numbered: [query, []], question: [query, []] });
});

test("each database has its own quoting", () => {
  expect(placeParameters("SELECT $$ :a $$, $x$ :b $$ :c $x$, :d", "numbered")).toEqual({
    text: "SELECT $$ :a $$, $x$ :b $$ :c $x$, $1",
    names: ["d"],
  });
  expect(placeParameters("SELECT E'b\\':a', 'c:\\', :d, e'\\\\', :d", "numbered").text).toBe(
    "SELECT E'b\\':a', 'c:\\', $1, e'\\\\', $1",
  );
  expect(placeParameters("SELECT 'b\\':a', \"c\\\":a\", :d", "question").names).toEqual(["d"]);
  expect(placeParameters("SELECT data #> :path, data ? 'x'", "numbered").text).toBe("SELECT data #> $1, data ? 'x'");
  expect(placeParameters("SELECT 1 # :a\n, :b", "question")).toEqual({ text: "SELECT 1 # :a\n, ?", names: ["b"] });
  expect(() => placeParameters("SELECT ?", "question")).toThrow("The query has a ?");
});

test("SQLite's strings have no backslash escapes, and its other placeholders are refused", () => {
  expect(placeParameters("SELECT 'a\\', :a, [x:b], \"y:c\", `:d` -- :e\n, :a", "sqlite")).toEqual({
    text: "SELECT 'a\\', ?, [x:b], \"y:c\", `:d` -- :e\n, ?",
    names: ["a", "a"],
  });
  for (const place of ["?", "?1", "@a", "$a", "#a", ":1"]) {
    expect(() => placeParameters(`SELECT ${place}`, "sqlite")).toThrow(/The query has a/);
  }
});

test("SQL Server's strings have no backslash escapes, its names may have brackets, and its variables are left alone", () => {
  expect(
    placeParameters("SELECT 'a\\', :a, [x]]:b], \"y:c\" -- :e\n, @x, #t, :b, :a, geography::Point(1)", "named"),
  ).toEqual({
    text: "SELECT 'a\\', @p1, [x]]:b], \"y:c\" -- :e\n, @x, #t, @p2, @p1, geography::Point(1)",
    names: ["a", "b"],
  });
  for (const open of ["'", '"', "[", "/*", "[a]]", "'a''"]) {
    expect(cpuTime(() => placeParameters(`SELECT ${open.repeat(65_000 / open.length)}`, "named"))).toBeLessThan(100);
    expect(placeParameters(`SELECT ${open} :a`, "named").names).toEqual([]);
  }
});

/** Ignores the outcome. */
function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    expect(error).toMatchObject({ code: "SQL_PARAMETER" });
  }
}

test("many names are replaced in linear time", () => {
  const query = `SELECT ${Array.from({ length: 10_000 }, (_, n) => `:a${n}`).join(",")}`;
  expect(cpuTime(() => placeParameters(query, "numbered"))).toBeLessThan(100);
});

test("unterminated quotes are read in linear time", () => {
  for (const open of ["'", '"', "`", "[", "/*", "$$", "$a$", "--", "'\\", "E'\\", '"\\', "[]]"]) {
    for (const rest of [":a ".repeat(20_000), open.repeat(60_000 / open.length)]) {
      for (const placeholders of ["numbered", "question", "named", "sqlite"] as const) {
        const read = () => attempt(() => placeParameters(`SELECT ${open}${rest}`, placeholders));
        expect([open, placeholders, cpuTime(read) < 200]).toEqual([open, placeholders, true]);
      }
    }
  }
});

test("values are in the order of their placeholders, with none missing and none unused", () => {
  expect(valuesInPlace(["b", "a", "b"], { a: 1, b: null })).toEqual([null, 1, null]);
  expect(() => valuesInPlace(["a"], {})).toThrow("The query's :a has no value");
  expect(() => valuesInPlace([], { a: 1 })).toThrow("The query has no :a");
  expect(() => valuesInPlace(["constructor"], {})).toThrow("has no value");
});

describe("a statement only reads", () => {
  test.each([
    "SELECT 1",
    " (select x from y)",
    "WITH a AS (SELECT 1) SELECT * FROM a",
    "SHOW TABLES",
    "EXPLAIN SELECT 1",
  ])("%s", (query) => expect(onlyReads(query)).toBe(true));
  test.each([
    "INSERT INTO a VALUES (1)",
    "WITH gone AS (DELETE FROM a RETURNING *) SELECT * FROM gone",
    "SELECT * INTO b FROM a",
    "SELECT * FROM a FOR UPDATE",
    "SELECT nextval('s')",
    "CALL f()",
    "EXPLAIN ANALYZE DELETE FROM a",
    "SELECT 1 EXEC f",
    "SELECT NEXT VALUE FOR s",
    "",
  ])("not %s", (query) => expect(onlyReads(query)).toBe(false));
});
