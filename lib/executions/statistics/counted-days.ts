const dayMs = 86_400_000;

/** A span of time, including its start and excluding its end. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** How to count runs that started in a span: whole days, plus or minus the rows at its edges. */
export interface CountedDays {
  /** The first and the last whole day, as `YYYY-MM-DD`; null is open-ended. Empty when the first is later. */
  readonly first: string | null;
  readonly last: string | null;
  readonly edges: readonly (Span & { readonly sign: "+" | "-" })[];
}

/**
 * Splits a span into whole UTC days, which rollups count, and edges, which need rows. No edge is longer than half a
 * day: if a day is cut after noon, the rest is subtracted from the whole.
 */
export function countedDays(from: Date | null, to: Date | null): CountedDays {
  if (from !== null && to !== null && to.getTime() - from.getTime() <= dayMs / 2) {
    return { first: "0001-01-02", last: "0001-01-01", edges: from < to ? [{ sign: "+", from, to }] : [] };
  }
  const start = from === null ? null : startOf(from);
  const end = to === null ? null : endOf(to);
  const edges = [start?.edge, end?.edge].filter((edge) => edge !== undefined);
  return { first: start?.day ?? null, last: end?.day ?? null, edges };
}

interface Cut {
  readonly day: string;
  readonly edge: CountedDays["edges"][number] | undefined;
}

function startOf(from: Date): Cut {
  const { midnight, next } = dayAround(from);
  if (from.getTime() === midnight.getTime()) return { day: nameOf(midnight), edge: undefined };
  return from.getTime() - midnight.getTime() <= dayMs / 2
    ? { day: nameOf(midnight), edge: { sign: "-", from: midnight, to: from } }
    : { day: nameOf(next), edge: { sign: "+", from, to: next } };
}

function endOf(to: Date): Cut {
  const { midnight, next } = dayAround(to);
  const dayBefore = nameOf(new Date(midnight.getTime() - dayMs));
  if (to.getTime() === midnight.getTime()) return { day: dayBefore, edge: undefined };
  return next.getTime() - to.getTime() <= dayMs / 2
    ? { day: nameOf(midnight), edge: { sign: "-", from: to, to: next } }
    : { day: dayBefore, edge: { sign: "+", from: midnight, to } };
}

function dayAround(time: Date): { midnight: Date; next: Date } {
  const midnight = Math.floor(time.getTime() / dayMs) * dayMs;
  return { midnight: new Date(midnight), next: new Date(midnight + dayMs) };
}

/** The UTC day of a time. */
export function nameOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** When the first day begins, and when the day after the last one does. */
export function spanOfDays(first: string, last: string): Span {
  return { from: new Date(`${first}T00:00:00Z`), to: new Date(Date.parse(`${last}T00:00:00Z`) + dayMs) };
}
