import { expect, test } from "vitest";
import { inOwnDatabase } from "#e2e/support/own-database.ts";
import { database } from "#lib/platform/database.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { hourMs, isActive, makeActor, storedDeliveries, subscribe } from "./testing/workspace.ts";

inOwnDatabase();

test("a test event is sent once, even if its process dies before it has a result", async () => {
  const actor = await makeActor();
  const { id } = await subscribe(actor, ["execution.started"]);
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const send = () => {
    begin();
    return new Promise<never>(() => {});
  };
  void sendTestEvent(actor, id, { send });
  await begun;
  expect(await storedDeliveries(id)).toMatchObject([{ status: "failed", attempts: 0 }]);
  const later = new Date(Date.now() + hourMs);
  expect(await claimDeliveries("other", 10, false, later)).toEqual([]);
});

test("a test event that fails does not count towards the five days of failures, one that succeeds ends them", async () => {
  const actor = await makeActor();
  const { id } = await subscribe(actor, ["execution.started"]);
  const answering = (status: number) => ({ send: async () => ({ status, headers: {}, body: Buffer.alloc(0) }) });
  const isFailing = async () => {
    const { failingSince } = await database().webhookSubscription.findUniqueOrThrow({ where: { id } });
    return failingSince !== null;
  };
  await sendTestEvent(actor, id, answering(500));
  expect(await isFailing()).toBe(false);
  const longAgo = new Date(Date.now() - 121 * hourMs);
  await database().webhookSubscription.update({ where: { id }, data: { failingSince: longAgo } });
  await sendTestEvent(actor, id, answering(500));
  expect([await isActive(id), await isFailing()]).toEqual([true, true]);
  await sendTestEvent(actor, id, answering(200));
  expect(await isFailing()).toBe(false);
});
