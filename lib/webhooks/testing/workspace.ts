// A workspace for tests that choose the time.

import { scopes } from "#lib/access.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { EventName } from "#lib/contract/event-names.ts";
import { finishExecution } from "#lib/executions/store/finish-execution.ts";
import { insertExecution } from "#lib/executions/store/insert-execution.ts";
import { newExecution, triggerTextOf } from "#lib/executions/store/new-execution.ts";
import { database, query } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { bodyOf } from "#lib/webhooks/claim-deliveries.ts";
import { createSubscription } from "#lib/webhooks/subscriptions.ts";

export const secondMs = 1_000;
export const hourMs = 3_600_000;

export async function makeActor(): Promise<Actor> {
  const workspaceId = newId("workspace");
  await database().workspace.create({ data: { id: workspaceId, name: "Test", tier: "free" } });
  return { workspaceId, tier: "free", scopes: new Set(scopes), by: { kind: "key", id: newId("key") } };
}

const openDoor = { check: async () => {} };

export function subscribe(actor: Actor, events: EventName[], url = "https://receiver.example/") {
  return createSubscription(actor, { url, events, active: true }, openDoor);
}

/** Writes the record of a run that starts now. */
export async function startRun(actor: Actor, name = "Orders"): Promise<string> {
  const flow = { id: newId("flow"), workspaceId: actor.workspaceId, name, version: 1, settings: null };
  const trigger = triggerTextOf({ body: {}, headers: {}, query: {}, method: "POST" });
  const request = { triggerType: "manual", trigger, source: "api" as const, ip: null, userAgent: null };
  const execution = newExecution(flow, { ...request, leaseOwner: "test" });
  await insertExecution(execution);
  return execution.id;
}

type Status = "completed" | "failed" | "cancelled" | "timeout";

/** Ends it; false if it had already ended. */
export function endRun(executionId: string, status: Status = "completed", output: unknown = null): Promise<boolean> {
  return finishExecution({
    executionId,
    fence: null,
    status,
    completedAt: new Date().toISOString(),
    output: status === "completed" ? JSON.stringify(output) : null,
    error: null,
    warnings: null,
    nodesExecuted: 0,
    errorCount: 0,
    warningCount: 0,
    reason: null,
    nodes: [],
    logs: [],
  });
}

export interface StoredDelivery {
  readonly id: string;
  readonly event: string;
  readonly execution_id: string | null;
  readonly body: string;
  readonly status: string;
  readonly attempts: number;
  readonly next_attempt_at: Date;
  readonly error: string | null;
}

/** A subscription's deliveries in the order they were written. */
export function storedDeliveries(subscriptionId: string): Promise<StoredDelivery[]> {
  const text = `SELECT *, ${bodyOf("d")} AS body FROM webhook_delivery d WHERE subscription_id = $1 ORDER BY sequence`;
  return query<StoredDelivery & Record<string, unknown>>("test-deliveries", text, [subscriptionId]);
}

export async function isActive(subscriptionId: string): Promise<boolean> {
  const row = await database().webhookSubscription.findUniqueOrThrow({ where: { id: subscriptionId } });
  return row.active;
}
