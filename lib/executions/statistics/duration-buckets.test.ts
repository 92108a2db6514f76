import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bucketStarts, percentileOf } from "./duration-buckets.ts";

const bucketOf = (durationMs: number) => bucketStarts.filter((start) => start <= durationMs).length;

/** The exact duration that this share of the runs does not exceed. */
function exactly(durations: readonly number[], share: number): number {
  const sorted = durations.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
}

describe("percentiles from buckets", () => {
  test("are within 10 % and 1 ms of the exact ones", () => {
    const durations = fc.array(fc.integer({ min: 0, max: 2 ** 31 - 1 }), { minLength: 1 });
    const small = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1 });
    const share = fc.constantFrom(0.5, 0.95, 0.99, 1);
    const property = fc.property(fc.oneof(durations, small), share, (drawn, at) => {
      const counts = new Map<number, number>();
      for (const duration of drawn) counts.set(bucketOf(duration), (counts.get(bucketOf(duration)) ?? 0) + 1);
      const exact = exactly(drawn, at);
      expect(Math.abs((percentileOf(counts, at) ?? Number.NaN) - exact)).toBeLessThanOrEqual(exact * 0.1 + 1);
    });
    fc.assert(property, { numRuns: 500 });
  });

  test("are null without runs", () => {
    expect(percentileOf(new Map(), 0.5)).toBeNull();
  });

  test("use the same buckets as the first stored counts", () => {
    expect(bucketStarts.slice(0, 12)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16]);
    expect([bucketStarts.length, bucketStarts.at(-1)]).toEqual([119, 1_805_811_302]);
  });
});
