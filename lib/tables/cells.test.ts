import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emptyKey, keyOf, readCell, readText, storedCell, storedText } from "./cells.ts";

const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });
const unusual = fc.string({
  unit: fc.constantFrom("a", "\u0000", "\ud800", "\udc00", "\uf000", "\uf7ff", "\uf800", "\uf801"),
});

describe("stored text", () => {
  test("round-trips, and is text that a database can store", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, unusual), (text) => {
        const stored = storedText(text);
        expect(stored.isWellFormed() && !stored.includes("\u0000")).toBe(true);
        expect(readText(stored)).toBe(text);
      }),
    );
  });

  test("is the text itself if possible", () => {
    expect(storedText("Zoë 👍")).toBe("Zoë 👍");
  });
});

describe("keys", () => {
  test("sort as numbers do", () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(fc.property(number, number, (a, b) => keyOf(a) < keyOf(b) === a < b));
    expect(keyOf(-0)).toBe(keyOf(0));
  });

  test("sort missing values last", () => {
    expect(keyOf(undefined)).toBe(emptyKey);
    expect(keyOf(storedText("\u{10ffff}")) < emptyKey).toBe(true);
    expect(keyOf(Number.MAX_VALUE) < emptyKey).toBe(true);
  });
});

describe("a value", () => {
  test.each([
    ["text", "", ""],
    ["number", -1.5, -1.5],
    ["boolean", false, false],
    ["time", "2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["time", "2026-01-31T10:00:00+02:00", "2026-01-31T08:00:00.000Z"],
    ["json", { b: ["\u0000\ud800"], a: null }, { b: ["\u0000\ud800"], a: null }],
  ] as const)("of the type %s comes back: %j", (type, given, shown) => {
    expect(readCell(type, storedCell(type, given) ?? undefined)).toEqual(shown);
  });

  test.each([
    ["text", 1],
    ["number", "1"],
    ["number", Number.NaN],
    ["boolean", "true"],
    ["time", "2026-02-30"],
    ["time", 5],
  ] as const)("that is not of the type %s is refused: %j", (type, given) => {
    expect(() => storedCell(type, given)).toThrow("must be");
  });

  test("of null is empty", () => {
    expect(storedCell("json", null)).toBeNull();
    expect(readCell("text", undefined)).toBeNull();
  });
});
