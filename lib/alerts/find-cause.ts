import type { AlertRuleModel } from "#lib/platform/prisma/models.ts";
import type { Cause } from "./cause.ts";
import { findFailureRate } from "./find-failure-rate.ts";
import { findFailuresInRow } from "./find-failures-in-row.ts";
import { findInactivity } from "./find-inactivity.ts";
import { findLongRun } from "./find-long-run.ts";

/**
 * Looks for what the rule watches for, in what happened since it last looked; null when there is nothing to tell. What a
 * look reads is bounded by indexes and rollups: it does not grow with the runs that are stored.
 */
export async function findCause(rule: AlertRuleModel, now: Date): Promise<Cause | null> {
  if (rule.kind === "failures_in_row") return await findFailuresInRow(rule);
  if (rule.kind === "failure_rate") return await findFailureRate(rule, now);
  if (rule.kind === "duration") return await findLongRun(rule);
  return await findInactivity(rule, now);
}
