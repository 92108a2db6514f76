const hour = 3_600_000;

/** How far back the list of runs can look. */
export const periods = [
  { value: "1h", label: "Last hour", ms: hour },
  { value: "24h", label: "Last 24 hours", ms: 24 * hour },
  { value: "7d", label: "Last 7 days", ms: 7 * 24 * hour },
  { value: "30d", label: "Last 30 days", ms: 30 * 24 * hour },
] as const;

/** The list's filters, as named in the page's URL. */
export const filterNames = ["flow", "status", "since", "from", "to", "source", "search", "min", "max"] as const;
export type RunFilter = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

export function readFilter(read: (name: string) => string | undefined): RunFilter {
  return Object.fromEntries(filterNames.flatMap((name) => (read(name) === undefined ? [] : [[name, read(name)]])));
}

export function isFiltered(filter: RunFilter): boolean {
  return Object.keys(filter).length > 0;
}

/** All filters, empty unless given: replaces the filter in the URL. */
export function filterChange(filter: RunFilter = {}): Record<string, string | null> {
  return Object.fromEntries(filterNames.map((name) => [name, filter[name] ?? null]));
}

/** The filter for the API's list; `since` becomes a time. */
export function listQuery(filter: RunFilter, now: number) {
  const period = periods.find(({ value }) => value === filter.since);
  return {
    flowId: filter.flow,
    status: filter.status,
    source: filter.source,
    search: filter.search,
    startDate: period === undefined ? filter.from : new Date(now - period.ms).toISOString(),
    endDate: filter.to,
    minDuration: filter.min,
    maxDuration: filter.max,
  };
}

/** The filter for bulk operations. What is empty in the URL is no condition. */
export function bulkFilter(filter: RunFilter, now: number) {
  const { status, source, minDuration, maxDuration, ...query } = listQuery(filter, now);
  const all = {
    ...query,
    status: status?.split(","),
    source: source?.split(","),
    minDuration: minDuration === undefined ? undefined : Number(minDuration),
    maxDuration: maxDuration === undefined ? undefined : Number(maxDuration),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value));
}
