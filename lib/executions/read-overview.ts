import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { readOverview as readOverviewEndpoint, ShownOverview } from "#lib/contract/execution-overview.ts";
import { iso } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import { bucketStarts, type OverviewSpan, overviewSpan } from "./overview-span.ts";

type Wish = z.output<(typeof readOverviewEndpoint)["query"]>;

const rowsMax = 8;

const filtered = `FROM execution WHERE workspace_id = $1 AND ($2::text IS NULL OR flow_id = $2)
  AND started_at >= $3 AND started_at <= $4`;

const countOf = (status: string) => `count(*) FILTER (WHERE status = '${status}')::int AS ${status}`;
const ended = ["completed", "failed", "cancelled", "timeout"].map(countOf).join(", ");
const percentile = (share: number, name: string) =>
  `percentile_disc(${share}) WITHIN GROUP (ORDER BY duration_ms) FILTER (WHERE status = 'completed') AS ${name}`;

const totals = `SELECT count(*)::int AS total, ${countOf("pending")}, ${countOf("running")}, ${ended},
  ${percentile(0.5, "p50")}, ${percentile(0.95, "p95")} ${filtered}`;

const series = `SELECT date_trunc($5, started_at, 'UTC') AS at,
  count(*) FILTER (WHERE status IN ('pending', 'running'))::int AS open, ${ended} ${filtered} GROUP BY 1`;

const errors = `SELECT error_message AS error, flow_id AS "flowId", max(flow_name) AS "flowName", count(*)::int AS count
  ${filtered} AND error_message IS NOT NULL GROUP BY 1, 2 ORDER BY 4 DESC, 1, 2 LIMIT ${rowsMax}`;

const slowest = `SELECT flow_id AS "flowId", max(flow_name) AS "flowName", count(*)::int AS completed,
  ${percentile(0.5, "p50")}, ${percentile(0.95, "p95")}
  ${filtered} AND status = 'completed' GROUP BY 1 ORDER BY 5 DESC, 1 LIMIT ${rowsMax}`;

type Counts = Omit<ShownOverview["current"], "successRate">;
type Point = Omit<ShownOverview["series"][number], "at"> & { readonly at: Date };

/** How the runs of a span went, against the span before it. Throws VALIDATION_ERROR. */
export async function readOverview(actor: Actor, { flowId, ...wish }: Wish): Promise<ShownOverview> {
  const span = overviewSpan(wish, new Date());
  const values = [actor.workspaceId, flowId || null, span.from, span.to];
  const before = [actor.workspaceId, flowId || null, span.previousFrom, new Date(span.from.getTime() - 1)];
  const [[current], [previous], points, common, slow] = await Promise.all([
    query<Counts>("overview-totals", totals, values),
    query<Counts>("overview-totals", totals, before),
    query<Point>("overview-series", series, [...values, span.bucket]),
    query<ShownOverview["errors"][number]>("overview-errors", errors, values),
    query<ShownOverview["slowestFlows"][number]>("overview-slowest", slowest, values),
  ]);
  return {
    from: iso(span.from),
    to: iso(span.to),
    bucket: span.bucket,
    current: showFigures(current),
    previous: showFigures(previous),
    series: showSeries(span, points),
    errors: common,
    slowestFlows: slow,
  };
}

const nothing = { total: 0, pending: 0, running: 0, completed: 0, failed: 0, cancelled: 0, timeout: 0 };

function showFigures(counts: Counts = { ...nothing, p50: null, p95: null }): ShownOverview["current"] {
  const { completed, failed, cancelled, timeout } = counts;
  const all = completed + failed + cancelled + timeout;
  return { ...counts, successRate: all === 0 ? null : Math.round((completed / all) * 10_000) / 100 };
}

function showSeries(span: OverviewSpan, points: readonly Point[]): ShownOverview["series"] {
  const byTime = new Map(points.map(({ at, ...counts }) => [at.getTime(), counts]));
  const none = { open: 0, completed: 0, failed: 0, cancelled: 0, timeout: 0 };
  return bucketStarts(span).map((at) => ({ at: iso(at), ...(byTime.get(at.getTime()) ?? none) }));
}
