import type { Actor } from "#lib/auth/actor.ts";
import { countMail } from "#lib/auth/sign-in-throttle.ts";
import type { AlertKind, ShownAlert } from "#lib/contract/alerts.ts";
import { alertEvent } from "#lib/contract/event-names.ts";
import type { PageAsked } from "#lib/contract/query.ts";
import { iso } from "#lib/platform/clock.ts";
import { pageOf } from "#lib/platform/database/page.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { newId, uuidOfId } from "#lib/platform/ids.ts";
import { canSendMail, sendMail } from "#lib/platform/mail.ts";
import type { Prisma } from "#lib/platform/prisma/client.ts";
import type { AlertModel, AlertRuleModel } from "#lib/platform/prisma/models.ts";
import type { Cause } from "./cause.ts";

/** A page of the workspace's alerts, latest first. */
export async function listAlerts({ workspaceId }: Actor, asked: PageAsked) {
  const where = { workspaceId };
  const { alert } = database();
  return await pageOf(asked, alert.count({ where }), async (part) => {
    const rows = await alert.findMany({ where, orderBy: [{ at: "desc" }, { id: "desc" }], ...part });
    return rows.map(showAlert);
  });
}

function showAlert(row: AlertModel): ShownAlert {
  const { id, ruleId, ruleName, kind, flowId, flowName, executionId, message, at } = row;
  return { id, ruleId, ruleName, kind: kind as AlertKind, flowId, flowName, executionId, message, at: iso(at) };
}

/**
 * Writes an alert, its events and the rule's new state atomically. Returns false, having written nothing, if the rule
 * was changed, deleted or has fired since it was read.
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

/** The first alerts of a workspace in each hour of the clock are mailed; all are shown. */
const mailedMax = 100;
const hourMs = 3_600_000;

async function write(transaction: Prisma.TransactionClient, rule: AlertRuleModel, cause: Cause, now: Date) {
  const { workspaceId } = rule;
  const { at: _, ...found } = cause;
  const alert = { id: newId("alert"), ruleId: rule.id, ruleName: rule.name, kind: rule.kind, ...found };
  const sinceHour = { workspaceId, at: { gte: new Date(now.getTime() - (now.getTime() % hourMs)) } };
  const unmailed = (await transaction.alert.count({ where: sinceHour })) < mailedMax ? rule.emails : [];
  await transaction.alert.create({ data: { ...alert, workspaceId, at: now, unmailed } });
  const subscriptions = await transaction.webhookSubscription.findMany({
    where: { workspaceId, active: true, events: { has: alertEvent } },
    select: { id: true },
  });
  const { id: alertId, ...rest } = alert;
  const body = JSON.stringify({ event: alertEvent, timestamp: iso(now), data: { alertId, ...rest } });
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

interface Unmailed {
  id: string;
  rule_name: string;
  message: string;
  execution_id: string | null;
  emails: string[];
}

const alertsMax = 20;

/**
 * Mails pending alerts, each at most once: an alert is marked before its mail is sent, because a missing mail is better
 * than endless repeats, and the app shows the alert anyway. Workspaces take turns.
 */
export async function mailAlerts(): Promise<void> {
  if (!canSendMail()) return;
  const alerts = await database().$queryRaw<Unmailed[]>`
    UPDATE alert a SET unmailed = '{}' FROM (
      SELECT id, unmailed AS emails FROM alert WHERE cardinality(unmailed) > 0 AND id = ANY(ARRAY(
        SELECT id FROM (
          SELECT id, at, row_number() OVER (PARTITION BY workspace_id ORDER BY at) AS place
          FROM alert WHERE cardinality(unmailed) > 0) AS waiting
        ORDER BY place, at LIMIT ${alertsMax})) FOR UPDATE SKIP LOCKED) AS due
    WHERE a.id = due.id RETURNING a.id, a.rule_name, a.message, a.execution_id, due.emails`;
  for (const { rule_name: name, message, execution_id: executionId, emails } of alerts) {
    const link = `${env().publicUrl}/${executionId === null ? "" : `runs/${executionId}`}`;
    const text = `${message}.\n\n${link}\n\nSent by the alert rule “${name}”. Manage rules at ${env().publicUrl}/alerts.`;
    const mail = async (to: string) => {
      // Sent uncounted rather than lost: the alert is marked.
      const isAllowed = await countMail(to).catch(() => true);
      if (isAllowed) await sendMail({ to, subject: `${name}: ${message}`, text });
    };
    await Promise.all(emails.map(mail));
  }
}
