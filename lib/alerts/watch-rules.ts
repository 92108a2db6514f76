import { timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import type { AlertRuleModel } from "#lib/platform/prisma/models.ts";
import { fireAlert, mailAlerts } from "./alerts.ts";
import { findCause } from "./find-cause.ts";

/** How often a rule is looked at. */
const checkMs = 10_000;

/**
 * Looks at every rule whose time has come; gives how many alerts were made. Any number of processes may do so: a rule is
 * claimed by moving its next time, and of two that tell the same, one does.
 */
export async function evaluateRules(now = timeNow()): Promise<number> {
  let made = 0;
  for (;;) {
    const rule = await claimRule(now);
    if (rule === null) return made;
    if (await evaluate(rule, now)) made += 1;
  }
}

/** The next rule that is due. Should its claimer die, it is due again soon, with all that happened since it was looked at. */
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

/** Looks at the rules that are due, and mails what has not been mailed; gives how many alerts were made. */
export async function watchRules(): Promise<number> {
  const made = await evaluateRules();
  await mailAlerts();
  return made;
}
