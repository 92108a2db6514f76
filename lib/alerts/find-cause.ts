import type { PrismaClient } from "#lib/platform/prisma/client.ts";
import type { AlertRuleModel } from "#lib/platform/prisma/models.ts";

/** What a rule found. */
export interface Cause {
  readonly at: Date;
  readonly flowId: string | null;
  readonly flowName: string | null;
  readonly executionId: string | null;
  readonly message: string;
}

export type Reader = Pick<PrismaClient, "$queryRaw">;

/** Fewer runs than these say nothing about a rate. */
const runsOfRateMin = 5;
/** A run's end may be written this long after its time: what is looked at overlaps by it. */
const lateMs = 120_000;
/** Flows that a look at all flows takes up. */
const flowsMax = 50;

/** Looks for what the rule watches for, in what happened since it last looked; null when there is nothing to tell. */
export async function findCause(reader: Reader, rule: AlertRuleModel, now: Date): Promise<Cause | null> {
  if (rule.kind === "failures_in_row") return await failuresInRow(reader, rule);
  if (rule.kind === "failure_rate") return await failureRate(reader, rule, now);
  if (rule.kind === "duration") return await longRun(reader, rule);
  return await inactivity(reader, rule, now);
}

interface RunRow {
  id: string;
  flow_id: string;
  flow_name: string;
  status: string;
  completed_at: Date;
  duration_ms: number;
}

/** Only what ended after the last cause is news. */
function newsFrom({ checkedAt, lastCauseAt }: AlertRuleModel): Date {
  return new Date(Math.max(checkedAt.getTime() - lateMs, lastCauseAt?.getTime() ?? 0));
}

async function failuresInRow(reader: Reader, rule: AlertRuleModel): Promise<Cause | null> {
  const { workspaceId, flowId, threshold } = rule;
  const failed = await reader.$queryRaw<{ flow_id: string }[]>`
    SELECT DISTINCT flow_id FROM execution
    WHERE workspace_id = ${workspaceId} AND completed_at > ${newsFrom(rule)} AND status IN ('failed', 'timeout')
      AND (${flowId}::text IS NULL OR flow_id = ${flowId}) LIMIT ${flowsMax}`;
  for (const { flow_id: candidate } of failed) {
    const last = await reader.$queryRaw<RunRow[]>`
      SELECT * FROM (
        (SELECT id, flow_id, flow_name, status, completed_at, started_at FROM execution
         WHERE workspace_id = ${workspaceId} AND flow_id = ${candidate} AND status = 'completed'
           AND completed_at IS NOT NULL ORDER BY started_at DESC, id DESC LIMIT 1)
        UNION ALL
        (SELECT id, flow_id, flow_name, status, completed_at, started_at FROM execution
         WHERE workspace_id = ${workspaceId} AND flow_id = ${candidate} AND status = 'failed'
           AND completed_at IS NOT NULL ORDER BY started_at DESC, id DESC LIMIT ${threshold})
        UNION ALL
        (SELECT id, flow_id, flow_name, status, completed_at, started_at FROM execution
         WHERE workspace_id = ${workspaceId} AND flow_id = ${candidate} AND status = 'timeout'
           AND completed_at IS NOT NULL ORDER BY started_at DESC, id DESC LIMIT ${threshold})) AS runs
      ORDER BY started_at DESC, id DESC LIMIT ${threshold}`;
    const [latest] = last;
    if (latest === undefined || last.length < threshold) continue;
    if (last.some(({ status }) => status === "completed")) continue;
    return causeOf(latest, `The last ${threshold === 1 ? "run" : `${threshold} runs`} of ${latest.flow_name} failed`);
  }
  return null;
}

async function failureRate(reader: Reader, rule: AlertRuleModel, now: Date): Promise<Cause | null> {
  const { workspaceId, flowId, threshold, windowMinutes } = rule;
  const since = new Date(now.getTime() - windowMinutes * 60_000);
  const [row] = await reader.$queryRaw<{ failed: number; ended: number; flow_name: string | null }[]>`
    SELECT count(*) FILTER (WHERE status IN ('failed', 'timeout'))::int AS failed, count(*)::int AS ended,
      max(flow_name) AS flow_name
    FROM execution
    WHERE workspace_id = ${workspaceId} AND started_at >= ${since} AND completed_at IS NOT NULL
      AND status IN ('completed', 'failed', 'timeout') AND (${flowId}::text IS NULL OR flow_id = ${flowId})`;
  const { failed = 0, ended = 0, flow_name: flowName = null } = row ?? {};
  if (ended < runsOfRateMin || failed * 100 < threshold * ended) return null;
  const percent = Math.round((failed / ended) * 100);
  const which = flowId === null ? "all runs" : `the runs of ${flowName}`;
  const message = `${percent} % of ${which} failed in the last ${windowMinutes} minutes: ${failed} of ${ended}`;
  return { at: now, flowId, flowName: flowId === null ? null : flowName, executionId: null, message };
}

async function longRun(reader: Reader, rule: AlertRuleModel): Promise<Cause | null> {
  const { workspaceId, flowId, threshold } = rule;
  const [run] = await reader.$queryRaw<RunRow[]>`
    SELECT id, flow_id, flow_name, status, completed_at, duration_ms FROM execution
    WHERE workspace_id = ${workspaceId} AND completed_at > ${newsFrom(rule)} AND duration_ms > ${threshold}
      AND (${flowId}::text IS NULL OR flow_id = ${flowId})
    ORDER BY completed_at DESC LIMIT 1`;
  if (run === undefined) return null;
  return causeOf(run, `A run of ${run.flow_name} took ${run.duration_ms} ms, longer than ${threshold} ms`);
}

async function inactivity(reader: Reader, rule: AlertRuleModel, now: Date): Promise<Cause | null> {
  const { workspaceId, flowId, windowMinutes, updatedAt } = rule;
  const since = new Date(now.getTime() - windowMinutes * 60_000);
  // A rule that is younger than its window has not watched for long enough.
  if (updatedAt > since) return null;
  const [row] = await reader.$queryRaw<{ runs: number; flow_name: string | null }[]>`
    SELECT (SELECT count(*)::int FROM (SELECT 1 FROM execution
        WHERE workspace_id = ${workspaceId} AND started_at >= ${since}
          AND (${flowId}::text IS NULL OR flow_id = ${flowId}) LIMIT 1) AS one) AS runs,
      (SELECT name FROM flow WHERE id = ${flowId}) AS flow_name`;
  if (row === undefined || row.runs > 0) return null;
  const which = flowId === null ? "No flow" : `${row.flow_name ?? "The flow"} has not`;
  const message =
    flowId === null ? `${which} has run for ${windowMinutes} minutes` : `${which} run for ${windowMinutes} minutes`;
  return { at: now, flowId, flowName: row.flow_name, executionId: null, message };
}

function causeOf({ id, flow_id: flowId, flow_name: flowName, completed_at: at }: RunRow, message: string): Cause {
  return { at, flowId, flowName, executionId: id, message };
}
