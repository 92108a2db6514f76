// Explanations of real runs: timelines, and why nodes are in their states.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { readNodeExecution as readNodeEndpoint } from "#lib/contract/executions/executions.ts";
import { readTimeline as timelineEndpoint } from "#lib/contract/executions/timeline.ts";
import { type FlowEdge, type FlowNode, stepSeparator } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { edge, node } from "#lib/engine/testing/flows.ts";
import { readExecution, readNodeExecution } from "#lib/executions/read-execution.ts";
import { storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { driveRun } from "#lib/runtime/drive/drive-run.ts";
import { claimRuns } from "#lib/runtime/embedded/claim-runs.ts";
import { createSandbox } from "#lib/sandbox/sandbox.ts";
import { readTimeline } from "./timeline.ts";

let actor: Actor;
const sandbox = createSandbox({ children: 1 });

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  singleton("outside", () => ({ sandbox, outbound: {} }));
});
afterAll(() => sandbox.close());

const transform = (id: string, text: string, more = {}) => node(id, "transform", { transform: text, ...more });

/** Runs a flow once, as far as it gets. */
async function runOf(nodes: readonly FlowNode[], edges: readonly FlowEdge[] = []): Promise<string> {
  const flow = await storedFlow(actor, nodes, edges);
  const id = await storedExecution(flow);
  const claim = (await claimRuns(100)).find(({ run }) => run.id === id);
  if (claim === undefined) throw new Error("the run was not taken");
  await driveRun(claim.run, claim.recorded, Number.MAX_SAFE_INTEGER);
  return id;
}

const oneNode = (id: string): JsonObject => ({
  nodes: [{ id, type: "transform", config: { transform: "$item" } }],
  edges: [],
});
const timelineOf = async (id: string) => timelineEndpoint.answer.parse(await readTimeline(actor, id));
const whyOf = async (id: string, nodeId: string) =>
  readNodeEndpoint.answer.parse((await readNodeExecution(actor, id, nodeId)).shown).why;
const shown = (changes: Awaited<ReturnType<typeof timelineOf>>) =>
  changes.map(
    ({ nodeId, iteration, from, to }) => `${nodeId}${iteration === null ? "" : `@${iteration}`}: ${from} > ${to}`,
  );

const branches: [FlowNode[], FlowEdge[]] = [
  [
    node("check", "if-else", { condition: "1 > 2" }),
    transform("yes", "1"),
    transform("after", "2"),
    transform("no", "3"),
  ],
  [edge("check:true -> yes"), edge("yes -> after"), edge("check:false -> no")],
];

describe("a timeline", () => {
  test("has every change in order, and ends in the recorded states", async () => {
    const id = await runOf(...branches);
    const changes = await timelineOf(id);
    expect(shown(changes).slice(0, 3)).toEqual([
      "check: pending > running",
      "check: running > completed",
      "yes: pending > skipped",
    ]);
    // The skipped branch may appear anywhere among the changes of the one that runs.
    expect(shown(changes).filter((text) => text.startsWith("no"))).toEqual([
      "no: pending > running",
      "no: running > completed",
    ]);
    const decision = { nodeId: "check", handle: "false", expression: "1 > 2", value: false };
    expect(changes.find(({ nodeId, to }) => nodeId === "no" && to === "running")?.because).toEqual([decision]);
    expect(changes.find(({ to, nodeId }) => nodeId === "yes" && to === "skipped")?.because).toEqual([decision]);
    const { nodes } = await readExecution(actor, id, { includeLogs: false, includeNodeOutputs: false });
    const last = new Map(changes.map(({ nodeId, to }) => [nodeId, to]));
    expect(Object.fromEntries(last)).toEqual(Object.fromEntries(nodes.map(({ nodeId, status }) => [nodeId, status])));
  });

  test("has each iteration of nested loops between the loop's start and end", async () => {
    const inner: JsonObject = {
      nodes: [
        {
          id: "in",
          type: "loop",
          config: {
            items: "{{ [1] }}",
            body: { nodes: [{ id: "deep", type: "transform", config: { transform: "$item" } }], edges: [] },
          },
        },
      ],
      edges: [],
    };
    const id = await runOf(
      [node("out", "loop", { items: "{{ [1, 2] }}", body: inner }), transform("end", "1")],
      [edge("out -> end")],
    );
    const changes = shown(await timelineOf(id));
    expect(changes[0]).toBe("out: pending > running");
    expect(changes.slice(-3)).toEqual([
      "out: running > completed",
      "end: pending > running",
      "end: running > completed",
    ]);
    for (const turn of ["0", "1"]) {
      const at = (text: string) => changes.indexOf(text);
      expect(at(`in@${turn}: pending > running`)).toBeLessThan(at(`deep@${turn}.0: pending > running`));
      expect(at(`deep@${turn}.0: running > completed`)).toBeLessThan(at(`in@${turn}: running > completed`));
    }
  });

  test("works while the run is in progress, and shows who woke it afterwards", async () => {
    const id = await runOf([node("wait", "wait", {}), transform("after", "1")], [edge("wait -> after")]);
    expect(shown(await timelineOf(id))).toEqual(["wait: pending > running"]);
    expect(await whyOf(id, "wait")).toEqual([
      {
        nodeId: "wait",
        handle: null,
        expression: null,
        value: { waitedFor: "call", since: expect.any(String), until: null, wokenAt: null, wokenBy: null },
      },
    ]);
  });

  test("of a long skipped chain has each node's nearest skipped nodes and the decision", async () => {
    const ids = Array.from({ length: 300 }, (_, index) => `n${index}`);
    const nodes = [node("check", "if-else", { condition: "1 > 2" }), ...ids.map((id) => transform(id, "1"))];
    const edges = ids.map((id, index) => edge(index === 0 ? `check:true -> ${id}` : `n${index - 1} -> ${id}`));
    const changes = await timelineOf(await runOf(nodes, edges));
    expect(changes.at(-1)).toMatchObject({
      nodeId: "n299",
      to: "skipped",
      because: [{ nodeId: "n298" }, { nodeId: "check", value: false }],
    });
    expect(Math.max(...changes.map(({ because }) => because.length))).toBe(2);
  });

  test("with very many iterations has the first ones, all nodes of the flow itself, and no guessed skips", async () => {
    const id = await runOf(
      [node("loop", "loop", { items: "{{ [1] }}", body: oneNode("in") }), transform("end", "1")],
      [edge("loop -> end")],
    );
    expect(await timelineOf(id)).toHaveLength(6);
    await query(
      "more-iterations",
      `INSERT INTO node_execution (execution_id, node_id, position, node_name, type, status, started_at, completed_at, retries)
       SELECT execution_id, split_part(node_id, $2, 1) || $2 || turn, position, node_name, type, status, started_at,
         completed_at, retries
       FROM node_execution, generate_series(1, 5100) AS turn WHERE execution_id = $1 AND position($2 IN node_id) > 0
       RETURNING 1`,
      [id, stepSeparator],
    );
    const changes = await timelineOf(id);
    expect(changes.filter(({ nodeId, to }) => nodeId === "end" && to === "completed")).toHaveLength(1);
    expect(changes.filter(({ to }) => to === "skipped")).toEqual([]);
    expect(changes.length).toBe(2 * (5_000 + 2));
  });

  test("covers only the workspace's own runs", async () => {
    const id = await runOf([transform("a", "1")]);
    await expect(readTimeline(await newActor(), id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(readTimeline(actor, "exec_nothing")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("why a node is in its state", () => {
  test("a skipped node: the path back to the decision, with the value it was made on", async () => {
    const id = await runOf(...branches);
    expect(await whyOf(id, "after")).toEqual([
      { nodeId: "yes", handle: null, expression: null, value: null },
      { nodeId: "check", handle: "false", expression: "1 > 2", value: false },
    ]);
    expect(await whyOf(id, "no")).toBeUndefined();
  });

  test("a failed node: what the expression read, as far as its paths lead", async () => {
    const nodes = [
      transform("a", "({ list: [] })"),
      transform("b", "$nodes['a'].output.list[0].price + $trigger.body.x.y"),
      transform("c", "1"),
    ];
    const id = await runOf(nodes, [edge("a -> b"), edge("b -> c")]);
    expect(await whyOf(id, "b")).toEqual(
      expect.arrayContaining([
        { nodeId: "a", handle: null, expression: "$nodes['a'].output.list[0]", value: null },
        { nodeId: null, handle: null, expression: "$trigger.body.x", value: null },
      ]),
    );
    expect(await whyOf(id, "c")).toMatchObject([
      { nodeId: "b", handle: "error", value: { code: "EXPRESSION_FAILED" } },
    ]);
    const failed = (await timelineOf(id)).find(({ to }) => to === "failed");
    expect(failed?.because).toContainEqual({ nodeId: null, handle: null, expression: "$trigger.body.x", value: null });
  });

  test("shows no credential that an expression reads, and truncates large values", async () => {
    const nodes = [
      transform("a", "'x'.repeat(10000)"),
      transform("b", "$nodes['a'].output.y.z + $credentials.shop.token"),
    ];
    const id = await runOf(nodes, [edge("a -> b")]);
    const why = (await whyOf(id, "b")) ?? [];
    expect(JSON.stringify(why)).not.toContain("$credentials");
    expect(JSON.stringify(why).length).toBeLessThan(3_000);
  });

  test("a node that is in no run is not found", async () => {
    const id = await runOf([transform("a", "1")]);
    for (const nodeId of ["b", "\u0000"]) {
      await expect(readNodeExecution(actor, id, nodeId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });
});
