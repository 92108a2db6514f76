import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { type FlowChanges, flowChanges, newFlow } from "#lib/contract/flows/flows.ts";
import { AppError } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { createFlow } from "./create-flow.ts";
import { listFlowVersions } from "./flow-versions.ts";
import { etagOf } from "./if-match.ts";
import { readFlow } from "./show-flow.ts";
import { updateFlow } from "./update-flow.ts";

let actor: Actor;
let id: string;

const document = {
  name: "Test",
  description: "what it does",
  tags: ["a"],
  variables: { limit: 5 },
  trigger: { type: "webhook" },
  nodes: [
    { id: "a", type: "log" },
    { id: "b", type: "log" },
  ],
  edges: [{ source: "a", target: "b" }],
  settings: { timeoutMs: 1_000 },
};

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
});
beforeEach(async () => {
  id = (await createFlow(actor, newFlow.parse(document))).id;
});

const update = (changes: object, ifMatch: string | null = null) =>
  updateFlow(actor, id, flowChanges.parse(changes) as FlowChanges, ifMatch);
const read = () => readFlow(actor, id);

async function refused(promise: Promise<unknown>): Promise<AppError> {
  const thrown = await promise.then(
    () => undefined,
    (error) => error,
  );
  expect(thrown).toBeInstanceOf(AppError);
  return thrown;
}

test("with concurrent changes, each version's summary has its own changes", async () => {
  const { nodes } = document;
  const changes = [
    { variables: { limit: 6 } },
    { nodes: [...nodes, { id: "c", type: "log" }] },
    { trigger: { type: "webhook", config: { method: "PUT" } } },
  ];
  await Promise.all(changes.map((change) => update(change)));
  const { items } = await listFlowVersions(actor, id, { page: 1, limit: 10 });
  const [, ...alone] = await Promise.all(
    [{}, ...changes].map(async (change) => {
      const other = await createFlow(actor, newFlow.parse(document));
      await updateFlow(actor, other.id, flowChanges.parse(change) as FlowChanges, null);
      const versions = await listFlowVersions(actor, other.id, { page: 1, limit: 1 });
      return versions.items[0]?.summary;
    }),
  );
  expect(items.map(({ summary }) => summary).sort()).toEqual([...alone, null].sort());
});

describe("the given fields change, the others do not", () => {
  test("without fields, only the time changes", async () => {
    const before = await read();
    const { payload, version } = await update({});
    expect(Object.keys(payload)).toEqual(["id", "updatedAt"]);
    const after = await read();
    expect({ ...after, updatedAt: "" }).toEqual({ ...before, updatedAt: "" });
    expect([version, after.updatedAt > before.updatedAt]).toEqual([1, true]);
  });

  test("the answer has the fields that were sent", async () => {
    const { payload } = await update({ name: " New ", tags: [] });
    expect(payload).toEqual({ id, name: "New", tags: [], updatedAt: expect.any(String) });
  });

  test("null removes a description and settings", async () => {
    const { payload } = await update({ description: null, settings: null });
    expect(payload).toEqual({ id, description: null, settings: null, updatedAt: expect.any(String) });
    const flow = await read();
    expect([flow.description, "settings" in flow]).toEqual([null, false]);
  });

  test("variables are replaced as a whole", async () => {
    await update({ variables: { other: 1 } });
    expect((await read()).variables).toEqual({ other: 1 });
  });
});

describe("a new version", () => {
  test("is created only if the trigger, nodes, edges or variables differ", async () => {
    const versions = [];
    for (const changes of [
      { name: "Other", description: "x", tags: ["b"], settings: { canvas: { zoom: 2 } } },
      { nodes: document.nodes, edges: document.edges, variables: { limit: 5 }, trigger: { type: "webhook" } },
      { trigger: { type: "webhook", config: { method: "POST", url: "https://evil.test/" } } },
      { variables: { limit: 6 } },
      { nodes: [...document.nodes, { id: "c", type: "log" }] },
      { edges: [] },
      { trigger: { type: "manual" } },
    ]) {
      versions.push((await update(changes)).version);
    }
    expect(versions).toEqual([1, 1, 1, 2, 3, 4, 5]);
    expect(await database().flowVersion.count({ where: { flowId: id } })).toBe(5);
  });

  test("is created by each of several concurrent changes", async () => {
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, limit) => update({ variables: { limit: limit + 10 } })),
    );
    expect(made.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect((await read()).version).toBe(11);
  });
});

describe("refused changes write nothing", () => {
  test.each([
    { nodes: [{ id: "a", type: "nope" }] },
    { nodes: [{ id: "x", type: "log" }] },
    {
      edges: [
        { source: "a", target: "b" },
        { source: "b", target: "a" },
      ],
    },
  ])("%j", async (changes) => {
    const before = await read();
    expect((await refused(update({ ...changes, name: "Other" }))).code).toBe("VALIDATION_ERROR");
    expect(await read()).toEqual(before);
  });

  test("an unfinished flow cannot be activated, nor an active one made unfinished; all reasons are listed", async () => {
    await update({ nodes: [...document.nodes, { id: "c", type: "if-else" }, { id: "d", type: "code" }] });
    const { details } = await refused(update({ status: "active" }));
    expect(Object.keys(details ?? {})).toEqual(["nodes[2].config.condition", "nodes[3].config.code"]);
    await update({ status: "active", nodes: document.nodes });
    expect((await refused(update({ nodes: [{ id: "c", type: "if-else" }], edges: [] }))).code).toBe("VALIDATION_ERROR");
    expect((await read()).status).toBe("active");
  });

  test("a stale If-Match", async () => {
    await update({ variables: { limit: 6 } });
    const error = await refused(update({ name: "Other" }, etagOf(1)));
    expect([error.code, error.details]).toEqual(["CONFLICT", { currentVersion: 2 }]);
    expect((await read()).name).toBe("Test");
    for (const tag of [etagOf(2), "*", `"1", ${etagOf(2)}`]) await update({ name: tag }, tag);
  });

  test("another workspace's flow, and one that does not exist", async () => {
    const other = await newActor();
    for (const [who, flowId] of [
      [other, id],
      [actor, "flow_01h455vb4pex5vsknk084sn02q"],
      [actor, "x"],
    ] as const) {
      expect((await refused(updateFlow(who, flowId, {}, null))).code).toBe("NOT_FOUND");
    }
  });
});
