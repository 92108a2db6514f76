import { expect, test } from "vitest";
import { inOwnDatabase } from "#e2e/support/own-database.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { hourMs, makeActor, storedDeliveries, subscribe } from "./testing/workspace.ts";

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
