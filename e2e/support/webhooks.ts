// Subscriptions for tests, and the events that their receivers get.
import { createHmac } from "node:crypto";
import { expect, onTestFinished } from "vitest";
import { del, get, post } from "./api-client.ts";
import type { CountingServer, Received } from "./counting-server.ts";
import { eventually } from "./eventually.ts";

export interface TestSubscription {
  readonly id: string;
  readonly url: string;
  readonly events: string[];
  readonly active: boolean;
  readonly secret: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastDelivery: Record<string, unknown> | null;
}

export interface TestDelivery {
  readonly id: string;
  readonly event: string;
  readonly executionId: string | null;
  readonly status: string;
  readonly attempts: number;
  readonly createdAt: string;
  readonly lastAttemptAt: string | null;
  readonly nextAttemptAt: string | null;
  readonly statusCode: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  readonly requestBody: string;
}

export interface TestEvent {
  readonly event: string;
  readonly timestamp: string;
  readonly data: {
    readonly executionId: string;
    readonly flowId: string;
    readonly flowName: string;
    readonly status: string;
    readonly duration: number | null;
    readonly output: unknown;
    readonly draft?: true;
  };
}

export const everyEvent = ["execution.started", "execution.completed", "execution.failed", "execution.cancelled"];

/** Removed when the test ends: the workspace is shared, so all other tests' runs would send events to it. */
export async function subscribe(url: string, events = everyEvent, overrides: object = {}): Promise<TestSubscription> {
  const answer = await post<TestSubscription>("/webhooks", { url, events, ...overrides });
  expect(answer.error).toBeUndefined();
  expect(answer.status).toBe(201);
  onTestFinished(async () => {
    await del(`/webhooks/${answer.data.id}`);
  });
  return answer.data;
}

export const readSubscription = async (id: string) => (await get<TestSubscription>(`/webhooks/${id}`)).data;

export const eventOf = ({ body }: Received): TestEvent => JSON.parse(body);

/** The events of one flow, or of one run, received so far. */
export function eventsOf({ received }: CountingServer, id: string): TestEvent[] {
  return received.map(eventOf).filter(({ data }) => data.flowId === id || data.executionId === id);
}

/** Waits for this many events of the flow or run. */
export function untilEvents(receiver: CountingServer, id: string, count: number): Promise<TestEvent[]> {
  return eventually(`${count} events of ${id} arrive`, () => {
    const events = eventsOf(receiver, id);
    return events.length >= count ? events : undefined;
  });
}

/** A run's deliveries in a subscription's log. */
export async function deliveriesOf(subscriptionId: string, executionId: string): Promise<TestDelivery[]> {
  const { data } = await get<TestDelivery[]>(`/webhooks/${subscriptionId}/deliveries?limit=100`);
  return data.filter((delivery) => delivery.executionId === executionId);
}

/** Waits for the first attempt of a run's delivery. */
export function untilAttempted(subscriptionId: string, executionId: string): Promise<TestDelivery> {
  return eventually("a delivery is attempted", async () => {
    const deliveries = await deliveriesOf(subscriptionId, executionId);
    return deliveries.find((delivery) => delivery.lastAttemptAt !== null);
  });
}

export const hmac = (secret: string, body: string) => createHmac("sha256", secret).update(body).digest("hex");
