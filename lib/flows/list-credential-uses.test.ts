import pg from "pg";
import { beforeAll, expect, test, vi } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { createCredential } from "#lib/credentials/credentials.ts";
import { createFlow } from "./create-flow.ts";
import { listCredentialUses } from "./list-credential-uses.ts";

let actor: Actor;
inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
});

test("large flows that use a credential are read a few at a time", async () => {
  const { id } = await createCredential(actor, { name: "token", type: "bearer", data: { token: "a-long-token" } });
  const config = { url: "https://api.test/", credential: "token", body: "x".repeat(500_000) };
  const node = { id: "call", name: "call", type: "http-request", position: { x: 0, y: 0 }, config };
  const flow = { status: "draft" as const, tags: [], variables: {}, trigger: { type: "manual" as const, config: {} } };
  for (let n = 0; n < 30; n += 1) await createFlow(actor, { ...flow, name: `flow ${n}`, nodes: [node], edges: [] });
  const read = vi.spyOn(pg.Client.prototype, "query");
  expect(await listCredentialUses(actor, id)).toHaveLength(30);
  const answers = await Promise.all(read.mock.results.map(async ({ value }) => (await value)?.rows ?? []));
  expect(Math.max(...answers.map((rows) => JSON.stringify(rows).length))).toBeLessThan(4_000_000);
});
