const hourMs = 3_600_000;

/** The spans to choose from, each against the same before it. */
export const overviewPeriods = [
  { value: "1h", label: "1 hour", words: "the last hour", ms: hourMs },
  { value: "24h", label: "24 hours", words: "the last 24 hours", ms: 24 * hourMs },
  { value: "7d", label: "7 days", words: "the last 7 days", ms: 7 * 24 * hourMs },
  { value: "30d", label: "30 days", words: "the last 30 days", ms: 30 * 24 * hourMs },
] as const;

export type OverviewPeriod = (typeof overviewPeriods)[number];

export function periodOf(value: string | undefined): OverviewPeriod {
  return overviewPeriods.find((period) => period.value === value) ?? overviewPeriods[1];
}
