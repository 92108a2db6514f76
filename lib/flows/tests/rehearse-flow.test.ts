// Rehearsals of stored tests and runs, and deep tests made from runs.
import { afterAll, beforeAll, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { createFlowTest as createEndpoint, runFlowTests as runEndpoint } from "#lib/contract/flows/flow-tests.ts";
import { rehearseFlow as rehearseEndpoint } from "#lib/contract/flows/rehearsals.ts";
import { edge, node } from "#lib/engine/testing/flows.ts";
import type { StartedFlow } from "#lib/executions/store/new-execution.ts";
import { storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { updateFlow } from "#lib/flows/update-flow.ts";
import { DrivenRuns } from "#lib/runtime/testing/driven-runs.ts";
import { createFlowTest } from "./flow-tests.ts";
import { rehearseFlow } from "./rehearse-flow.ts";
import { runFlowTests } from "./run-tests.ts";

let actor: Actor;
let sent = 0;
let driven: DrivenRuns;

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  const send = async () => {
    sent += 1;
    const body = Buffer.from(JSON.stringify({ id: sent }));
    return { status: 200, headers: { "content-type": "application/json" }, body };
  };
  driven = new DrivenRuns({ children: 1, send });
});
afterAll(() => driven.close());

const runFlow = (flow: StartedFlow) => driven.run(flow, {});
const transform = (id: string, text: string) => node(id, "transform", { transform: text });
const pay = node("pay", "http-request", { method: "POST", url: "https://api.test/" });
const rehearse = async (flowId: string, body: object) =>
  rehearseEndpoint.answer.parse(await rehearseFlow(actor, flowId, rehearseEndpoint.body.parse(body))).cases;
const make = async (flowId: string, body: object) =>
  (await createFlowTest(actor, flowId, createEndpoint.body.parse(body))).payload;

test("a run and its test give the same rehearsal, fault by fault, and nothing is sent", async () => {
  const flow = await storedFlow(
    actor,
    [pay, transform("code", "$node.output.error.code")],
    [edge("pay:error -> code")],
  );
  const executionId = await runFlow(flow);
  const { id: testId } = await make(flow.id, { fromExecutionId: executionId });
  const before = sent;
  const cases = await rehearse(flow.id, { testId });
  expect(cases.map(({ fault, handled }) => [fault, handled])).toEqual([
    ["no-answer", true],
    ["timeout", true],
    ["status-500", true],
    ["status-429", true],
    ["bad-json", false],
    ["empty", false],
    ["killed-before", true],
    ["killed-after", true],
  ]);
  expect(await rehearse(flow.id, { executionId })).toEqual(cases);
  expect(sent).toBe(before);
});

test("impossible faults and too many cases are refused with their path", async () => {
  const flow = await storedFlow(actor, [pay, transform("a", "1")]);
  const { id: testId } = await make(flow.id, { fromExecutionId: await runFlow(flow) });
  const timeout = { fault: "timeout" };
  const refusals: [object, string][] = [
    [{ testId, faults: [{ nodeId: "gone", ...timeout }] }, "faults[0].nodeId"],
    [
      {
        testId,
        faults: [
          { nodeId: "pay", ...timeout },
          { nodeId: "a", ...timeout },
        ],
      },
      "faults[1].nodeId",
    ],
    [{ executionId: "exec_01kad7c9p2f6atqxv3m0wz8y5n" }, "executionId"],
  ];
  for (const [body, field] of refusals) {
    const refused = rehearse(flow.id, body);
    await expect(refused).rejects.toMatchObject({ code: "VALIDATION_ERROR", details: { [field]: expect.anything() } });
  }
  const calls = Array.from({ length: 51 }, (_, index) => ({ ...pay, id: `call${index}` }));
  const many = rehearse(flow.id, { testId, definition: { nodes: calls } });
  await expect(many).rejects.toMatchObject({ details: { faults: expect.stringContaining("408 cases") } });
  const blind = { ...actor, scopes: new Set(["flows:read"] as const) };
  await expect(rehearseFlow(blind, flow.id, { executionId: "exec_x" })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(rehearseFlow(await newActor(), flow.id, { testId })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a deep test of a run passes, and finds a change two flows down", async () => {
  const low = await storedFlow(actor, [pay, transform("id", "$node.output.body.id * 0 + 1")], [edge("pay -> id")]);
  const middle = await storedFlow(actor, [node("each", "loop", { items: "{{ [1, 2] }}", flowId: low.id })]);
  const flow = await storedFlow(actor, [node("sub", "sub-flow", { flowId: middle.id })]);
  const made = await make(flow.id, { fromExecutionId: await runFlow(flow), deep: true });
  const recording = { recordings: { pay: { output: { status: 200 } } } };
  expect(made).toMatchObject({
    deep: true,
    recordings: { sub: { recordings: { each: { sequence: [recording, recording] } } } },
  });
  const run = async () => runEndpoint.answer.parse(await runFlowTests(actor, flow.id, runEndpoint.body.parse({})));
  const before = sent;
  expect(await run()).toMatchObject({ passed: 1 });
  await updateFlow(actor, low.id, { nodes: [pay, transform("id", "2")] }, null);
  expect((await run()).results[0]?.problems[0]).toMatchObject({ path: "nodes.sub.output.output.0.output", actual: 2 });
  expect(sent).toBe(before);
});

test("a deep test finds no flow of another workspace", async () => {
  const foreign = await storedFlow(await newActor(), [transform("a", "1")]);
  const flow = await storedFlow(actor, [node("sub", "sub-flow", { flowId: foreign.id })]);
  await make(flow.id, { name: "Deep", deep: true });
  const { results } = await runFlowTests(actor, flow.id, {});
  expect(results[0]?.problems[0]?.message).toContain("FLOW_NOT_FOUND");
});
