/** "842 ms", "3.2 s", "1 min 04 s", "2 h 05 min". */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  const two = (value: number) => String(value).padStart(2, "0");
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  return `${Math.floor(seconds / 3_600)} h ${two(Math.floor((seconds % 3_600) / 60))} min`;
}

/** Duration units, largest first. */
export const durationUnits = [
  { ms: 86_400_000, name: "days", short: "d" },
  { ms: 3_600_000, name: "hours", short: "h" },
  { ms: 60_000, name: "minutes", short: "min" },
  { ms: 1_000, name: "seconds", short: "s" },
  { ms: 1, name: "milliseconds", short: "ms" },
] as const;

type DurationUnit = (typeof durationUnits)[number];

/** The largest unit of which these milliseconds are a whole number; milliseconds for anything else. */
export function wholeUnit(ms: number): DurationUnit {
  return durationUnits.find((unit) => ms >= unit.ms && ms % unit.ms === 0) ?? durationUnits[4];
}

/** "90 min", "2 d": the milliseconds in that unit, exactly. */
export function inWholeUnit(ms: number): string {
  const unit = wholeUnit(ms);
  return `${ms / unit.ms} ${unit.short}`;
}
