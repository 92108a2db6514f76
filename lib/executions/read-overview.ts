import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { readOverview as readOverviewEndpoint, ShownOverview } from "#lib/contract/execution-overview.ts";
import { iso, timeNow } from "#lib/platform/clock.ts";
import { endedByPeriod } from "./ended-by-period.ts";
import { errorsByFlow } from "./errors-by-flow.ts";
import type { ExecutionFilter } from "./execution-filter.ts";
import { openByPeriod } from "./open-by-period.ts";
import { overviewFigures } from "./overview-figures.ts";
import { bucketStarts, type OverviewSpan, overviewSpan } from "./overview-span.ts";
import { type RunsAt, runsByHour } from "./runs-by-hour.ts";
import { slowestFlows } from "./slowest-flows.ts";

type Wish = z.output<(typeof readOverviewEndpoint)["query"]>;

const rowsMax = 8;

/**
 * How the runs of a span went, against the span before it: from rollups, and for hours from an index, so that it takes as
 * long for a million runs. Throws VALIDATION_ERROR.
 */
export async function readOverview(actor: Actor, { flowId, ...wish }: Wish): Promise<ShownOverview> {
  const span = overviewSpan(wish, timeNow());
  const runs = { workspaceId: actor.workspaceId, flowId: flowId || undefined };
  const filter: ExecutionFilter = { ...runs, startDate: span.from, endDate: span.to };
  const before = { ...runs, startDate: span.previousFrom, endDate: new Date(span.from.getTime() - 1) };
  const [current, previous, points, errors, slowest] = await Promise.all([
    overviewFigures(filter),
    overviewFigures(before),
    span.bucket === "hour" ? runsByHour(filter) : runsByDay(filter),
    errorsByFlow(filter, rowsMax),
    slowestFlows(filter, rowsMax),
  ]);
  return {
    from: iso(span.from),
    to: iso(span.to),
    bucket: span.bucket,
    current,
    previous,
    series: showSeries(span, points),
    errors,
    slowestFlows: slowest,
  };
}

async function runsByDay(filter: ExecutionFilter): Promise<RunsAt[]> {
  const [ended, open] = await Promise.all([endedByPeriod(filter, "day"), openByPeriod(filter, "day")]);
  const openOf = new Map(open.map(({ date, pending, running }) => [date, pending + running]));
  const endedOf = new Map(ended.map((row) => [row.date, row]));
  return [...new Set([...endedOf.keys(), ...openOf.keys()])].map((date) => {
    const { completed = 0, failed = 0, cancelled = 0, timeout = 0 } = endedOf.get(date) ?? {};
    return { at: new Date(`${date}T00:00:00Z`), open: openOf.get(date) ?? 0, completed, failed, cancelled, timeout };
  });
}

function showSeries(span: OverviewSpan, points: readonly RunsAt[]): ShownOverview["series"] {
  const byTime = new Map(points.map(({ at, ...counts }) => [at.getTime(), counts]));
  const none = { open: 0, completed: 0, failed: 0, cancelled: 0, timeout: 0 };
  return bucketStarts(span).map((at) => ({ at: iso(at), ...(byTime.get(at.getTime()) ?? none) }));
}
