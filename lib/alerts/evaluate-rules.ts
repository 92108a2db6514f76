import { alertEvent } from "#lib/contract/event-names.ts";
import { iso } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { newId, uuidOfId } from "#lib/platform/ids.ts";
import type { Prisma } from "#lib/platform/prisma/client.ts";
import type { AlertRuleModel } from "#lib/platform/prisma/models.ts";
import { type Cause, findCause } from "./find-cause.ts";

/** How often a rule is looked at. */
const checkMs = 10_000;

/**
 * Looks at every rule whose time has come; gives how many alerts were made. Any number of processes may do so: who looks
 * at a rule holds its row, and the alert, its events and what the rule has told are written together.
 */
export async function evaluateRules(now = new Date()): Promise<number> {
  let made = 0;
  for (;;) {
    const outcome = await database().$transaction((transaction) => evaluateNext(transaction, now));
    if (outcome === "none") return made;
    if (outcome === "alert") made += 1;
  }
}

async function evaluateNext(transaction: Prisma.TransactionClient, now: Date): Promise<"none" | "quiet" | "alert"> {
  const [due] = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM alert_rule WHERE active AND next_check_at <= ${now}
    ORDER BY next_check_at LIMIT 1 FOR UPDATE SKIP LOCKED`;
  if (due === undefined) return "none";
  const rule = await transaction.alertRule.findUniqueOrThrow({ where: { id: due.id } });
  const isQuiet = rule.lastAlertAt !== null && now.getTime() - rule.lastAlertAt.getTime() < rule.quietMinutes * 60_000;
  const cause = isQuiet ? null : await findCause(transaction, rule, now);
  await transaction.alertRule.update({
    where: { id: rule.id },
    data: {
      checkedAt: now,
      nextCheckAt: new Date(now.getTime() + checkMs),
      ...(cause === null ? {} : { lastAlertAt: now, lastCauseAt: cause.at }),
    },
  });
  if (cause === null) return "quiet";
  await fire(transaction, rule, cause, now);
  return "alert";
}

async function fire(transaction: Prisma.TransactionClient, rule: AlertRuleModel, cause: Cause, now: Date) {
  const { workspaceId } = rule;
  const alert = {
    id: newId("alert"),
    ruleId: rule.id,
    ruleName: rule.name,
    kind: rule.kind,
    flowId: cause.flowId,
    flowName: cause.flowName,
    executionId: cause.executionId,
    message: cause.message,
  };
  await transaction.alert.create({ data: { ...alert, workspaceId, at: now, unmailed: rule.emails } });
  const subscriptions = await transaction.webhookSubscription.findMany({
    where: { workspaceId, active: true, events: { has: alertEvent } },
    select: { id: true },
  });
  const { id: alertId, ...told } = alert;
  const body = JSON.stringify({ event: alertEvent, timestamp: iso(now), data: { alertId, ...told } });
  await transaction.webhookDelivery.createMany({
    data: subscriptions.map(({ id: subscriptionId }) => ({
      id: uuidOfId(newId("delivery")),
      subscriptionId,
      event: alertEvent,
      body,
      status: "pending",
      nextAttemptAt: now,
      createdAt: now,
    })),
  });
}
