import { endedByPeriod } from "#lib/executions/ended-by-period.ts";
import { database } from "#lib/platform/database.ts";
import type { AlertRuleModel } from "#lib/platform/prisma/models.ts";
import { type Cause, minutesInWords, watchedRuns, windowStart } from "./cause.ts";

/** Fewer runs than these say nothing about a rate. */
const runsOfRateMin = 5;

/** Of the runs that started within the window and have ended, the rule's share or more failed; a cancelled one counts for nothing. */
export async function findFailureRate(rule: AlertRuleModel, now: Date): Promise<Cause | null> {
  const { flowId, threshold, windowMinutes } = rule;
  const months = await endedByPeriod(watchedRuns(rule, windowStart(rule, now)), "month");
  const failed = months.reduce((sum, month) => sum + month.failed + month.timeout, 0);
  const ended = failed + months.reduce((sum, month) => sum + month.completed, 0);
  if (ended < runsOfRateMin || failed * 100 < threshold * ended) return null;
  const flow = flowId === null ? null : await database().flow.findUnique({ where: { id: flowId } });
  const which = flowId === null ? "all runs" : `the runs of ${flow?.name ?? "the flow"}`;
  const percent = Math.round((failed / ended) * 100);
  const message = `${percent} % of ${which} failed within ${minutesInWords(windowMinutes)}: ${failed} of ${ended}`;
  return { at: now, flowId, flowName: flow?.name ?? null, executionId: null, message };
}
