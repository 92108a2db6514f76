// A workspace's limits on what it keeps for years: credentials and API keys.
import { expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import { createApiKey, revokeApiKey } from "#lib/auth/api-keys.ts";
import { database } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { createCredential } from "./credentials.ts";

inOwnDatabase();

const many = <Row>(count: number, row: (n: number) => Row) => Array.from({ length: count }, (_, n) => row(n));

test("a workspace has at most a thousand API keys, without the revoked ones", async () => {
  const actor = await newActor();
  const { workspaceId } = actor;
  const row = (n: number) => ({ id: newId("key"), workspaceId, name: "Key", hash: String(n), prefix: "", scopes: [] });
  await database().apiKey.createMany({ data: many(999, row) });
  const { id } = await createApiKey(actor, { name: "Last", scopes: [] });
  await expect(createApiKey(actor, { name: "More", scopes: [] })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: { name: "a workspace may have at most 1,000 API keys: revoke one first" },
  });
  await revokeApiKey(actor, id);
  expect(await createApiKey(actor, { name: "More", scopes: [] })).toMatchObject({ name: "More" });
});

test("a workspace has at most 5,000 credentials", async () => {
  const actor = await newActor();
  const { workspaceId } = actor;
  const made = await createCredential(actor, { name: "first", type: "secret", data: { value: "x" } });
  const row = await database().credential.findUniqueOrThrow({ where: { id: made.id } });
  const copy = (n: number) => ({ ...row, id: newId("credential"), name: `copy${n}`, workspaceId });
  await database().credential.createMany({ data: many(4_999, copy) });
  await expect(createCredential(actor, { name: "more", type: "secret", data: { value: "x" } })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: { name: "a workspace may have at most 5,000 credentials: delete one first" },
  });
});
