import { randomUUID } from "node:crypto";
import type { Actor } from "#lib/auth/actor.ts";
import type { FiredAlert } from "#lib/contract/alerts.ts";
import { alertEvent } from "#lib/contract/event-names.ts";
import type { ExecutionEvent, ShownDelivery } from "#lib/contract/webhooks.ts";
import { iso, timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { idPrefixes, newId, uuidOfId } from "#lib/platform/ids.ts";
import type { Outbound } from "#lib/platform/outbound/outbound.ts";
import { findDelivery } from "./deliveries.ts";
import { sendDelivery } from "./send-delivery.ts";
import { settleDelivery } from "./settle-delivery.ts";
import { findSubscription } from "./subscriptions.ts";

/** Sends an event without a run, once, even if the subscription is inactive. Throws NOT_FOUND. */
export async function sendTestEvent(
  actor: Actor,
  id: string,
  outbound: Pick<Outbound, "send">,
): Promise<ShownDelivery> {
  const { workspaceId, url, secret, keyVersion, events } = await findSubscription(actor, id);
  const now = timeNow();
  const event = events[0] ?? "execution.completed";
  const deliveryId = newId("delivery");
  const row = { id: uuidOfId(deliveryId), subscriptionId: id, event, body: testBody(event, now), fence: 1 };
  // Not `pending`: if this process dies, nobody else sends it.
  await database().webhookDelivery.create({
    data: { ...row, status: "failed", error: "No result was recorded", nextAttemptAt: now, createdAt: now },
  });
  const delivery = { ...row, workspaceId, url, secret, keyVersion, executionId: null, failures: 0 };
  const attempt = await sendDelivery(delivery, outbound, now, new AbortController().signal);
  await settleDelivery(delivery, attempt, timeNow(), true);
  return await findDelivery(id, deliveryId);
}

/** Has the shape of what will really be sent. */
function testBody(event: string, now: Date): string {
  const data = event === alertEvent ? testAlert : testRun(event);
  return JSON.stringify({ event, timestamp: iso(now), data, test: true });
}

const noId = (kind: keyof typeof idPrefixes) => `${idPrefixes[kind]}_${"0".repeat(26)}`;
const testFlow = { executionId: noId("execution"), flowId: noId("flow"), flowName: "Test" };

function testRun(event: string): Record<keyof Omit<ExecutionEvent["data"], "draft">, unknown> {
  const isStart = event.endsWith(".started");
  return {
    ...testFlow,
    status: isStart ? "running" : event.slice(event.lastIndexOf(".") + 1),
    duration: isStart ? null : 0,
    output: event.endsWith(".completed") ? { test: randomUUID() } : null,
  };
}

const testAlert: FiredAlert = {
  ...testFlow,
  alertId: noId("alert"),
  ruleId: noId("alertRule"),
  ruleName: "Test",
  kind: "failures_in_row",
  message: "This is a test",
};
