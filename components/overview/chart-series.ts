import { runStatuses } from "#components/status/run-statuses.ts";
import type { ShownOverview } from "#lib/contract/execution-overview.ts";

const hourMs = 3_600_000;

/** The parts of a bar, from below. */
export const chartSeries = [
  { name: "completed", label: runStatuses.completed.label, color: "var(--chart-completed)" },
  { name: "failed", label: runStatuses.failed.label, color: "var(--status-failed)" },
  { name: "timeout", label: runStatuses.timeout.label, color: "var(--status-timeout)" },
  { name: "cancelled", label: runStatuses.cancelled.label, color: "var(--status-cancelled)" },
  { name: "open", label: "Going on", color: "var(--status-running)" },
] as const;

/** The series that have anything to show; completed always, so that a quiet chart has a legend. */
export function shownSeries(points: ShownOverview["series"]) {
  return chartSeries.filter(({ name }) => name === "completed" || points.some((point) => point[name] > 0));
}

/** Where a bar's runs began and ended, within the span. */
export function barSpan(
  { from, to, bucket }: ShownOverview,
  at: string,
): { readonly from: string; readonly to: string } {
  const start = Math.max(Date.parse(at), Date.parse(from));
  const end = Math.min(Date.parse(at) + (bucket === "hour" ? hourMs : 24 * hourMs) - 1, Date.parse(to));
  return { from: new Date(start).toISOString(), to: new Date(end).toISOString() };
}

const hour = { hour: "2-digit", minute: "2-digit" } as const;
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** How bars are named in a zone; null is the browser's. Days are those of UTC, as they are counted. */
export function barNames(bucket: ShownOverview["bucket"], zone: string | null) {
  const timeZone = zone ?? undefined;
  const hours = new Intl.DateTimeFormat("en-GB", { ...hour, timeZone });
  const dayHours = new Intl.DateTimeFormat("en-GB", { weekday: "short", ...hour, timeZone });
  return {
    /** What stands below a bar. */
    tick: (at: string) => (bucket === "hour" ? hours : day).format(new Date(at)),
    /** What a bar is called when it is looked at. */
    whole: (at: string) => (bucket === "hour" ? dayHours.format(new Date(at)) : `${day.format(new Date(at))} (UTC)`),
  };
}
