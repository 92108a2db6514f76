import fc from "fast-check";
import { expect, test } from "vitest";
import { countedDays, nameOf } from "./counted-days.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const base = Date.parse("2026-02-26T00:00:00Z");

/** Counts as rollups and rows do: a number per day, and rows at the edges. */
function countOf(times: readonly number[], from: number | null, to: number | null): number {
  const { first, last, edges } = countedDays(from === null ? null : new Date(from), to === null ? null : new Date(to));
  const isWhole = (day: string) => (first === null || day >= first) && (last === null || day <= last);
  let count = times.filter((time) => isWhole(nameOf(new Date(time)))).length;
  for (const edge of edges) {
    const rows = times.filter((time) => time >= edge.from.getTime() && time < edge.to.getTime()).length;
    count += edge.sign === "+" ? rows : -rows;
  }
  return count;
}

const moment = fc.oneof(
  fc.integer({ min: 0, max: 5 * dayMs }),
  fc.integer({ min: 0, max: 5 }).map((day) => day * dayMs),
  fc.integer({ min: 0, max: 10 }).map((half) => half * 12 * hourMs),
);
const bound = fc.option(moment.map((time) => base + time));

test("whole days and edges together count what a span holds", () => {
  const property = fc.property(fc.array(moment), bound, bound, (times, from, to) => {
    const started = times.map((time) => base + time);
    const inside = started.filter((time) => (from === null || time >= from) && (to === null || time < to));
    if (from !== null && to !== null && from > to) expect(countOf(started, from, to)).toBe(0);
    else expect(countOf(started, from, to)).toBe(inside.length);
  });
  fc.assert(property, { numRuns: 2_000 });
});

test("no edge is longer than half a day", () => {
  const property = fc.property(bound, bound, (from, to) => {
    const { edges } = countedDays(from === null ? null : new Date(from), to === null ? null : new Date(to));
    for (const edge of edges) expect(edge.to.getTime() - edge.from.getTime()).toBeLessThanOrEqual(dayMs / 2);
  });
  fc.assert(property);
});
