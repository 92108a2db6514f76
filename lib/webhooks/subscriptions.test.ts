import { expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import { database } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { createSubscription } from "./subscriptions.ts";

inOwnDatabase();

test("a workspace has at most two hundred subscriptions, because each run writes a delivery for each", async () => {
  const actor = await newActor();
  const now = new Date();
  const given = { url: "https://hooks.test/", events: ["execution.completed" as const], active: true };
  const outbound = { check: async () => {} };
  await createSubscription(actor, given, outbound);
  const row = { ...given, workspaceId: actor.workspaceId, secret: Buffer.alloc(1), keyVersion: 1, createdAt: now };
  const data = Array.from({ length: 198 }, () => ({ ...row, id: newId("subscription"), updatedAt: now }));
  await database().webhookSubscription.createMany({ data });
  const waiting: (() => void)[] = [];
  const together = {
    check: () =>
      new Promise<void>((resolve) => {
        if (waiting.push(resolve) === 5) for (const go of waiting) go();
      }),
  };
  const created = await Promise.allSettled(Array.from({ length: 5 }, () => createSubscription(actor, given, together)));
  expect(created.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(createSubscription(actor, given, outbound)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});
