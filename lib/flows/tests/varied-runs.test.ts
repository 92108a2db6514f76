// How good a test made from a run is, over thirty kinds of runs: it always passes, and detects any changed constant.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { createFlowTest as createEndpoint, runFlowTests as runEndpoint } from "#lib/contract/flows/flow-tests.ts";
import { node } from "#lib/engine/testing/flows.ts";
import type { StartedFlow } from "#lib/executions/store/new-execution.ts";
import { createFlow } from "#lib/flows/create-flow.ts";
import type { OutboundAnswer } from "#lib/nodes/http-request/outbound-request.ts";
import { DrivenRuns } from "#lib/runtime/testing/driven-runs.ts";
import { createFlowTest, listFlowTests } from "./flow-tests.ts";
import { runFlowTests } from "./run-tests.ts";
import { changedConstants } from "./testing/changed-constants.ts";
import { runWith, type VariedFlow, variedFlows } from "./testing/varied-flows.ts";

let actor: Actor;
let flows: VariedFlow[];
let sent = 0;
let driven: DrivenRuns;

const json = (value: unknown, status = 200): OutboundAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify(value)),
});
const answers: Record<string, () => OutboundAnswer> = {
  "https://api.test/gone": () => json("no", 404),
  "https://api.test/late": () => (sent % 2 === 1 ? json("busy", 503) : json("ok")),
};

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  driven = new DrivenRuns({
    children: 2,
    send: async ({ url }) => {
      sent += 1;
      return answers[url]?.() ?? json({ id: sent, at: Math.random() });
    },
  });
  const child = await stored({
    name: "Child",
    nodes: [node("double", "transform", { transform: "$trigger.body.n * 2" })],
  });
  const failing = await stored({
    name: "Failing",
    nodes: [node("breaks", "transform", { transform: "$trigger.body.missing.x" })],
  });
  flows = variedFlows({ child: child.id, failing: failing.id });
});
afterAll(() => driven.close());

async function stored({ name, nodes, edges = [], variables = {} }: VariedFlow): Promise<StartedFlow> {
  const trigger = { type: "manual" as const, config: {} };
  const given = { name, status: "draft" as const, tags: [], trigger, nodes: [...nodes], edges: [...edges], variables };
  const { id, version } = await createFlow(actor, given);
  return { id, workspaceId: actor.workspaceId, name, version, settings: null };
}

/** Runs a flow once and makes a test from the run. */
async function tested(varied: VariedFlow): Promise<string> {
  const flow = await stored(varied);
  const fromExecutionId = await driven.run(flow, runWith);
  await createFlowTest(actor, flow.id, createEndpoint.body.parse({ fromExecutionId }));
  return flow.id;
}

const run = async (flowId: string, body: object = {}) =>
  runEndpoint.answer.parse(await runFlowTests(actor, flowId, runEndpoint.body.parse(body)));

describe("a test of a run", () => {
  test("passes at once and 100 times over, and reaches nothing outside", { timeout: 300_000 }, async () => {
    expect(flows).toHaveLength(30);
    for (const varied of flows) {
      const flowId = await tested(varied);
      const before = sent;
      for (let turn = 0; turn < 101; turn += 1) {
        const { passed, results } = await run(flowId);
        if (passed !== 1) expect([varied.name, turn, results]).toEqual([varied.name, turn, "passed"]);
      }
      expect([varied.name, sent]).toEqual([varied.name, before]);
    }
  });

  test("detects any changed constant, and names its node", { timeout: 300_000 }, async () => {
    let count = 0;
    for (const varied of flows) {
      const { name, nodes, edges = [], variables = {} } = varied;
      const flowId = await tested(varied);
      const nodeIds = await nodesThatRan(flowId);
      for (const mutant of changedConstants(nodes)) {
        if (!nodeIds.has(mutant.id)) continue;
        const definition = { nodes: mutant.nodes, edges, variables };
        const { failed, results } = await run(flowId, { definition });
        const report = {
          name,
          id: mutant.id,
          changed: JSON.stringify(mutant.nodes.find(({ id }) => id === mutant.id)?.config),
          failed,
        };
        expect({ ...report, named: results[0]?.problems[0]?.nodeId }).toEqual({
          ...report,
          failed: 1,
          named: mutant.id,
        });
        count += 1;
      }
      for (const key of Object.keys(variables)) {
        const definition = { nodes, edges, variables: { ...variables, [key]: 8 } };
        expect((await run(flowId, { definition })).failed).toBe(1);
      }
    }
    expect(count).toBeGreaterThan(80);
  });
});

/** The nodes that ran in the run behind a flow's test. */
async function nodesThatRan(flowId: string): Promise<ReadonlySet<string>> {
  const { items } = await listFlowTests(actor, flowId, { page: 1, limit: 1 });
  const { nodes = {} } = (items[0]?.expect ?? {}) as { nodes?: Record<string, { status: string }> };
  return new Set(Object.entries(nodes).flatMap(([id, { status }]) => (status === "skipped" ? [] : [id])));
}
