import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type {
  OverviewBucket,
  readOverview as readOverviewEndpoint,
  ShownOverview,
} from "#lib/contract/executions/figures.ts";
import { AppError } from "#lib/errors.ts";
import { countRecovered } from "#lib/executions/retries.ts";
import type { EndedStatus, ExecutionFilter } from "#lib/executions/search/execution-filter.ts";
import { iso, timeNow } from "#lib/platform/clock.ts";
import { percentileOf } from "./duration-buckets.ts";
import { endedByPeriod, openByPeriod } from "./ended-by-period.ts";
import { errorsByFlow } from "./errors.ts";
import { durationsOfCompleted, slowestFlows } from "./slowest.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const spanMsMax = 366 * dayMs;
const hourlyMsMax = 14 * dayMs;

interface OverviewSpan {
  readonly from: Date;
  /** The span's last moment. */
  readonly to: Date;
  /** The start of the previous span of the same length. */
  readonly previousFrom: Date;
  readonly bucket: OverviewBucket;
}

interface SpanQuery {
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
  readonly bucket?: OverviewBucket | undefined;
}

/** The span of an overview. Throws VALIDATION_ERROR if it is empty or longer than a year. */
export function overviewSpan({ startDate, endDate, bucket }: SpanQuery, now: Date): OverviewSpan {
  const to = endDate ?? now;
  const from = startDate ?? new Date(to.getTime() - dayMs);
  const lengthMs = to.getTime() - from.getTime();
  if (lengthMs <= 0) throw refuse("startDate", "startDate must be before endDate");
  if (lengthMs > spanMsMax) throw refuse("startDate", "the span must not be longer than 366 days");
  const byLength = lengthMs <= 2 * dayMs ? "hour" : "day";
  return {
    from,
    to,
    previousFrom: new Date(from.getTime() - lengthMs),
    bucket: lengthMs > hourlyMsMax ? "day" : (bucket ?? byLength),
  };
}

/** The starts of a span's hours or days, the first of them at or before its start. */
export function bucketStarts({ from, to, bucket }: OverviewSpan): Date[] {
  const stepMs = bucket === "hour" ? hourMs : dayMs;
  const first = Math.floor(from.getTime() / stepMs) * stepMs;
  const count = Math.floor((to.getTime() - first) / stepMs) + 1;
  return Array.from({ length: count }, (_, index) => new Date(first + index * stepMs));
}

function refuse(field: string, message: string): AppError {
  return new AppError("VALIDATION_ERROR", "The query is not valid", { details: { [field]: message } });
}

/** The totals of an hour's or a day's runs. */
interface RunsAt {
  readonly at: Date;
  readonly open: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly timeout: number;
}

type OverviewOptions = z.output<(typeof readOverviewEndpoint)["query"]>;

const rowsMax = 8;

/**
 * Compares a span's runs with those of the previous span. Reads rollups, so that a million runs take no longer. Throws
 * VALIDATION_ERROR.
 */
export async function readOverview(actor: Actor, { flowId, ...options }: OverviewOptions): Promise<ShownOverview> {
  const span = overviewSpan(options, timeNow());
  const runs = { workspaceId: actor.workspaceId, flowId: flowId || undefined, drafts: "none" } as const;
  const filter: ExecutionFilter = { ...runs, startDate: span.from, endDate: span.to };
  const before = { ...runs, startDate: span.previousFrom, endDate: new Date(span.from.getTime() - 1) };
  const [current, previous, recovered, points, errors, slowest] = await Promise.all([
    overviewFigures(filter),
    overviewFigures(before),
    countRecovered(filter),
    runsBy(span.bucket, filter),
    errorsByFlow(filter, rowsMax),
    slowestFlows(filter, rowsMax),
  ]);
  return {
    from: iso(span.from),
    to: iso(span.to),
    bucket: span.bucket,
    current,
    recovered,
    previous,
    series: showSeries(span, points),
    errors,
    slowestFlows: slowest,
  };
}

async function runsBy(bucket: OverviewBucket, filter: ExecutionFilter): Promise<RunsAt[]> {
  const [ended, open] = await Promise.all([endedByPeriod(filter, bucket), openByPeriod(filter, bucket)]);
  const openOf = new Map(open.map(({ date, pending, running }) => [date, pending + running]));
  const endedOf = new Map(ended.map((row) => [row.date, row]));
  return [...new Set([...endedOf.keys(), ...openOf.keys()])].map((date) => {
    const { completed = 0, failed = 0, cancelled = 0, timeout = 0 } = endedOf.get(date) ?? {};
    return { at: new Date(date), open: openOf.get(date) ?? 0, completed, failed, cancelled, timeout };
  });
}

function showSeries(span: OverviewSpan, points: readonly RunsAt[]): ShownOverview["series"] {
  const byTime = new Map(points.map(({ at, ...counts }) => [at.getTime(), counts]));
  const none = { open: 0, completed: 0, failed: 0, cancelled: 0, timeout: 0 };
  return bucketStarts(span).map((at) => ({ at: iso(at), ...(byTime.get(at.getTime()) ?? none) }));
}

/** The totals of the runs that match a filter of flow and span. */
async function overviewFigures(filter: ExecutionFilter): Promise<ShownOverview["current"]> {
  const [ended, open, durations] = await Promise.all([
    endedByPeriod(filter, "month"),
    openByPeriod(filter, "month"),
    durationsOfCompleted(filter),
  ]);
  const endedOf = (status: EndedStatus) => ended.reduce((sum, month) => sum + month[status], 0);
  const openOf = (status: "pending" | "running") => open.reduce((sum, month) => sum + month[status], 0);
  const counts = {
    pending: openOf("pending"),
    running: openOf("running"),
    completed: endedOf("completed"),
    failed: endedOf("failed"),
    cancelled: endedOf("cancelled"),
    timeout: endedOf("timeout"),
  };
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const final = total - counts.pending - counts.running;
  return {
    total,
    ...counts,
    successRate: final === 0 ? null : Math.round((counts.completed / final) * 10_000) / 100,
    p50: percentileOf(durations, 0.5),
    p95: percentileOf(durations, 0.95),
  };
}
