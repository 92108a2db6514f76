// The record of a run whose caller waits is written before anything is visible outside.

import { beforeAll, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import { node } from "#lib/engine/testing/flows.ts";
import { runSignals } from "#lib/executions/live/run-signals.ts";
import { loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import type { Outside } from "#lib/executions/nodes/node-context.ts";
import { triggerTextOf } from "#lib/executions/store/new-execution.ts";
import { storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { database } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { runInline } from "./inline-run.ts";

let actor: Actor;
let flowId: string;
/** The stored runs of the flow at the moment of each outside effect. */
let seenOutside: { status: string }[][] = [];

const rows = () => database().execution.findMany({ where: { flowId }, select: { status: true } });
const poll = async () => {
  seenOutside.push(await rows());
};

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  singleton("outside", () => ({
    sandbox: {
      run: () => Promise.reject(new Error("not needed here")),
      limits: { resultBytes: 1_000 },
    } as unknown as Outside["sandbox"],
    outbound: {
      send: async () => {
        await poll();
        return { status: 200, headers: {}, body: Buffer.from("") };
      },
    } as unknown as Outside["outbound"],
  }));
  runSignals().start = async () => {
    await poll();
    throw new NodeFailure("NOT_HERE", "no other flow runs in this test");
  };
});

async function run(nodes: readonly FlowNode[]) {
  seenOutside = [];
  const flow = await storedFlow(actor, nodes);
  flowId = flow.id;
  const version = await loadVersion(flow.id, flow.version);
  if (version === null) throw new Error("the version is gone");
  const { end } = await runInline(flow, version, {
    triggerType: "webhook",
    trigger: triggerTextOf({ body: { items: [1] }, headers: {}, query: {}, method: "POST" }),
    source: "webhook",
    ip: null,
    userAgent: null,
  });
  return end;
}

const call = node("call", "http-request", { url: "https://api.test/", method: "POST" });
const loop = (id: string, config: FlowNode["config"]) => node(id, "loop", { items: "$trigger.body.items", ...config });
const loopAround = (id: string, inner: FlowNode) =>
  loop(id, { body: { nodes: [inner], edges: [] } } as unknown as FlowNode["config"]);

describe("a run is on disk before it acts", () => {
  test.each([
    ["in a node of the flow", call],
    ["in a loop's body", loopAround("loop", call)],
    ["in the body of a loop in a loop", loopAround("outer", loopAround("inner", call))],
  ])("%s", async (_, acting) => {
    expect((await run([acting]))?.status).toBe("completed");
    expect(seenOutside).toEqual([[{ status: "running" }]]);
  });

  test("by starting a flow for each item", async () => {
    const child = await storedFlow(actor);
    expect((await run([loop("loop", { flowId: child.id })]))?.error).toMatchObject({ nodeId: "loop" });
    expect(seenOutside).toEqual([[{ status: "running" }]]);
  });
});

test("a loop that only computes is stored in one write, with its end", async () => {
  const doubled = node("double", "transform", { transform: "$item * 2" });
  expect(await run([loopAround("loop", doubled)])).toMatchObject({ status: "completed", output: { value: [2] } });
  const [stored] = await database().execution.findMany({ where: { flowId } });
  expect(stored).toMatchObject({ status: "completed", fence: 1, losses: 0, journal: expect.any(String) });
});
