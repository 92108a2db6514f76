import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { type FlowChanges, flowChanges, newFlow } from "#lib/contract/flows/flows.ts";
import { draftBody } from "#lib/contract/flows/working-copy.ts";
import { pruneExecutions } from "#lib/executions/prune-executions.ts";
import { storedExecution } from "#lib/executions/testing/stored-runs.ts";
import { createFlow } from "#lib/flows/create-flow.ts";
import { readFlow } from "#lib/flows/show-flow.ts";
import { updateFlow } from "#lib/flows/update-flow.ts";
import { database, query } from "#lib/platform/database.ts";
import { planRetry } from "#lib/runtime/start/start-again.ts";
import { publishFlow } from "./publish-flow.ts";
import { draftToRun } from "./run-draft.ts";
import { readDraft, writeDraft } from "./show-draft.ts";

let actor: Actor;
let id: string;

const trigger = { type: "webhook" };
inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
});
beforeEach(async () => {
  const document = { name: "Test", trigger, nodes: [{ id: "a", type: "log" }], settings: { timeoutMs: 1_000 } };
  id = (await createFlow(actor, newFlow.parse(document))).id;
});

const nodes = [{ id: "b", type: "log", config: { message: "hi" } }];
const write = (changes: object = {}, ifMatch: string | null = null) =>
  writeDraft(actor, id, draftBody.parse({ definition: { trigger, nodes, ...changes } }), ifMatch);
const patch = (changes: object) => updateFlow(actor, id, flowChanges.parse(changes) as FlowChanges, null);
const publish = (body: { ifVersion?: number } = {}) => publishFlow(actor, id, body, null);

test("a missing trigger is the version's, not the working copy's earlier one", async () => {
  await write({ trigger: { type: "manual" } });
  const { definition, changes } = await write({ trigger: undefined });
  expect(definition.trigger).toMatchObject(trigger);
  expect(changes.map(({ nodeId }) => nodeId)).not.toContain("trigger");
});

describe("a name and settings", () => {
  test("that are missing in a write stay those of the flow, now and later", async () => {
    expect((await write()).definition).toMatchObject({ name: "Test", settings: { timeoutMs: 1_000 } });
    await patch({ name: "Second", settings: { timeoutMs: 2_000 } });
    const { definition, changes } = await write();
    expect(definition).toMatchObject({ name: "Second", settings: { timeoutMs: 2_000 } });
    expect(changes.map(({ path }) => path)).not.toContain("name");
    await patch({ name: "Third", settings: { timeoutMs: 3_000, retentionDays: 3 } });
    const published = await publish();
    expect(published).toMatchObject({ name: "Third", settings: { timeoutMs: 3_000, retentionDays: 3 } });
  });

  test.each([[null], [{}]])("of %j are removed", async (settings) => {
    expect((await write({ settings })).definition.settings).toEqual({});
    expect(await publish()).toMatchObject({ settings: {} });
  });

  test("that were read and written back are not changes: a later PATCH of them is kept", async () => {
    await write();
    await patch({ name: "Second", settings: { timeoutMs: 2_000 } });
    const { name, settings } = (await readDraft(actor, id)).definition;
    expect([name, settings]).toEqual(["Second", { timeoutMs: 2_000 }]);
    const { changes } = await write({ name, settings: { timeoutMs: 2_000, retentionDays: 7 } });
    expect(changes.map(({ summary }) => summary)).toContain("Settings: retentionDays");
    await patch({ name: "Third", settings: { timeoutMs: 3_000 } });
    expect(await publish()).toMatchObject({ name: "Third", settings: { timeoutMs: 3_000, retentionDays: 7 } });
  });

  test("that were changed stay changed, whatever PATCH does to others", async () => {
    await write({ name: "Mine", settings: { timeoutMs: 5_000 } });
    await patch({ name: "Second", settings: { timeoutMs: 2_000, retentionDays: 3 } });
    const { name, settings } = (await readDraft(actor, id)).definition;
    expect([name, settings]).toEqual(["Mine", { timeoutMs: 5_000, retentionDays: 3 }]);
    await write({ name, settings });
    await patch({ name: "Third", settings: { timeoutMs: 3_000 } });
    expect(await publish()).toMatchObject({ name: "Mine", settings: { timeoutMs: 5_000 } });
    expect(await readFlow(actor, id)).not.toHaveProperty("settings.retentionDays");
  });
});

test("each of several concurrent writes returns what it stored, with its own revision", async () => {
  const names = Array.from({ length: 8 }, (_, index) => `Copy ${index}`);
  const answers = await Promise.all(names.map((name) => write({ name })));
  expect(answers.map(({ definition }) => definition.name)).toEqual(names);
  expect(answers.map(({ revision }) => revision).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  const last = answers.find(({ revision }) => revision === 8);
  expect(await readDraft(actor, id)).toEqual(last);
});

test("publishing over a different version than `ifVersion` is a conflict, and keeps the working copy", async () => {
  await write();
  await expect(publish({ ifVersion: 4 })).rejects.toMatchObject({
    code: "CONFLICT",
    message: "The flow is at version 1, and ifVersion is 4",
    details: { currentVersion: 1, basedOn: 1, revision: 1 },
  });
  await patch({ nodes: [{ id: "a", type: "log", config: { message: "other" } }] });
  await expect(publish()).rejects.toMatchObject({
    message: "The flow is at version 2, and the working copy was made from version 1",
    details: { currentVersion: 2, basedOn: 1, merge: null },
  });
  expect((await readDraft(actor, id)).revision).toBe(1);
});

test("a working copy's revision is kept for an hour after its last run", async () => {
  const storedDrafts = () => database().flowVersion.findMany({ where: { flowId: id, version: { lt: 0 } } });
  const run = async () => await draftToRun(await database().flow.findUniqueOrThrow({ where: { id } }));
  const age = () =>
    query("age", "UPDATE flow_version SET created_at = now() - interval '2 hours' WHERE flow_id = $1", [id]);
  await write();
  await query("old-draft", "UPDATE flow_draft SET updated_at = now() - interval '2 hours' WHERE flow_id = $1", [id]);
  await run();
  await age();
  await run();
  await write({ name: "Later" });
  await run();
  expect((await storedDrafts()).map(({ version }) => version).sort()).toEqual([-1, -2]);
  await age();
  await run();
  expect((await storedDrafts()).map(({ version }) => version)).toEqual([-2]);
  const prune = () => pruneExecutions({ now: new Date(), retentionDays: undefined });
  await prune();
  expect(await storedDrafts()).toHaveLength(1);
  const draft = await run();
  if (draft === null) throw new Error("there is a working copy");
  const execution = await storedExecution(draft);
  await age();
  await prune();
  expect(await storedDrafts()).toHaveLength(1);
  await query("delete-run", "DELETE FROM execution WHERE id = $1", [execution]);
  await prune();
  expect(await storedDrafts()).toEqual([]);
});

test("a retry plan for a working copy's run stores nothing", async () => {
  await write();
  const draft = await draftToRun(await database().flow.findUniqueOrThrow({ where: { id } }));
  if (draft === null) throw new Error("there is a working copy");
  const execution = await storedExecution(draft);
  await write({ nodes: [...nodes, { id: "c", type: "log" }] });
  const planned = await planRetry(actor, execution, null);
  expect(planned.nodes.map(({ nodeId }) => nodeId)).toEqual(["b", "c"]);
  await write({ edges: [{ source: "b", target: "gone" }] });
  expect(await planRetry(actor, execution, null)).toMatchObject({
    problem: expect.stringContaining("edges[0].target"),
    nodes: [],
  });
  expect(await database().flowVersion.count({ where: { flowId: id, version: { lt: 0 } } })).toBe(1);
});

test("disabling a node changes none of its edges", async () => {
  const check = { id: "if", type: "if-else", name: "If", config: { condition: "true" } };
  const content = { nodes: [check, ...nodes], edges: [{ source: "if", target: "b" }] };
  await patch(content);
  const { changes } = await write({ ...content, nodes: [{ ...check, disabled: true }, ...nodes] });
  expect(changes.map(({ summary }) => summary)).toEqual(["If: disabled"]);
});

test("tens of thousands of variables that both sides changed are merged without blocking others", async () => {
  const variables = (by: number) =>
    Object.fromEntries(Array.from({ length: 70_000 }, (_, key) => [`k${key}`, key + by]));
  const refused = async () => await publish().catch((error: { details: { conflicts: unknown[] } }) => error.details);
  await patch({ variables: variables(0) });
  await write({ variables: { ...variables(1), own: 1 } });
  await patch({ variables: variables(2) });
  let details: unknown;
  const longest = await longestTurn(async () => {
    details = await refused();
  });
  expect(details).toMatchObject({ merge: null, conflicts: { length: 70_000, 0: "The variable k0" } });
  expect(longest).toBeLessThan(100);
  await patch({ variables: { ...variables(0), other: 1 } });
  const { merge } = (await refused()) as unknown as { merge: { definition: { variables: object } } };
  expect(merge.definition.variables).toEqual({ ...variables(1), own: 1, other: 1 });
});
