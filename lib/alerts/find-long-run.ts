import { durationInWords } from "#lib/duration.ts";
import { conditionsOf, parameters } from "#lib/executions/execution-filter.ts";
import { queryPlanned } from "#lib/platform/database.ts";
import type { AlertRuleModel } from "#lib/platform/prisma/models.ts";
import { type Cause, type CauseRow, causeOfRun, newsFrom, watchedRuns } from "./cause.ts";

/** The last run that ended lately and took longer than the rule's milliseconds. */
export async function findLongRun(rule: AlertRuleModel): Promise<Cause | null> {
  const { bind, values } = parameters();
  const [run] = await queryPlanned<CauseRow & { duration_ms: number }>(
    `SELECT id, flow_id, flow_name, completed_at, duration_ms FROM execution
     WHERE ${conditionsOf(watchedRuns(rule), bind)} AND completed_at IS NOT NULL
       AND completed_at > ${bind(newsFrom(rule))}::timestamptz AND duration_ms > ${bind(rule.threshold)}::int
     ORDER BY completed_at DESC LIMIT 1`,
    values,
  );
  if (run === undefined) return null;
  const [took, most] = [run.duration_ms, rule.threshold].map(durationInWords);
  return causeOfRun(run, `A run of ${run.flow_name} took ${took}, longer than ${most}`);
}
