import { createHmac } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { inOwnDatabase } from "#e2e/support/own-database.ts";
import { query } from "#lib/platform/database.ts";
import type { Outbound, OutboundRequest } from "#lib/platform/outbound/outbound.ts";
import { OutboundError } from "#lib/platform/outbound/outbound-error.ts";
import { claimDeliveries } from "#lib/webhooks/claim-deliveries.ts";
import { updateSubscription } from "#lib/webhooks/subscriptions.ts";
import { endRun, makeActor, startRun, storedDeliveries, subscribe } from "#lib/webhooks/testing/workspace.ts";
import { DeliverySender } from "./deliveries.ts";

inOwnDatabase();

let senders: DeliverySender[] = [];
afterEach(async () => {
  await Promise.all(senders.map((sender) => sender.drain()));
  senders = [];
  await query("clear", "TRUNCATE webhook_delivery, webhook_subscription", []);
});

/** Receivers by host, with how they answer a request. */
type Receivers = Record<string, (request: OutboundRequest) => Promise<number>>;

function start(receivers: Receivers, count = 1): void {
  const outbound: Pick<Outbound, "send"> = {
    send: async (request) => {
      const status = await receivers[new URL(request.url).hostname]?.(request);
      return { status: status ?? 200, headers: {}, body: Buffer.from("") };
    },
  };
  for (let index = 0; index < count; index += 1) {
    const sender = new DeliverySender(outbound);
    sender.start();
    senders.push(sender);
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Never answers; aborts with the caller. */
const hang = ({ signal }: OutboundRequest) =>
  new Promise<number>((_, reject) => {
    signal.addEventListener("abort", () => reject(new OutboundError("ABORTED", "given up")));
  });
const statusesOf = async (id: string) => (await storedDeliveries(id)).map(({ status }) => status);
const allDelivered = (count: number) => Array.from({ length: count }, () => "delivered");

describe("several senders, in one process or in several,", () => {
  test("send everything once, in order within a run, two at a time per receiver", async () => {
    const actor = await makeActor();
    const { id } = await subscribe(actor, ["execution.started", "execution.completed"], "https://a.example");
    const runs = await Promise.all(Array.from({ length: 60 }, () => startRun(actor)));
    await Promise.all(runs.map((run) => endRun(run)));
    const seen: string[] = [];
    let [now, max] = [0, 0];
    const receive = async ({ body = "" }: OutboundRequest) => {
      now += 1;
      max = Math.max(max, now);
      const { event, data } = JSON.parse(String(body));
      seen.push(`${data.executionId} ${event}`);
      await pause(2);
      now -= 1;
      return 200;
    };
    start({ "a.example": receive }, 3);
    await expect.poll(() => statusesOf(id)).toEqual(allDelivered(120));
    expect(max).toBe(2);
    expect(new Set(seen).size).toBe(120);
    expect(seen).toHaveLength(120);
    for (const run of runs) {
      expect(seen.indexOf(`${run} execution.started`)).toBeLessThan(seen.indexOf(`${run} execution.completed`));
    }
  });
});

describe("a receiver", () => {
  test("that hangs occupies two attempts and delays no other", async () => {
    const actor = await makeActor();
    const others = ["b", "c", "d"];
    await subscribe(actor, ["execution.started"], "https://a.example");
    const ids = await Promise.all(
      others.map(async (name) => (await subscribe(actor, ["execution.started"], `https://${name}.example`)).id),
    );
    await Promise.all(Array.from({ length: 50 }, () => startRun(actor)));
    let hanging = 0;
    const count = (request: OutboundRequest) => {
      hanging += 1;
      return hang(request);
    };
    start({ "a.example": count });
    for (const id of ids) await expect.poll(() => statusesOf(id)).toEqual(allDelivered(50));
    expect(hanging).toBe(2);
  });

  test("that fails is not sent its whole backlog at once", async () => {
    const actor = await makeActor();
    const { id } = await subscribe(actor, ["execution.started"], "https://a.example");
    await Promise.all(Array.from({ length: 20 }, () => startRun(actor)));
    let attempts = 0;
    const fail = async () => {
      attempts += 1;
      await pause(100);
      return 500;
    };
    start({ "a.example": fail });
    await expect.poll(() => attempts).toBe(20);
    expect((await storedDeliveries(id)).every((row) => row.attempts <= 1)).toBe(true);
  });
});

describe("a workspace whose receivers hang delays no other workspace's deliveries", () => {
  /** A workspace with this many subscriptions, whose receivers never answer, and a backlog for each. */
  async function hangingWorkspace(subscriptions: number, deliveries: number, output: string | null = null) {
    const actor = await makeActor();
    const event = output === null ? "execution.started" : "execution.completed";
    for (let index = 0; index < subscriptions; index += 1) await subscribe(actor, [event], "https://a.example");
    for (let index = 0; index < deliveries; index += 1) {
      const run = await startRun(actor);
      if (output !== null) await endRun(run, "completed", output);
    }
    let begun = 0;
    const receive = (request: OutboundRequest) => {
      begun += 1;
      return hang(request);
    };
    return { actor, receive, begun: () => begun };
  }

  test.each([
    ["for the first time", null],
    ["again and again", new Date()],
  ])("%s", async (_, failingSince) => {
    const { receive, begun } = await hangingWorkspace(60, 20);
    const other = await makeActor();
    const { id } = await subscribe(other, ["execution.started"], "https://b.example");
    await query("failing", "UPDATE webhook_subscription SET failing_since = $1", [failingSince]);
    start({ "a.example": receive, "b.example": async () => 200 });
    await expect.poll(begun).toBeGreaterThanOrEqual(40);
    await startRun(other);
    await expect.poll(() => statusesOf(id), { timeout: 10_000 }).toEqual(["delivered"]);
  });

  test("with large bodies, of which a few are in memory at once", async () => {
    const output = "x".repeat(4_000_000);
    const { receive, begun } = await hangingWorkspace(12, 1, output);
    const other = await makeActor();
    const { id } = await subscribe(other, ["execution.completed"], "https://b.example");
    start({ "a.example": receive, "b.example": async () => 200 });
    await expect.poll(begun).toBe(4);
    await endRun(await startRun(other), "completed", output);
    await expect.poll(() => statusesOf(id), { timeout: 10_000 }).toEqual(["delivered"]);
    expect(begun()).toBe(4);
  });
});

/** A subscription with ten deliveries, of which two slow ones are in flight. */
async function twoOfTenBegun() {
  const actor = await makeActor();
  const { id } = await subscribe(actor, ["execution.started"], "https://a.example");
  await Promise.all(Array.from({ length: 10 }, () => startRun(actor)));
  const sent: OutboundRequest[] = [];
  const slow = async (request: OutboundRequest) => {
    sent.push(request);
    await pause(300);
    return 200;
  };
  start({ "a.example": slow });
  await expect.poll(() => sent.length).toBe(2);
  return { actor, id, sent, begun: () => sent.length };
}

test("a changed secret signs what is sent from then on, even if already claimed", async () => {
  const { actor, id, sent } = await twoOfTenBegun();
  const secret = "the secret from now on";
  await updateSubscription(actor, id, { secret }, { check: async () => {} });
  const before = sent.length;
  await expect.poll(() => statusesOf(id)).toEqual(allDelivered(10));
  const later = sent.slice(before);
  expect(later.length).toBeGreaterThanOrEqual(6);
  for (const { headers, body } of later) {
    expect(headers["x-webhook-signature"]).toBe(createHmac("sha256", secret).update(String(body)).digest("hex"));
  }
});

test("nothing more is sent once a subscription is disabled, even if already claimed", async () => {
  const { actor, id, begun } = await twoOfTenBegun();
  await updateSubscription(actor, id, { active: false }, { check: async () => {} });
  const expected = [...allDelivered(2), ...Array.from({ length: 8 }, () => "failed")];
  await expect.poll(async () => (await statusesOf(id)).sort()).toEqual(expected);
  expect(begun()).toBe(2);
});

describe("a claim", () => {
  const leaseOf = async (id: string) => {
    const text = `SELECT extract(epoch FROM lease_until - now())::float8 AS left FROM webhook_delivery
      WHERE subscription_id = $1`;
    return (await query<{ left: number }>("lease-left", text, [id]))[0]?.left ?? 0;
  };

  test("of a killed process can be claimed five seconds later", async () => {
    const actor = await makeActor();
    const { id } = await subscribe(actor, ["execution.started"], "https://a.example");
    await startRun(actor);
    expect(await claimDeliveries("killed", 10, false)).toHaveLength(1);
    expect(await leaseOf(id)).toBeLessThanOrEqual(5);
    start({ "a.example": async () => 200 });
    await expect.poll(() => statusesOf(id)).toEqual(["delivered"]);
  });

  test("is renewed while its receiver is slow: nobody else sends", async () => {
    const actor = await makeActor();
    const { id } = await subscribe(actor, ["execution.started"], "https://a.example");
    await startRun(actor);
    let [requests, answer] = [0, () => {}];
    const slow = () =>
      new Promise<number>((resolve) => {
        requests += 1;
        answer = () => resolve(200);
      });
    start({ "a.example": slow }, 2);
    await expect.poll(() => requests).toBe(1);
    for (let renewals = 0; renewals < 2; renewals += 1) {
      const soonOver =
        "UPDATE webhook_delivery SET lease_until = now() + interval '2.5 seconds' WHERE subscription_id = $1";
      await query("shorten", soonOver, [id]);
      await expect.poll(() => leaseOf(id), { timeout: 3_000 }).toBeGreaterThan(4);
    }
    answer();
    await expect.poll(() => statusesOf(id)).toEqual(["delivered"]);
    expect(requests).toBe(1);
  });
});

test("a draining process finishes its attempts and hands the rest back at once", async () => {
  const { id } = await twoOfTenBegun();
  await senders[0]?.drain();
  expect((await statusesOf(id)).sort()).toEqual([...allDelivered(2), ...Array.from({ length: 8 }, () => "pending")]);
  const text = "SELECT id FROM webhook_delivery WHERE status = 'pending' AND lease_until IS NOT NULL";
  expect(await query("held", text, [])).toEqual([]);
});
