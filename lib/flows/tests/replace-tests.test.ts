// Tests sent with their flow are created, kept, updated and deleted in the transaction that changes it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { createFlow as createEndpoint, updateFlow as updateEndpoint } from "#lib/contract/flows/flows.ts";
import { node } from "#lib/engine/testing/flows.ts";
import { runSignals } from "#lib/executions/live/run-signals.ts";
import { createFlow } from "#lib/flows/create-flow.ts";
import { updateFlow } from "#lib/flows/update-flow.ts";
import { database } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { createSandbox } from "#lib/sandbox/sandbox.ts";
import { testsGiven } from "./replace-tests.ts";

let actor: Actor;
const sandbox = createSandbox({ children: 1, isSmall: true });

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  runSignals().sandbox = () => sandbox;
});
afterAll(() => sandbox.close());

const testOf = (name: string, output: unknown = 1) => ({ name, now: "2026-01-31T10:00:00.000Z", expect: { output } });
const create = (overrides: object = {}) => {
  const body = {
    name: "Flow",
    trigger: { type: "manual" },
    nodes: [node("a", "transform", { transform: "1" })],
    ...overrides,
  };
  const { tests, ...flow } = createEndpoint.body.parse(body);
  return createFlow(actor, flow, testsGiven(actor, tests));
};
const update = (id: string, changes: object, ifMatch: string | null = null, by = actor) =>
  updateFlow(by, id, updateEndpoint.body.parse(changes) as Parameters<typeof updateFlow>[2], ifMatch);
const rows = async (flowId: string) =>
  await database().flowTest.findMany({ where: { flowId }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] });

// Proves flows.update.tests
test("unchanged tests are kept, others are updated, created and deleted", async () => {
  const { id } = await create({ tests: [testOf("Same"), testOf("Changes"), testOf("Goes")] });
  const before = await rows(id);
  await update(id, { tests: [testOf("New"), testOf("Changes", 2), testOf("Same")] });
  const after = new Map((await rows(id)).map((row) => [row.name, row]));
  expect([...after.keys()].toSorted()).toEqual(["Changes", "New", "Same"]);
  expect(after.get("Same")).toEqual(before[0]);
  expect(after.get("Changes")).toMatchObject({ id: before[1]?.id, version: 2, lastResult: null });
  await update(id, { name: "Renamed" });
  expect(await rows(id)).toHaveLength(3);
  await update(id, { tests: [] });
  expect(await rows(id)).toEqual([]);
});

test("an updated test names only its own files", async () => {
  const [old, kept] = [newId("file"), newId("file")];
  const columns = { name: "a", contentType: "text/plain", state: "stored", place: "database", charged: 0, size: 0 };
  const { workspaceId } = actor;
  await database().file.createMany({ data: [old, kept].map((id) => ({ id, workspaceId, ...columns })) });
  const { id } = await create({ tests: [testOf("Files", [old])] });
  await update(id, { tests: [testOf("Files", [kept])] });
  const ownerId = (await rows(id))[0]?.id ?? "";
  expect(await database().fileReference.findMany({ where: { ownerId } })).toMatchObject([{ fileId: kept }]);
});

test("a test without a time keeps the one that it has", async () => {
  const { id } = await create({ tests: [{ name: "Timeless" }] });
  const before = await rows(id);
  await update(id, { tests: [{ name: "Timeless" }] });
  expect(await rows(id)).toEqual(before);
});

test("are changed together with the flow, or neither is", async () => {
  const settings = { tests: { requiredToActivate: true } };
  const { id } = await create({ status: "active", settings, tests: [testOf("One")] });
  const nodes = [node("a", "transform", { transform: "2" })];
  await expect(update(id, { nodes })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  await expect(update(id, { nodes, tests: [testOf("One", 3)] })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  await expect(update(id, { nodes, tests: [testOf("One", 2)] }, '"9"')).rejects.toMatchObject({ code: "CONFLICT" });
  const [remaining] = await rows(id);
  expect(JSON.parse(remaining?.data ?? "{}").expect).toMatchObject({ output: 1 });
  await update(id, { nodes, tests: [testOf("One", 2)] }, '"1"');
  const [changed] = await rows(id);
  expect(JSON.parse(changed?.data ?? "{}").expect).toMatchObject({ output: 2 });
  await expect(create({ status: "active", settings, tests: [testOf("One", 9)] })).rejects.toMatchObject({
    details: expect.objectContaining({}),
  });
});

test("need the scope tests:write, and are limited in number", async () => {
  const { id } = await create();
  const blind = { ...actor, scopes: new Set(["flows:read", "flows:write"] as const) };
  await expect(update(id, { tests: [] }, null, blind)).rejects.toMatchObject({ code: "FORBIDDEN" });
  await update(id, { name: "Allowed" }, null, blind);
  const many = Array.from({ length: 101 }, (_, index) => testOf(`${index}`));
  expect(updateEndpoint.body.safeParse({ tests: many }).success).toBe(false);
  const large = Array.from({ length: 8 }, (_, index) => ({
    ...testOf(`${index}`),
    trigger: { body: "x".repeat(900_000) },
  }));
  await expect(update(id, { tests: large })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  expect(await rows(id)).toEqual([]);
});
