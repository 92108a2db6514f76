import { beforeAll, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import type { Actor } from "./actor.ts";
import { createApiKey } from "./api-keys.ts";
import { authenticateKey } from "./authenticate-key.ts";

let actor: Actor;
inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
});

test("the notes of when keys were used are dropped before there are more than ten thousand", async () => {
  const { id, key } = await createApiKey(actor, { name: "n", scopes: ["flows:read"], expiresAt: null });
  const noted = singleton("uses-of-api-key", () => new Map<string, number>());
  for (let n = 0; n <= 10_000; n += 1) noted.set(`key_${n}`, Date.now());
  expect((await authenticateKey(key))?.by).toEqual({ kind: "key", id });
  expect([...noted.keys()]).toEqual([id]);
});
