import { durationInWords } from "#lib/duration.ts";
import {
  conditionsOf,
  endedStatuses,
  hasStatus,
  notOfDraft,
  openStatuses,
  parameters,
} from "#lib/executions/search/execution-filter.ts";
import { endedByPeriod } from "#lib/executions/statistics/ended-by-period.ts";
import { database, query, queryPlanned } from "#lib/platform/database.ts";
import type { AlertRuleModel } from "#lib/platform/prisma/models.ts";
import { type Cause, type CauseRow, causeOfRun, formatMinutes, newSince, watchedRuns, windowStart } from "./cause.ts";

/** Fewer runs are not enough for a rate. */
const runsOfRateMin = 5;

/**
 * Fires if at least the rule's percentage of the runs that started within the window and have ended failed. Cancelled
 * runs do not count.
 */
async function findFailureRate(rule: AlertRuleModel, now: Date): Promise<Cause | null> {
  const { flowId, threshold, windowMinutes } = rule;
  const months = await endedByPeriod(watchedRuns(rule, windowStart(rule, now)), "month");
  const failed = months.reduce((sum, month) => sum + month.failed + month.timeout, 0);
  const ended = failed + months.reduce((sum, month) => sum + month.completed, 0);
  if (ended < runsOfRateMin || failed * 100 < threshold * ended) return null;
  const flow = flowId === null ? null : await database().flow.findUnique({ where: { id: flowId } });
  const which = flowId === null ? "all runs" : `the runs of ${flow?.name ?? "the flow"}`;
  const percent = Math.round((failed / ended) * 100);
  const message = `${percent}% of ${which} failed within ${formatMinutes(windowMinutes)}: ${failed} of ${ended}`;
  return { at: now, flowId, flowName: flow?.name ?? null, executionId: null, message };
}

/** Flows per check. */
const flowsMax = 50;

const latest = "ORDER BY started_at DESC, id DESC";

// Status by status, as the indexes are ordered, so that nothing is read in vain.
const lastRuns = `
  SELECT r.* FROM unnest('{completed,failed,timeout}'::text[]) AS s(name) CROSS JOIN LATERAL (
    SELECT id, flow_id, flow_name, status, completed_at, started_at FROM execution
    WHERE workspace_id = $1 AND flow_id = $2 AND status = s.name AND completed_at IS NOT NULL
      AND ${notOfDraft} ${latest} LIMIT $3) AS r
  ${latest} LIMIT $3`;

/** Fires if a flow's last runs, as many as the rule's threshold, all failed, at least one of them recently. */
async function findFailuresInRow(rule: AlertRuleModel): Promise<Cause | null> {
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
    `SELECT DISTINCT flow_id FROM execution WHERE ${failed} AND completed_at > ${bind(newSince(rule))}::timestamptz
     LIMIT ${flowsMax}`,
    values,
  );
  return rows.map(({ flow_id: flowId }) => flowId);
}

/**
 * Checks what happened since the rule's last check; null if there is nothing to report. Reads only indexes and rollups,
 * so that the cost does not grow with the stored runs.
 */
export async function findCause(rule: AlertRuleModel, now: Date): Promise<Cause | null> {
  if (rule.kind === "failures_in_row") return await findFailuresInRow(rule);
  if (rule.kind === "failure_rate") return await findFailureRate(rule, now);
  if (rule.kind === "duration") return await findLongRun(rule);
  if (rule.kind === "credential") return await findRefusedCredential(rule);
  if (rule.kind === "drift") return await findDrift(rule);
  return await findInactivity(rule, now);
}

/** Fires if no run started within the rule's window. */
async function findInactivity(rule: AlertRuleModel, now: Date): Promise<Cause | null> {
  const since = windowStart(rule, now);
  // A rule younger than its window has not watched long enough.
  if (rule.updatedAt > since || (await hasStarted(rule, since))) return null;
  const { flowId, windowMinutes } = rule;
  const flow = flowId === null ? null : await database().flow.findUnique({ where: { id: flowId } });
  const which = flowId === null ? "No flow has" : `${flow?.name ?? "The flow"} has not`;
  const message = `${which} run for ${formatMinutes(windowMinutes)}`;
  return { at: now, flowId, flowName: flow?.name ?? null, executionId: null, message };
}

/** Queries open and ended runs separately, because they are in two indexes. */
async function hasStarted(rule: AlertRuleModel, since: Date): Promise<boolean> {
  const { bind, values } = parameters();
  const runs = `SELECT 1 FROM execution WHERE ${conditionsOf(watchedRuns(rule, since), bind)}`;
  const [row] = await queryPlanned<{ any: boolean }>(
    `SELECT EXISTS (${runs} AND ${hasStatus(openStatuses, "open")})
         OR EXISTS (${runs} AND ${hasStatus(endedStatuses, "ended")}) AS any`,
    values,
  );
  return row?.any ?? false;
}

/** Fires for the latest run that ended recently and took longer than the rule's milliseconds. */
async function findLongRun(rule: AlertRuleModel): Promise<Cause | null> {
  const { bind, values } = parameters();
  const [run] = await queryPlanned<CauseRow & { duration_ms: number }>(
    `SELECT id, flow_id, flow_name, completed_at, duration_ms FROM execution
     WHERE ${conditionsOf(watchedRuns(rule), bind)} AND completed_at IS NOT NULL
       AND completed_at > ${bind(newSince(rule))}::timestamptz AND duration_ms > ${bind(rule.threshold)}::int
     ORDER BY completed_at DESC LIMIT 1`,
    values,
  );
  if (run === undefined) return null;
  const [duration, limit] = [run.duration_ms, rule.threshold].map(durationInWords);
  return causeOfRun(run, `A run of ${run.flow_name} took ${duration}, longer than ${limit}`);
}

/** Matches a stored warning's code. In a message, the quotes would be escaped. */
const ofDrift = `%"code":"DRIFT"%`;

/** Fires for the latest run that ended recently with an output unlike earlier ones. */
async function findDrift(rule: AlertRuleModel): Promise<Cause | null> {
  const { bind, values } = parameters();
  const [run] = await queryPlanned<CauseRow & { warnings: string }>(
    `SELECT id, flow_id, flow_name, completed_at, warnings FROM execution
     WHERE ${conditionsOf(watchedRuns(rule), bind)} AND completed_at IS NOT NULL
       AND completed_at > ${bind(newSince(rule))}::timestamptz AND warning_count > 0 AND warnings LIKE ${bind(ofDrift)}
     ORDER BY completed_at DESC LIMIT 1`,
    values,
  );
  if (run === undefined) return null;
  const warnings = JSON.parse(run.warnings) as { readonly code?: string; readonly message: string }[];
  const { message = "an output" } = warnings.find(({ code }) => code === "DRIFT") ?? {};
  return causeOfRun(run, `A run of ${run.flow_name} differs from earlier ones: ${message}`);
}

/** Fires for the latest credential that its provider refused. */
async function findRefusedCredential(rule: AlertRuleModel): Promise<Cause | null> {
  const found = await database().oAuthConnection.findFirst({
    where: { workspaceId: rule.workspaceId, status: "needs-reconnect", refusedAt: { gt: newSince(rule) } },
    orderBy: { refusedAt: "desc" },
    select: { refusedAt: true, problem: true, credential: { select: { name: true } } },
  });
  if (found === null || found.refusedAt === null) return null;
  const reason = found.problem ?? "the provider refused";
  const message = `The credential ${found.credential.name} needs to be connected again: ${reason}`;
  return { at: found.refusedAt, flowId: null, flowName: null, executionId: null, message };
}
