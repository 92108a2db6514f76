// A large body is stored once for all deliveries of an event, for as long as one of them exists.
import { beforeEach, describe, expect, test } from "vitest";
import { inOwnDatabase } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { EventName } from "#lib/contract/event-names.ts";
import { query } from "#lib/platform/database.ts";
import { newId, uuidOfId } from "#lib/platform/ids.ts";
import { claimDeliveries, openDelivery } from "./claim-deliveries.ts";
import { listDeliveries, sweepDeliveries } from "./deliveries.ts";
import { closeDeliveries } from "./settle-delivery.ts";
import { deleteSubscription } from "./subscriptions.ts";
import { endRun, hourMs, makeActor, startRun, storedDeliveries, subscribe } from "./testing/workspace.ts";

inOwnDatabase();

let actor: Actor;
beforeEach(async () => {
  await query("clear", "TRUNCATE webhook_delivery, webhook_subscription, webhook_body", []);
  actor = await makeActor();
});

const large = { text: "x".repeat(100_000) };
const soon = () => new Date(Date.now() + 1_000);

async function subscribed(...names: EventName[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push((await subscribe(actor, [name])).id);
  return ids;
}
async function endedRun(output: unknown): Promise<void> {
  await endRun(await startRun(actor), "completed", output);
}
const bodies = () => query<{ id: string; body: string }>("bodies", "SELECT id::text, body FROM webhook_body", []);

/** What is stored in a subscription's rows themselves. */
async function ownBodies(subscriptionId: string): Promise<{ body: string; body_id: string | null }[]> {
  const text = "SELECT body, body_id::text FROM webhook_delivery WHERE subscription_id = $1";
  return await query<{ body: string; body_id: string | null }>("own-bodies", text, [subscriptionId]);
}
/** What is sent for each due delivery, by subscription. */
async function sent(): Promise<Map<string, string | undefined>> {
  const claimed = await claimDeliveries("test", 100, false, soon());
  const opened = await Promise.all(claimed.map(openDelivery));
  expect(opened.map((delivery) => Buffer.byteLength(delivery?.body ?? ""))).toEqual(
    claimed.map(({ bodyBytes }) => bodyBytes),
  );
  return new Map(opened.map((delivery, index) => [claimed[index]?.subscriptionId ?? "", delivery?.body]));
}

describe("the body of an event", () => {
  test("is stored once for each of its names, and is what every delivery sends and shows", async () => {
    const names: EventName[] = ["execution.completed", "flow.execution.completed"];
    const [first = "", second = "", alias = "", other = ""] = await subscribed(
      ...["execution.completed", "execution.completed", "flow.execution.completed", "flow.execution.completed"].map(
        (name) => name as EventName,
      ),
    );
    await endedRun(large);
    expect((await bodies()).map(({ body }) => JSON.parse(body).event).sort()).toEqual(names);
    const bodyOf = await sent();
    for (const id of [first, second, alias, other]) {
      expect(await ownBodies(id)).toMatchObject([{ body: "" }]);
      const event = id === first || id === second ? names[0] : names[1];
      expect(JSON.parse(bodyOf.get(id) ?? "")).toMatchObject({ event, data: { output: large } });
      const { items } = await listDeliveries(actor, id, { page: 1, limit: 10 });
      expect(items.map(({ requestBody }) => requestBody)).toEqual([bodyOf.get(id)?.slice(0, 65_536)]);
    }
  });

  test.each([
    ["of a single delivery", ["execution.completed", "execution.started"], large],
    ["that is small", ["execution.completed", "execution.completed"], { n: 1 }],
  ] as [string, EventName[], unknown][])("%s is stored with it", async (_, names, output) => {
    const ids = await subscribed(...names);
    await endedRun(output);
    expect(await bodies()).toEqual([]);
    for (const id of ids)
      expect(await ownBodies(id)).toMatchObject([{ body: expect.stringMatching(/^{"event":/), body_id: null }]);
  });

  test("is that of its own run, when many end at once", async () => {
    const ids = await subscribed("execution.completed", "execution.completed", "execution.failed");
    const runs = await Promise.all(Array.from({ length: 40 }, () => startRun(actor)));
    const isLarge = (index: number) => index % 2 === 0;
    await Promise.all(runs.map((run, index) => endRun(run, "completed", isLarge(index) ? { run, ...large } : { run })));
    expect(await bodies()).toHaveLength(20);
    for (const id of ids.slice(0, 2)) {
      const stored = await storedDeliveries(id);
      expect(stored).toHaveLength(40);
      for (const { body, execution_id: run } of stored) expect(JSON.parse(body).data.output.run).toBe(run);
    }
  });
});

describe("a stored body is deleted", () => {
  test("with its last delivery, and not before", async () => {
    const [first = "", second = ""] = await subscribed("execution.completed", "execution.completed");
    await endedRun(large);
    await endedRun({ ...large, n: 2 });
    await deleteSubscription(actor, first);
    expect(await bodies()).toHaveLength(2);
    expect(await storedDeliveries(second)).toHaveLength(2);
    await deleteSubscription(actor, second);
    expect(await bodies()).toEqual([]);
  });

  test("if its last deliveries are deleted at the same moment", async () => {
    for (let round = 0; round < 20; round += 1) {
      const ids = await subscribed("execution.completed", "execution.completed", "execution.completed");
      for (let run = 0; run < 3; run += 1) await endedRun(large);
      await Promise.all(ids.map((id) => deleteSubscription(actor, id)));
      expect(await bodies()).toEqual([]);
    }
  });

  test("when its deliveries expire, but not while one of them is pending", async () => {
    const [first = "", second = ""] = await subscribed("execution.completed", "execution.completed");
    await endedRun(large);
    await closeDeliveries(first, soon());
    const afterMonth = new Date(Date.now() + 31 * 24 * hourMs);
    expect(await sweepDeliveries(afterMonth, 30 * 24 * hourMs)).toBe(1);
    expect(await storedDeliveries(second)).toMatchObject([
      { status: "pending", body: expect.stringMatching(/"output":/) },
    ]);
    await closeDeliveries(second, soon());
    expect(await sweepDeliveries(afterMonth, 30 * 24 * hourMs)).toBe(1);
    expect(await bodies()).toEqual([]);
  });

  test("with its workspace", async () => {
    await subscribed("execution.completed", "execution.completed");
    await endedRun(large);
    await query("delete-workspace", "DELETE FROM workspace WHERE id = $1", [actor.workspaceId]);
    await sweepDeliveries(new Date(), 30 * 24 * hourMs);
    expect(await bodies()).toEqual([]);
  });
});

describe("a server of the previous version", () => {
  test("has the body in each delivery that it claims, and its own deliveries are sent as before", async () => {
    const ids = await subscribed("execution.completed", "execution.completed");
    await endedRun(large);
    const [{ body = "" } = {}] = await bodies();
    const claim = `UPDATE webhook_delivery d SET fence = d.fence + 1, lease_owner = 'older', lease_until = now()
      WHERE subscription_id = $1 RETURNING octet_length(d.body) AS bytes`;
    expect(await query("claim-as-before", claim, [ids[0]])).toEqual([{ bytes: Buffer.byteLength(body) }]);
    expect(await ownBodies(ids[0] ?? "")).toMatchObject([{ body }]);
    expect(await ownBodies(ids[1] ?? "")).toMatchObject([{ body: "" }]);
    const insert = `INSERT INTO webhook_delivery (id, subscription_id, event, body, status, next_attempt_at, created_at)
      VALUES ($1, $2, 'execution.completed', 'as before', 'pending', now(), now())`;
    await query("insert-as-before", insert, [uuidOfId(newId("delivery")), ids[1]]);
    const claimed = await claimDeliveries("test", 100, false, soon());
    const opened = await Promise.all(claimed.map(openDelivery));
    expect(opened.map((delivery) => delivery?.body)).toEqual([body, body, "as before"]);
  });
});
