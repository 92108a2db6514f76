import { conditionsOf, hasStatus, parameters } from "#lib/executions/execution-filter.ts";
import { query, queryPlanned } from "#lib/platform/database.ts";
import type { AlertRuleModel } from "#lib/platform/prisma/models.ts";
import { type Cause, type CauseRow, causeOfRun, newsFrom, watchedRuns } from "./cause.ts";

/** Flows that one look takes up. */
const flowsMax = 50;

const latest = "ORDER BY started_at DESC, id DESC";

// Status by status, since that is how the indexes of runs are sorted: none reads more than the rule asks for.
const lastRuns = `
  SELECT r.* FROM unnest('{completed,failed,timeout}'::text[]) AS s(name) CROSS JOIN LATERAL (
    SELECT id, flow_id, flow_name, status, completed_at, started_at FROM execution
    WHERE workspace_id = $1 AND flow_id = $2 AND status = s.name AND completed_at IS NOT NULL ${latest} LIMIT $3) AS r
  ${latest} LIMIT $3`;

/** The last runs of a flow, as many as the rule's threshold, all failed, and one of them lately. */
export async function findFailuresInRow(rule: AlertRuleModel): Promise<Cause | null> {
  const { workspaceId, threshold } = rule;
  for (const flowId of await flowsThatFailed(rule)) {
    const runs = await query<CauseRow & { status: string }>("last-runs", lastRuns, [workspaceId, flowId, threshold]);
    const [last] = runs;
    if (last === undefined || runs.length < threshold) continue;
    if (runs.some(({ status }) => status === "completed")) continue;
    const count = threshold === 1 ? "last run" : `last ${threshold} runs`;
    return causeOfRun(last, `The ${count} of ${last.flow_name} failed`);
  }
  return null;
}

async function flowsThatFailed(rule: AlertRuleModel): Promise<string[]> {
  const { bind, values } = parameters();
  const failed = `${conditionsOf(watchedRuns(rule), bind)} AND ${hasStatus(["failed", "timeout"], "ended")}`;
  const rows = await queryPlanned<{ flow_id: string }>(
    `SELECT DISTINCT flow_id FROM execution WHERE ${failed} AND completed_at > ${bind(newsFrom(rule))}::timestamptz
     LIMIT ${flowsMax}`,
    values,
  );
  return rows.map(({ flow_id: flowId }) => flowId);
}
