import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isDeeperThan, jsonBytes, jsonBytesInTurns } from "./json-bytes.ts";

const any = Number.POSITIVE_INFINITY;

describe("the bytes of a value", () => {
  test("equal those of its JSON text", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string(),
      fc.constantFrom("\ud800", "a\udc00b", '\u0000\n"', "ü€😀"),
    );
    const anything = fc.anything({
      key: text,
      values: [text, fc.double(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant(undefined)],
    });
    fc.assert(
      fc.property(anything, (value) => {
        expect(jsonBytes(value, any)).toBe(Buffer.byteLength(JSON.stringify(value) ?? "null"));
      }),
      { numRuns: 2_000 },
    );
  });

  test("are counted only up to the limit", () => {
    const shared = "x".repeat(1_000);
    const many = Array.from({ length: 1_000_000 }, () => shared);
    const counted = jsonBytes(many, 2_000_000);
    expect(counted).toBeGreaterThan(2_000_000);
    expect(counted).toBeLessThan(2_100_000);
  });

  test("are the same when counted in turns, even for objects with many keys", async () => {
    const entries = Array.from({ length: 30_000 }, (_, index) => [
      `k${index}`,
      index % 3 === 0 ? undefined : [index, "ü"],
    ]);
    const value = {
      one: Object.fromEntries(entries),
      two: Object.fromEntries(entries.slice(0, 10_000)),
      three: entries,
    };
    const nothing = Object.fromEntries(entries.map(([key]) => [key, undefined]));
    for (const counted of [value, nothing, [value, nothing]]) {
      const bytes = Buffer.byteLength(JSON.stringify(counted));
      expect([jsonBytes(counted, any), await jsonBytesInTurns(counted, any)]).toEqual([bytes, bytes]);
    }
  });

  test("are counted even for a value nested too deeply to serialize", () => {
    const levels = 100_000;
    expect(jsonBytes(JSON.parse("[".repeat(levels) + "]".repeat(levels)), any)).toBe(2 * levels);
  });
});

test("nesting is counted without serializing, even if a part is shared many times", async () => {
  const nested = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels)) as unknown;
  expect(await isDeeperThan("text", 0)).toBe(false);
  expect(await isDeeperThan(nested(500), 500)).toBe(false);
  expect(await isDeeperThan({ a: nested(500) }, 500)).toBe(true);
  expect(await isDeeperThan(nested(100_000), 500)).toBe(true);
  let doubled: unknown = "x";
  for (let level = 0; level < 100; level += 1) doubled = [doubled, doubled];
  expect(await isDeeperThan(doubled, 100)).toBe(false);
  expect(await isDeeperThan(doubled, 99)).toBe(true);
});
