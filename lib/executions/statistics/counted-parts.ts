const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A span of time, including its start and excluding its end. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** The units of time that rollups count. */
export type Unit = "month" | "day" | "hour";

interface Signed {
  /** A part may reach beyond the span; others then subtract the excess. */
  readonly sign: "+" | "-";
}

/** Whole units of a span; null is open-ended. */
interface UnitSpan extends Signed {
  readonly unit: Unit;
  readonly from: Date | null;
  readonly to: Date | null;
}

/** How to count the runs that started in a span. */
export interface CountedParts {
  readonly units: readonly UnitSpan[];
  /** Where rows have to be counted: each is shorter than an hour. */
  readonly edges: readonly (Span & Signed)[];
}

type Ends = Omit<UnitSpan, "unit">;

const finer = { month: "day", day: "hour", hour: null } as const;
/** A unit's usual length, in milliseconds. */
const usualMs = { month: 30 * dayMs, day: dayMs, hour: hourMs };

/**
 * Splits a span into whole units (UTC), none longer than `longest`. At each end it takes the nearest start of a unit,
 * then adds or subtracts shorter units, so that few are read: usually no more than 16 days, 12 hours and one edge per
 * end.
 */
export function countedParts(from: Date | null, to: Date | null, longest: Unit): CountedParts {
  if (from !== null && to !== null && from >= to) return { units: [], edges: [] };
  return split({ sign: "+", from, to }, longest);
}

function split({ sign, from, to }: Ends, unit: Unit | null): CountedParts {
  if (unit === null) return { units: [], edges: from === null || to === null ? [] : [{ sign, from, to }] };
  const isShort = from !== null && to !== null && to.getTime() - from.getTime() <= usualMs[unit] / 2;
  const [first, end] = [from && nearestStart(from, unit), to && nearestStart(to, unit)];
  if (isShort || (first !== null && end !== null && first >= end)) return split({ sign, from, to }, finer[unit]);
  const ends = [between(from, first, sign), between(end, to, sign)].flatMap((part) => part ?? []);
  const parts = ends.map((part) => split(part, finer[unit]));
  return {
    units: [{ unit, sign, from: first, to: end }, ...parts.flatMap(({ units }) => units)],
    edges: parts.flatMap(({ edges }) => edges),
  };
}

/** The span to add between two times, or to subtract if they are in reverse order. */
function between(start: Date | null, end: Date | null, sign: "+" | "-"): Ends | null {
  if (start === null || end === null || start.getTime() === end.getTime()) return null;
  if (start < end) return { sign, from: start, to: end };
  return { sign: sign === "+" ? "-" : "+", from: end, to: start };
}

function nearestStart(time: Date, unit: Unit): Date {
  const [before, after] = startsNear(time, unit);
  return time.getTime() - before.getTime() <= after.getTime() - time.getTime() ? before : after;
}

function startsNear(time: Date, unit: Unit): [Date, Date] {
  if (unit === "month") {
    const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()];
    return [startOfMonth(year, month), startOfMonth(year, month + 1)];
  }
  const before = Math.floor(time.getTime() / usualMs[unit]) * usualMs[unit];
  return [new Date(before), new Date(before + usualMs[unit])];
}

/** Not Date.UTC, which maps years before 100 to the 20th century. */
function startOfMonth(year: number, month: number): Date {
  const start = new Date(0);
  start.setUTCFullYear(year, month, 1);
  return start;
}

/** When the first day (UTC, `YYYY-MM-DD`) begins, and when the day after the last one does. */
export function spanOfDays(first: string, last: string): Span {
  return { from: new Date(`${first}T00:00:00Z`), to: new Date(Date.parse(`${last}T00:00:00Z`) + dayMs) };
}
