// What is learned of runs that end, with the database.
import { beforeAll, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { jsonText, type Outcome } from "#lib/engine/outcome.ts";
import { node } from "#lib/engine/testing/flows.ts";
import { storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { deleteFlow } from "#lib/flows/delete-flow.ts";
import { database } from "#lib/platform/database.ts";
import type { EndedRun } from "./learn-from-run.ts";
import { learn } from "./learn-from-value.ts";
import { readFlowTypes } from "./read-flow-types.ts";
import { storeTypes } from "./stored-types.ts";
import { typeLearner } from "./type-learner.ts";
import { noShapes, shapeOfNode } from "./version-types.ts";

let actor: Actor;
inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
});

const flow = () => storedFlow(actor, [node("a", "transform", { transform: "1" })]);
const runOf = (flowId: string, output: unknown, body: unknown = {}): EndedRun => ({
  flowId,
  version: 1,
  trigger: jsonText({ body, headers: {}, query: {}, method: "POST" }),
  outcomes: new Map<string, Outcome>([["a", { status: "completed", output: jsonText(output), handle: null }]]),
});

/** Ends a run, and waits until what was learned is stored. */
async function end(run: EndedRun) {
  const drift = typeLearner().driftIn(run);
  typeLearner().learnFrom(run, []);
  await typeLearner().store();
  return drift;
}

test("the first hundred runs are sampled, then every hundredth; values are not stored", async () => {
  const { id } = await flow();
  for (let count = 0; count < 100; count += 1) expect(await end(runOf(id, { text: "a-canary" }))).toBeNull();
  const [row] = await database().flowTypes.findMany({ where: { flowId: id } });
  expect(row).toMatchObject({ version: 1, runs: 100 });
  expect(JSON.stringify(row)).not.toContain("a-canary");
  expect(await end(runOf(id, { text: 5 }))).toMatchObject({ nodeId: "a", path: "nodes.a.output.text" });
  expect(await end(runOf(id, {}, "no object"))).toMatchObject({ nodeId: null, path: "trigger.body" });
  for (let count = 0; count < 100; count += 1) typeLearner().learnFrom(runOf(id, { text: "b" }), []);
  await typeLearner().store();
  expect(await database().flowTypes.findMany({ where: { flowId: id } })).toMatchObject([{ runs: 101 }]);
  const { nodes } = await readFlowTypes(actor, id);
  expect(nodes.a).toMatchObject({ type: "object", "x-seen": 101, required: ["text"] });
});

test("two servers that store at once lose nothing", async () => {
  const { id } = await flow();
  const learned = () => {
    const shapes = { ...noShapes(), runs: 1 };
    const shape = shapeOfNode(shapes, "a");
    if (shape !== null) learn(shape, { x: 1 });
    return shapes;
  };
  await Promise.all(Array.from({ length: 20 }, () => storeTypes(id, 1, learned())));
  expect(await readFlowTypes(actor, id)).toMatchObject({ trigger: null, nodes: { a: { "x-seen": 20 } } });
  for (const version of [2, 3, 4]) await storeTypes(id, version, learned());
  const rows = await database().flowTypes.findMany({ where: { flowId: id }, orderBy: { version: "asc" } });
  expect(rows.map(({ version }) => version)).toEqual([2, 3, 4]);
});

test("what is learned is deleted with its flow, and not readable from another workspace", async () => {
  const { id } = await flow();
  await end(runOf(id, 1));
  await expect(readFlowTypes(await newActor(), id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  typeLearner().learnFrom(runOf(id, 1), []);
  await deleteFlow(actor, id, { deleteExecutions: true, ifMatch: null });
  await typeLearner().store();
  expect(await database().flowTypes.count({ where: { flowId: id } })).toBe(0);
});
