import { alertEvent } from "#lib/contract/event-names.ts";
import { iso } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { newId, uuidOfId } from "#lib/platform/ids.ts";
import type { Prisma } from "#lib/platform/prisma/client.ts";
import type { AlertRuleModel } from "#lib/platform/prisma/models.ts";
import type { Cause } from "./cause.ts";

/**
 * Writes an alert, its events to subscribers and what the rule has told, together. False when the rule was changed,
 * deleted or has told something since it was read: then nothing is written.
 */
export async function fireAlert(rule: AlertRuleModel, cause: Cause, now: Date): Promise<boolean> {
  return await database().$transaction(async (transaction) => {
    const { id, updatedAt, lastAlertAt } = rule;
    const { count } = await transaction.alertRule.updateMany({
      where: { id, updatedAt, lastAlertAt },
      data: { checkedAt: now, lastAlertAt: now, lastCauseAt: cause.at },
    });
    if (count === 0) return false;
    await write(transaction, rule, cause, now);
    return true;
  });
}

async function write(transaction: Prisma.TransactionClient, rule: AlertRuleModel, cause: Cause, now: Date) {
  const { workspaceId } = rule;
  const { at: _, ...found } = cause;
  const alert = { id: newId("alert"), ruleId: rule.id, ruleName: rule.name, kind: rule.kind, ...found };
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
