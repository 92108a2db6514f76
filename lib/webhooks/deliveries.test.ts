import { describe, expect, test } from "vitest";
import { inOwnDatabase } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { query } from "#lib/platform/database.ts";
import { idOfUuid } from "#lib/platform/ids.ts";
import { type ClaimedDelivery, claimDeliveries, leaseMs } from "./claim-deliveries.ts";
import { redeliver, sweepDeliveries } from "./deliveries.ts";
import type { Attempt } from "./send-delivery.ts";
import { retryDelaysMs, settleDelivery } from "./settle-delivery.ts";
import { deleteSubscription, readSubscription, updateSubscription } from "./subscriptions.ts";
import {
  endRun,
  hourMs,
  isActive,
  makeActor,
  secondMs,
  startRun,
  storedDeliveries,
  subscribe,
} from "./testing/workspace.ts";

inOwnDatabase();

const attempt = (status: number | null, at: Date): Attempt => ({
  sentAt: at,
  status,
  answer: null,
  error: status !== null && status < 300 ? null : "no",
  retryAfterMs: 0,
  aborted: false,
  url: "https://receiver.example/",
});
const later = (time: Date, ms: number) => new Date(time.getTime() + ms);
/** This subscription's claims; the tests in a file share a database. */
async function claim(id: string, now: Date, owner = "test"): Promise<ClaimedDelivery[]> {
  const both = [await claimDeliveries(owner, 100, false, now), await claimDeliveries(owner, 100, true, now)];
  return both.flat().filter((row) => row.subscriptionId === id);
}
/** Claims one and answers it; returns the next time. */
async function answer(id: string, status: number | null, now: Date): Promise<Date> {
  const [claimed, ...others] = await claim(id, now);
  if (claimed === undefined) throw new Error("there was nothing to claim");
  for (const other of others) await settleDelivery(other, { ...attempt(null, now), aborted: true }, now);
  await settleDelivery(claimed, attempt(status, now), now);
  const stored = (await storedDeliveries(id)).find((row) => row.id === claimed.id);
  return stored?.next_attempt_at ?? now;
}
async function subscribed(): Promise<{ actor: Actor; id: string }> {
  const actor = await makeActor();
  const { id } = await subscribe(actor, ["execution.started", "execution.completed"]);
  return { actor, id };
}
const soon = () => new Date(Date.now() + secondMs);

describe("a delivery", () => {
  // Proves events.retries
  test("is attempted eight times on the schedule, and has then failed", async () => {
    const { actor, id } = await subscribed();
    await startRun(actor);
    let now = soon();
    for (const delayMs of retryDelaysMs) {
      const next = await answer(id, 500, now);
      expect(next.getTime() - now.getTime()).toBe(delayMs);
      expect(await claim(id, later(next, -1))).toEqual([]);
      now = next;
    }
    await answer(id, 500, now);
    expect(await storedDeliveries(id)).toMatchObject([{ status: "failed", attempts: 8 }]);
    expect(await claim(id, later(now, 1000 * hourMs))).toEqual([]);
  });

  test("that succeeds is not sent again", async () => {
    const { actor, id } = await subscribed();
    await startRun(actor);
    const next = await answer(id, null, soon());
    await answer(id, 204, next);
    expect(await storedDeliveries(id)).toMatchObject([{ status: "delivered", attempts: 2, error: null }]);
    expect(await claim(id, later(next, 1000 * hourMs))).toEqual([]);
  });

  test("waits for the run's earlier one to be delivered or to fail", async () => {
    const { actor, id } = await subscribed();
    await endRun(await startRun(actor));
    let now = soon();
    const [first, ...rest] = await claim(id, now);
    expect([first?.event, rest]).toEqual(["execution.started", []]);
    await settleDelivery(first as ClaimedDelivery, attempt(500, now), now);
    expect(await claim(id, later(now, 4 * secondMs))).toEqual([]);
    for (const _ of retryDelaysMs) {
      now = (await storedDeliveries(id))[0]?.next_attempt_at ?? now;
      await answer(id, 500, now);
    }
    expect((await claim(id, now)).map((row) => row.event)).toEqual(["execution.completed"]);
  });

  test("does not wait for another run's", async () => {
    const { actor, id } = await subscribed();
    await startRun(actor);
    const now = soon();
    await answer(id, 500, now);
    await startRun(actor);
    expect(await claim(id, later(now, secondMs))).toHaveLength(1);
  });

  test("whose process died is claimed again when its lease expires, and the dead process's result does not count", async () => {
    const { actor, id } = await subscribed();
    await startRun(actor);
    const now = soon();
    const [lost] = await claim(id, now);
    expect(await claim(id, later(now, leaseMs - 1))).toEqual([]);
    const [taken] = await claim(id, later(now, leaseMs));
    expect(taken).toMatchObject({ id: lost?.id, fence: 2, failures: 0 });
    await settleDelivery(lost as ClaimedDelivery, attempt(500, now), later(now, leaseMs));
    expect(await storedDeliveries(id)).toMatchObject([{ status: "pending", error: null }]);
    await settleDelivery(taken as ClaimedDelivery, attempt(200, now), later(now, leaseMs));
    expect(await storedDeliveries(id)).toMatchObject([{ status: "delivered" }]);
  });

  test("that its process released is due again at once", async () => {
    const { actor, id } = await subscribed();
    await startRun(actor);
    const now = soon();
    const [given] = await claim(id, now);
    await settleDelivery(given as ClaimedDelivery, { ...attempt(null, now), aborted: true }, now);
    expect(await claim(id, now)).toMatchObject([{ id: given?.id, failures: 0 }]);
  });

  test("can be redelivered under its id, with all retries, unless the subscription is inactive", async () => {
    const { actor, id } = await subscribed();
    await startRun(actor);
    const now = soon();
    await answer(id, 200, now);
    const [stored] = await storedDeliveries(id);
    const deliveryId = idOfUuid("delivery", stored?.id ?? "");
    expect(await redeliver(actor, id, deliveryId, now)).toMatchObject({
      id: deliveryId,
      status: "pending",
      attempts: 1,
    });
    expect(await claim(id, now)).toMatchObject([{ id: stored?.id, failures: 0 }]);
    await updateSubscription(actor, id, { active: false }, { check: async () => {} });
    await expect(redeliver(actor, id, deliveryId, now)).rejects.toMatchObject({ code: "INVALID_STATUS" });
  });
});

describe("claims", () => {
  test("of a subscription are claimed by one process at a time", async () => {
    const { actor, id } = await subscribed();
    await Promise.all(Array.from({ length: 50 }, () => startRun(actor)));
    const now = soon();
    const owners = ["a", "b", "c", "d"];
    const claims = await Promise.all(owners.map((owner) => claim(id, now, owner)));
    expect(claims.map((rows) => rows.length).sort()).toEqual([0, 0, 0, 20]);
  });

  test("give each delivery to one process, most overdue first", async () => {
    const { actor, id } = await subscribed();
    for (let run = 0; run < 50; run += 1) await startRun(actor);
    const now = soon();
    const taken: string[] = [];
    while (taken.length < 50) {
      const rounds = await Promise.all([claim(id, now, "a"), claim(id, now, "b"), claim(id, now, "a")]);
      for (const delivery of rounds.flat()) {
        taken.push(delivery.id);
        await settleDelivery(delivery, attempt(200, now), now);
      }
    }
    const stored = await storedDeliveries(id);
    expect(taken.slice(0, 20)).toEqual(stored.slice(0, 20).map((row) => row.id));
    expect([...taken].sort()).toEqual(stored.map((row) => row.id).sort());
  });

  test("keep failing receivers apart from the others", async () => {
    const [failing, steady] = [await subscribed(), await subscribed()];
    await startRun(failing.actor);
    const now = soon();
    await answer(failing.id, 500, now);
    await startRun(failing.actor);
    await startRun(steady.actor);
    const ids = (rows: ClaimedDelivery[]) => rows.map((row) => row.subscriptionId);
    const own = (rows: ClaimedDelivery[]) => ids(rows).filter((id) => id === failing.id || id === steady.id);
    expect(own(await claimDeliveries("test", 100, false, now))).toEqual([steady.id]);
    expect(own(await claimDeliveries("test", 100, true, now))).toEqual([failing.id]);
  });
});

describe("a new URL", () => {
  const door = { check: async () => {} };
  const moved = (actor: Actor, id: string, url = "https://moved.example/") =>
    updateSubscription(actor, id, { url }, door);
  const openAgain = later(new Date(), 1000 * hourMs);

  test("is tried with all pending deliveries at once, with all retries", async () => {
    const { actor, id } = await subscribed();
    await startRun(actor);
    let now = soon();
    for (let failure = 0; failure < 4; failure += 1) now = await answer(id, 500, now);
    expect(now.getTime()).toBeGreaterThan(Date.now() + hourMs);
    await moved(actor, id);
    const [claimed] = await claim(id, soon());
    expect(claimed).toMatchObject({ failures: 0 });
    expect(await storedDeliveries(id)).toMatchObject([{ status: "pending", attempts: 4 }]);
  });

  test("of several thousand pending deliveries reaches each, and no others", async () => {
    const { actor, id } = await subscribed();
    const { id: other } = await subscribe(actor, ["execution.started"]);
    const insert = `INSERT INTO webhook_delivery
        (id, subscription_id, event, body, status, failures, next_attempt_at, created_at, last_attempt_at)
      SELECT gen_random_uuid(), s, 'execution.started', '{}', status, 3, now() + interval '2 hours', now(), now()
      FROM unnest($1::text[]) AS s, unnest('{pending,failed,delivered}'::text[]) AS status, generate_series(1, 2500)`;
    await query("insert-many", insert, [[id, other]]);
    await moved(actor, id);
    const count = `SELECT subscription_id = $1 AS own, status, count(*)::int FROM webhook_delivery
      WHERE subscription_id IN ($1, $2) AND failures = 0 AND next_attempt_at <= now() + interval '1 minute' GROUP BY 1, 2`;
    expect(await query("count-due", count, [id, other])).toEqual([{ own: true, status: "pending", count: 2_500 }]);
  });

  test("that is the old one changes nothing", async () => {
    const { actor, id } = await subscribed();
    await startRun(actor);
    const next = await answer(id, 500, soon());
    await moved(actor, id, "https://receiver.example/");
    expect((await storedDeliveries(id))[0]?.next_attempt_at).toEqual(next);
  });

  test.each([500, 410])("does not answer for an attempt at the old one that ends later with %i", async (status) => {
    const { actor, id } = await subscribed();
    await startRun(actor);
    const now = soon();
    const [claimed] = await claim(id, now);
    await moved(actor, id);
    await settleDelivery(claimed as ClaimedDelivery, attempt(status, now), now);
    expect(await isActive(id)).toBe(true);
    expect(await claim(id, now)).toMatchObject([{ id: claimed?.id, failures: 0 }]);
  });

  test("has five days of its own until failures disable the subscription", async () => {
    const { actor, id } = await subscribed();
    const first = soon();
    await startRun(actor);
    await answer(id, 500, first);
    await moved(actor, id);
    const [claimed] = await claim(id, openAgain);
    await settleDelivery(
      claimed as ClaimedDelivery,
      { ...attempt(500, openAgain), url: "https://moved.example/" },
      openAgain,
    );
    expect(await isActive(id)).toBe(true);
  });
});

describe("a subscription is disabled", () => {
  test("by 410, at once, and its pending deliveries fail", async () => {
    const { actor, id } = await subscribed();
    await endRun(await startRun(actor));
    await startRun(actor);
    await answer(id, 410, soon());
    expect(await isActive(id)).toBe(false);
    const stored = await storedDeliveries(id);
    expect(stored.map((row) => row.status)).toEqual(["failed", "failed", "failed"]);
    expect(stored.map((row) => row.error)).toContain("no: the subscription was switched off");
    await startRun(actor);
    expect(await storedDeliveries(id)).toHaveLength(3);
  });

  // Proves events.five-days
  test("by five days of nothing but failures, and not before", async () => {
    const { actor, id } = await subscribed();
    const first = soon();
    await startRun(actor);
    await answer(id, 500, first);
    await startRun(actor);
    await answer(id, null, later(first, 120 * hourMs - 1));
    expect(await isActive(id)).toBe(true);
    await answer(id, 404, later(first, 120 * hourMs));
    expect(await isActive(id)).toBe(false);
  });

  test("but not if one delivery succeeded meanwhile", async () => {
    const { actor, id } = await subscribed();
    const first = soon();
    await startRun(actor);
    const next = await answer(id, 500, first);
    await answer(id, 200, next);
    await startRun(actor);
    await answer(id, 500, later(first, 120 * hourMs));
    expect(await isActive(id)).toBe(true);
  });

  test("and can be enabled again with five new days; others are unaffected", async () => {
    const { actor, id } = await subscribed();
    const other = await subscribe(actor, ["execution.started"]);
    const first = soon();
    await startRun(actor);
    await answer(id, 500, first);
    await startRun(actor);
    await answer(id, 500, later(first, 121 * hourMs));
    expect([await isActive(id), await isActive(other.id)]).toEqual([false, true]);
    await updateSubscription(actor, id, { active: true }, { check: async () => {} });
    await startRun(actor);
    await answer(id, 500, later(first, 122 * hourMs));
    expect(await isActive(id)).toBe(true);
  });
});

describe("a subscription", () => {
  test("shows its last delivery", async () => {
    const { actor, id } = await subscribed();
    expect((await readSubscription(actor, id)).lastDelivery).toBeNull();
    await startRun(actor);
    const now = soon();
    await answer(id, 503, now);
    expect((await readSubscription(actor, id)).lastDelivery).toEqual({
      id: expect.stringMatching(/^dlv_/),
      event: "execution.started",
      status: "pending",
      statusCode: 503,
      attemptedAt: now.toISOString(),
    });
  });

  test("of another workspace does not exist", async () => {
    const { id } = await subscribed();
    const stranger = await makeActor();
    const door = { check: async () => {} };
    const tries = [
      () => readSubscription(stranger, id),
      () => updateSubscription(stranger, id, { active: false }, door),
      () => deleteSubscription(stranger, id),
      () => redeliver(stranger, id, "dlv_00000000000000000000000000", new Date()),
    ];
    for (const attempted of tries) await expect(attempted()).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await isActive(id)).toBe(true);
  });

  test("keeps its secret sealed, bound to its row", async () => {
    const { id } = await subscribed();
    const text = "SELECT encode(secret, 'escape') AS secret FROM webhook_subscription WHERE id = $1";
    const [row] = await query<{ secret: string }>("sealed", text, [id]);
    expect(row?.secret).not.toContain("whsec_");
  });
});

const keptMs = 30 * 24 * hourMs;

describe("the sweep", () => {
  test("removes deliveries older than 30 days, and those of deleted subscriptions", async () => {
    const { actor, id } = await subscribed();
    const deleted = await subscribed();
    await startRun(actor);
    await answer(id, 200, soon());
    await startRun(actor);
    await startRun(deleted.actor);
    await query("orphan", "DELETE FROM webhook_subscription WHERE id = $1", [deleted.id]);
    await sweepDeliveries(later(new Date(), 29 * 24 * hourMs), keptMs);
    expect(await storedDeliveries(id)).toHaveLength(2);
    expect(await storedDeliveries(deleted.id)).toEqual([]);
    await sweepDeliveries(later(new Date(), 31 * 24 * hourMs), keptMs);
    expect(await storedDeliveries(id)).toMatchObject([{ status: "pending" }]);
  });
});
