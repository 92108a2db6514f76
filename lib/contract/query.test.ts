import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parseTime } from "./parse-time.ts";
import { anyOf, flag, milliseconds, oneOf, order, pageSize, paging, searchText, time } from "./query.ts";

const at = (text: string, bound: "start" | "end" = "start") => parseTime(text, bound)?.toISOString() ?? null;

describe("a time", () => {
  test.each([
    ["2026-01-31T10:20:30Z", "2026-01-31T10:20:30.000Z"],
    ["2026-01-31T10:20:30.5Z", "2026-01-31T10:20:30.500Z"],
    ["2026-01-31T10:20:30.123456789Z", "2026-01-31T10:20:30.123Z"],
    ["2026-01-31T10:20Z", "2026-01-31T10:20:00.000Z"],
    ["2026-01-31T10:20+02:00", "2026-01-31T08:20:00.000Z"],
    ["2026-01-31T10:20 02:00", "2026-01-31T08:20:00.000Z"],
    ["2026-01-31T10:20:30-05:30", "2026-01-31T15:50:30.000Z"],
    ["2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"],
    ["1969-12-31", "1969-12-31T00:00:00.000Z"],
    ["0001-01-01", "0001-01-01T00:00:00.000Z"],
    ["2026-01-31T10:20:30", "2026-01-31T10:20:30.000Z"],
    ["2026-01-31T10:20", "2026-01-31T10:20:00.000Z"],
  ])("%s", (text, iso) => {
    expect(at(text)).toBe(iso);
  });

  test.each([
    "2020-02-30",
    "2023-02-29",
    "2020-04-31T10:00:00Z",
    "2020-13-01",
    "2020-00-10",
    "2020-01-00",
    "2020-01-32",
    "10000-01-01",
    "+010000-01-01T00:00:00Z",
    "9999-12-31T23:59:59-14:00",
    "0001-01-01T00:00:00+01:00",
    "0000-01-01",
    "2020-1-1",
    "20200101",
    "2020-01-01T25:00:00Z",
    "2020-01-01T10:60:00Z",
    "2020-01-01T10:00:61Z",
    "2020-01-01T10:00:00+02",
    "2020-01-01 10:00:00Z",
    "2020-01-01T10:00:00+25:00",
    "2020-01-01T10:00:00+0200",
    "2020-01-01T10:00:00Z ",
    "2020-01-01T",
    "2020",
    "now",
    "",
    "1577836800000",
    "２０２０-01-01",
  ])("%j is none", (text) => {
    expect(at(text)).toBeNull();
    expect(at(text, "end")).toBeNull();
  });

  test("may be a bare date, the whole UTC day: as an end, its last millisecond", () => {
    expect(at("2026-01-31", "end")).toBe("2026-01-31T23:59:59.999Z");
    expect(at("2026-01-31T10:00Z", "end")).toBe("2026-01-31T10:00:00.000Z");
  });

  test("as a parameter has an error that says what is allowed", () => {
    const schema = z.object({ since: time("since", "start").optional() });
    expect(schema.parse({})).toEqual({});
    expect(schema.safeParse({ since: "soon" }).error?.issues[0]?.message).toMatch(/since must be an ISO 8601/);
    expect(schema.safeParse({ since: ["2026-01-01", "2026-01-02"] }).success).toBe(false);
  });
});

describe("paging", () => {
  const schema = z.object(paging);

  // Proves lists.page-default
  test("has defaults", () => {
    expect(schema.parse({})).toEqual({ page: 1, limit: pageSize.default });
    expect(schema.parse({ page: "7", limit: "100" })).toEqual({ page: 7, limit: 100 });
  });

  test.each(["0", "-1", "1.5", "1e2", " 1", "01", "", "x", "0x1", "9999999999", ["1", "2"]])(
    "%j is refused",
    (value) => {
      expect(schema.safeParse({ page: value }).success).toBe(false);
      expect(schema.safeParse({ limit: value }).success).toBe(false);
    },
  );

  test("a page beyond the last possible one is refused by that reason", () => {
    for (const page of ["1000000000", "9".repeat(400)]) {
      expect(schema.safeParse({ page }).error?.issues).toMatchObject([{ message: "page must be at most 999999999" }]);
    }
  });

  // Proves lists.limit-max
  test("a page has at most 100", () => {
    expect(schema.safeParse({ limit: "101" }).success).toBe(false);
  });
});

describe("other parameters", () => {
  test("a flag is `true` or `false` in full", () => {
    const schema = z.object({ all: flag("all", false) });
    expect([schema.parse({}), schema.parse({ all: "true" }), schema.parse({ all: "false" })]).toEqual([
      { all: false },
      { all: true },
      { all: false },
    ]);
    for (const all of ["1", "yes", "TRUE", "", "tru"]) expect(schema.safeParse({ all }).success).toBe(false);
  });

  test("errors of closed sets list their values", () => {
    const schema = z.object({ order, status: oneOf("status", ["a", "b"]) });
    expect(schema.safeParse({ status: "c" }).error?.issues[0]?.message).toBe("status must be one of a, b");
    expect(schema.safeParse({ status: "a", order: "up" }).success).toBe(false);
    expect(schema.parse({ status: "a" })).toEqual({ status: "a", order: "desc" });
  });

  test("several values of a closed set are separated by commas or repeated, and each counts once", () => {
    const schema = anyOf("status", ["a", "b"]);
    expect([schema.parse("a"), schema.parse("b,a,b"), schema.parse(["a", "a,b"])]).toEqual([
      ["a"],
      ["b", "a"],
      ["a", "b"],
    ]);
    for (const bad of ["", "c", "a,", "a, b", ["a", ""]]) expect(schema.safeParse(bad).success).toBe(false);
    expect(schema.safeParse("a,c").error?.issues[0]?.message).toBe("status must be one of a, b");
  });

  test("milliseconds are integers, from 0 to the longest duration", () => {
    const schema = milliseconds("minDuration");
    expect([schema.parse("0"), schema.parse("2147483647")]).toEqual([0, 2_147_483_647]);
    for (const bad of ["-1", "1.5", "01", "", "2147483648", ["1", "2"]]) {
      expect(schema.safeParse(bad).success).toBe(false);
    }
  });

  test("a search text is bounded, and the first of several counts", () => {
    const schema = searchText("search");
    expect([schema.parse("%_"), schema.parse(["a", "b"])]).toEqual(["%_", "a"]);
    for (const bad of ["a\u0000", "\ud800", "x".repeat(1_001)]) expect(schema.safeParse(bad).success).toBe(false);
  });
});
