import { timeNow } from "#lib/platform/clock.ts";
import { database, isUnavailable } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import type { AlertRuleModel } from "#lib/platform/prisma/models.ts";
import { fireAlert, mailAlerts } from "./alerts.ts";
import { findCause } from "./find-cause.ts";

/** How often a rule is checked. */
const checkMs = 10_000;

/**
 * Checks every due rule; returns how many alerts fired. Safe to call in several processes at once: a rule is claimed by
 * moving its next time, and of two that would fire the same alert, only one does.
 */
export async function evaluateRules(now = timeNow()): Promise<number> {
  let made = 0;
  for (;;) {
    const rule = await claimRule(now);
    if (rule === null) return made;
    try {
      if (await evaluate(rule, now)) made += 1;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      // It is soon due again, and must not hold up those of other workspaces.
      logLine("error", "An alert rule could not be evaluated", { ruleId: rule.id, ...errorFields(error) });
    }
  }
}

/** Claims the next due rule. If the process dies, the rule is soon due again, with everything since its last check. */
async function claimRule(now: Date): Promise<AlertRuleModel | null> {
  const [claimed] = await database().$queryRaw<{ id: string }[]>`
    UPDATE alert_rule SET next_check_at = ${new Date(now.getTime() + checkMs)} WHERE id = (
      SELECT id FROM alert_rule WHERE active AND next_check_at <= ${now}
      ORDER BY next_check_at LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id`;
  if (claimed === undefined) return null;
  return await database().alertRule.findUnique({ where: { id: claimed.id } });
}

async function evaluate(rule: AlertRuleModel, now: Date): Promise<boolean> {
  const isQuiet = rule.lastAlertAt !== null && now.getTime() - rule.lastAlertAt.getTime() < rule.quietMinutes * 60_000;
  const cause = isQuiet ? null : await findCause(rule, now);
  if (cause !== null) return await fireAlert(rule, cause, now);
  await database().alertRule.updateMany({
    where: { id: rule.id, updatedAt: rule.updatedAt },
    data: { checkedAt: now },
  });
  return false;
}

/** Checks the due rules and mails pending alerts; returns how many fired. */
export async function watchRules(): Promise<number> {
  const made = await evaluateRules();
  await mailAlerts();
  return made;
}
