import { conditionsOf, endedStatuses, hasStatus, openStatuses, parameters } from "#lib/executions/execution-filter.ts";
import { database, queryPlanned } from "#lib/platform/database.ts";
import type { AlertRuleModel } from "#lib/platform/prisma/models.ts";
import { type Cause, minutesInWords, watchedRuns, windowStart } from "./cause.ts";

/** No run started within the rule's window. */
export async function findInactivity(rule: AlertRuleModel, now: Date): Promise<Cause | null> {
  const since = windowStart(rule, now);
  // A rule that is younger than its window has not watched for long enough.
  if (rule.updatedAt > since || (await hasStarted(rule, since))) return null;
  const { flowId, windowMinutes } = rule;
  const flow = flowId === null ? null : await database().flow.findUnique({ where: { id: flowId } });
  const which = flowId === null ? "No flow has" : `${flow?.name ?? "The flow"} has not`;
  const message = `${which} run for ${minutesInWords(windowMinutes)}`;
  return { at: now, flowId, flowName: flow?.name ?? null, executionId: null, message };
}

/** Asked of open and of ended runs apart, as they stand in two indexes. */
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
