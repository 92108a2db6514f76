// Tests and rehearsals of the largest runs must not block the event loop.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { createFlowTest as createEndpoint, runFlowTests as runEndpoint } from "#lib/contract/flows/flow-tests.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { edge, node } from "#lib/engine/testing/flows.ts";
import { readTimeline } from "#lib/executions/explain/timeline.ts";
import { runSignals } from "#lib/executions/live/run-signals.ts";
import { storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { updateFlow } from "#lib/flows/update-flow.ts";
import type { OutboundAnswer } from "#lib/nodes/http-request/outbound-request.ts";
import { database } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { driveRun } from "#lib/runtime/drive/drive-run.ts";
import { claimRuns } from "#lib/runtime/embedded/claim-runs.ts";
import { createSandbox } from "#lib/sandbox/sandbox.ts";
import { createFlowTest, rowsOfTests } from "./flow-tests.ts";
import { rehearseFlow } from "./rehearse-flow.ts";
import { runFlowTests } from "./run-tests.ts";

let actor: Actor;
const sandbox = createSandbox({ children: 2 });

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  const answer: OutboundAnswer = {
    status: 200,
    headers: { "content-type": "application/json" },
    body: Buffer.from('{"id":1}'),
  };
  singleton("outside", () => ({ sandbox, outbound: { send: async () => answer } }));
  runSignals().sandbox = () => sandbox;
});
afterAll(() => sandbox.close());

const stallMsMax = 100;

async function endedRun(nodes: readonly FlowNode[], arrows: readonly string[] = []) {
  const flow = await storedFlow(
    actor,
    nodes,
    arrows.map((arrow) => edge(arrow)),
  );
  const executionId = await storedExecution(flow);
  const claim = (await claimRuns(100)).find(({ run }) => run.id === executionId);
  if (claim === undefined) throw new Error("the run was not taken");
  await driveRun(claim.run, claim.recorded, Number.MAX_SAFE_INTEGER);
  return { flowId: flow.id, executionId };
}

const make = (flowId: string, body: object) => createFlowTest(actor, flowId, createEndpoint.body.parse(body));
const run = (flowId: string) => runFlowTests(actor, flowId, runEndpoint.body.parse({}));
const transform = (id: string, text: string) => node(id, "transform", { transform: text });
const call = (id: string) => node(id, "http-request", { method: "POST", url: "https://api.test/" });

describe("work on the largest runs yields to the event loop", { timeout: 300_000 }, () => {
  test("1,000 iterations of five nodes: the test of the run, its replay, the timeline and a rehearsal", async () => {
    const inner = [call("call"), ...["a", "b", "c", "d"].map((id) => transform(id, "$index + 1"))];
    const edges = ["call -> a", "a -> b", "b -> c", "c -> d"].map((arrow) => edge(arrow));
    const body = { nodes: inner, edges } as unknown as JsonObject;
    const items = "{{ Array.from({ length: 1000 }, () => 1) }}";
    const { flowId, executionId } = await endedRun([node("loop", "loop", { items, concurrency: 50, body })]);
    expect(await longestTurn(() => make(flowId, { fromExecutionId: executionId }))).toBeLessThan(stallMsMax);
    let passed = 0;
    const turn = await longestTurn(async () => {
      passed = (await run(flowId)).passed;
    });
    expect(passed).toBe(1);
    expect(turn).toBeLessThan(stallMsMax);
    expect(await longestTurn(() => readTimeline(actor, executionId))).toBeLessThan(stallMsMax);
    const faults = [{ nodeId: "call", fault: "killed-after" as const }];
    expect(await longestTurn(() => rehearseFlow(actor, flowId, { executionId, faults }))).toBeLessThan(stallMsMax);
  });

  test("a hundred tests of one name are replaced", async () => {
    const { id } = await storedFlow(actor, [transform("a", "1")]);
    const output = Array.from({ length: 1_200 }, (_, at) => ({ at, text: "some text of 20" }));
    const testOf = (n: number, expected: unknown) => ({
      ...{ name: "Same", now: "2026-01-31T10:00:00.000Z", recordings: {} },
      trigger: { body: { n }, headers: {}, query: {}, method: "POST" },
      expect: { status: "completed" as const, output: expected },
    });
    const many = (expected: unknown) => Array.from({ length: 100 }, (_, n) => testOf(n, expected));
    await database().flowTest.createMany({ data: await rowsOfTests(id, many(output), new Date()) });
    const replacing = () => updateFlow(actor, id, { tests: many(1) } as Parameters<typeof updateFlow>[2], null);
    expect(await longestTurn(replacing)).toBeLessThan(stallMsMax);
    expect(await database().flowTest.count({ where: { flowId: id, version: 2 } })).toBe(100);
  });

  test("values of 4 MiB, stored and compared by a test", async () => {
    const part = "Array.from({ length: 25000 }, (_, at) => ({ at, text: 'some text of 20' }))";
    const copies = Object.fromEntries(["a", "b", "c", "d"].map((key) => [key, "{{ $node.output }}"]));
    const nodes = [transform("part", part), node("whole", "transform", { transform: copies })];
    const { flowId, executionId } = await endedRun(nodes, ["part -> whole"]);
    // Its expectation is larger than a test may be.
    const making = async () => {
      await expect(make(flowId, { fromExecutionId: executionId })).rejects.toMatchObject({
        details: { fromExecutionId: expect.stringContaining("1,048,576 characters") },
      });
    };
    expect(await longestTurn(making)).toBeLessThan(stallMsMax);
    const other = Array.from({ length: 20_000 }, (_, index) => ({ at: index, text: "another text" }));
    await make(flowId, { name: "Large", expect: { nodes: { whole: { output: { d: other } } } } });
    expect(await longestTurn(() => run(flowId))).toBeLessThan(stallMsMax);
  });
});
