import { formatDuration } from "#components/time/duration.ts";

export interface Comparison {
  /** "12 % more". */
  readonly text: string;
  readonly direction: "up" | "down" | "same";
}

const same: Comparison = { text: "as before", direction: "same" };
const percent = (ratio: number) => `${Math.round(ratio * 100)} %`;

/** A count against the one before. */
export function compareCounts(now: number, before: number): Comparison | null {
  if (before === 0) return now === 0 ? null : { text: "none before", direction: "up" };
  if (now === before) return same;
  const more = now > before;
  const ratio = Math.abs(now - before) / before;
  const text =
    ratio >= 2 ? `${Math.round(now / before)} times as many` : `${percent(ratio)} ${more ? "more" : "fewer"}`;
  return { text, direction: more ? "up" : "down" };
}

/** A rate in percent against the one before, in points. */
export function compareRates(now: number | null, before: number | null): Comparison | null {
  if (now === null || before === null) return null;
  const points = Math.round((now - before) * 10) / 10;
  if (points === 0) return same;
  return { text: `${Math.abs(points)} points ${points > 0 ? "up" : "down"}`, direction: points > 0 ? "up" : "down" };
}

/** A duration against the one before. */
export function compareDurations(now: number | null, before: number | null): Comparison | null {
  if (now === null || before === null) return null;
  // Percentiles are told by steps of a tenth: what is nearer is the same.
  if (Math.abs(now - before) <= Math.max(2, before * 0.1)) return same;
  const by = formatDuration(Math.abs(now - before));
  return now > before ? { text: `${by} slower`, direction: "up" } : { text: `${by} faster`, direction: "down" };
}
