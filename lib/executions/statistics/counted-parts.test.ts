import fc from "fast-check";
import { expect, test } from "vitest";
import { countedParts, type Unit } from "./counted-parts.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const base = Date.parse("2026-01-26T00:00:00Z");

/** Counts as rollups and rows do: whole units, and rows at the edges. */
function countOf(times: readonly number[], from: number | null, to: number | null, longest: Unit): number {
  const { units, edges } = countedParts(
    from === null ? null : new Date(from),
    to === null ? null : new Date(to),
    longest,
  );
  return [...units, ...edges].reduce((count, part) => {
    const [first, end] = [part.from?.getTime() ?? -Infinity, part.to?.getTime() ?? Infinity];
    const found = times.filter((time) => time >= first && time < end).length;
    return part.sign === "+" ? count + found : count - found;
  }, 0);
}

const moment = fc.oneof(
  fc.integer({ min: 0, max: 120 * dayMs }),
  fc.integer({ min: 0, max: 120 }).map((day) => day * dayMs),
  fc.integer({ min: 0, max: 120 * 24 }).map((hour) => hour * hourMs),
  fc.integer({ min: 0, max: 120 * 48 }).map((half) => half * 30 * minuteMs),
);
const bound = fc.option(moment.map((time) => base + time));
const longest = fc.constantFrom("month" as const, "day" as const, "hour" as const);

test("whole units and edges together count what a span holds", () => {
  const property = fc.property(fc.array(moment), bound, bound, longest, (times, from, to, unit) => {
    const started = times.map((time) => base + time);
    const inside = started.filter((time) => (from === null || time >= from) && (to === null || time < to));
    expect(countOf(started, from, to, unit)).toBe(inside.length);
  });
  fc.assert(property, { numRuns: 3_000 });
});

const startsWith = { month: /-01T00:00:00.000Z$/, day: /T00:00:00.000Z$/, hour: /:00:00.000Z$/ };

test("units are whole, few of each are read, and an edge is shorter than an hour", () => {
  const property = fc.property(bound, bound, longest, (from, to, unit) => {
    const given = [from, to].map((time) => (time === null ? null : new Date(time))) as [Date | null, Date | null];
    const { units, edges } = countedParts(...given, unit);
    for (const part of units) {
      for (const time of [part.from, part.to]) if (time) expect(time.toISOString()).toMatch(startsWith[part.unit]);
      if (part.unit === unit) continue;
      const lengthMs = (part.to?.getTime() ?? Number.NaN) - (part.from?.getTime() ?? Number.NaN);
      expect(lengthMs).toBeGreaterThan(0);
      expect(lengthMs).toBeLessThanOrEqual(part.unit === "day" ? 32 * dayMs : 25 * hourMs);
    }
    for (const edge of edges) {
      expect(edge.to.getTime()).toBeGreaterThan(edge.from.getTime());
      expect(edge.to.getTime() - edge.from.getTime()).toBeLessThan(60 * minuteMs);
    }
  });
  fc.assert(property, { numRuns: 3_000 });
});
