// A run's data is bounded: one output, a collected result, and all outputs together.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { FlowEdge, FlowNode } from "#lib/engine/flow.ts";
import { jsonText } from "#lib/engine/outcome.ts";
import { edge, node } from "#lib/engine/testing/flows.ts";
import type { Outside } from "#lib/executions/nodes/node-context.ts";
import { recheckNode } from "#lib/executions/nodes/run-node.ts";
import { readExecution } from "#lib/executions/read-execution.ts";
import { recordNodes } from "#lib/executions/store/record-nodes.ts";
import { RunSizes } from "#lib/executions/store/run-sizes.ts";
import { runningRuns } from "#lib/executions/store/runs-in-process.ts";
import { stepOf } from "#lib/executions/testing/run-in-memory.ts";
import { letLeaseExpire, nodeRecord, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import type { OutboundRequest } from "#lib/nodes/http-request/outbound-request.ts";
import { database, query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { driveRun } from "./drive/drive-run.ts";
import { claimRuns } from "./embedded/claim-runs.ts";

const nodeBytes = 100_000;
const collected = 200_000;
const runBytes = 1_000_000;
const stepsMax = 1_000;

let actor: Actor;
let sent = 0;

inOwnDatabase();
beforeAll(async () => {
  Object.assign(process.env, {
    OUTPUT_MAX_BYTES: String(nodeBytes),
    COLLECTED_OUTPUT_MAX_BYTES: String(collected),
    RUN_OUTPUT_MAX_BYTES: String(runBytes),
    RUN_STEPS_MAX: String(stepsMax),
  });
  actor = await newActor();
  singleton("outside", () => ({
    sandbox: {
      run: () => Promise.reject(new Error("not needed here")),
      limits: { resultBytes: 1_000_000 },
    } as unknown as Outside["sandbox"],
    outbound: {
      // The last part of the path is the body's size.
      send: async ({ url }: OutboundRequest) => {
        sent += 1;
        return { status: 200, headers: {}, body: Buffer.from("x".repeat(Number(url.split("/").at(-1)))) };
      },
    } as unknown as Outside["outbound"],
  }));
});
beforeEach(() => {
  sent = 0;
});

async function drive(nodes: readonly FlowNode[], edges: readonly FlowEdge[] = []) {
  const id = await storedExecution(await storedFlow(actor, nodes, edges));
  return { id, end: await resume(id) };
}

async function resume(id: string) {
  const claim = (await claimRuns(100)).find(({ run }) => run.id === id);
  if (claim === undefined) throw new Error("the run was not taken");
  return await driveRun(claim.run, claim.recorded);
}

const read = (id: string) => readExecution(actor, id, { includeLogs: true, includeNodeOutputs: true });
/** A node with an output of this many bytes. */
const respond = (id: string, bytes: number) => node(id, "respond", { body: "x".repeat(bytes - 2) });
const call = (id: string, bodyBytes: number) =>
  node(id, "http-request", { url: `https://api.test/${bodyBytes}`, method: "POST" });
/** A call's output apart from its body. */
const callBytes = Buffer.byteLength(JSON.stringify({ status: 200, headers: {}, body: "" }));
/** Runs a flow with a loop `l` over this many items. */
const driveLoop = (
  count: number,
  nodes: readonly FlowNode[],
  config: FlowNode["config"] = {},
  arrows: string[] = [],
) => {
  const list = node("list", "respond", { body: Array.from({ length: count }, () => 0) });
  const body = JSON.parse(JSON.stringify({ nodes, edges: arrows.map((arrow) => edge(arrow)) }));
  return drive([list, node("l", "loop", { body, ...config })], [edge("list -> l")]);
};
const tooLarge = (nodeId: string) => ({ status: "failed", error: { nodeId, code: "OUTPUT_TOO_LARGE" } });

describe("one output", () => {
  test("may be as large as the limit", async () => {
    expect((await drive([respond("a", nodeBytes)])).end?.status).toBe("completed");
  });

  test("one byte over fails its node, with the limit and the size", async () => {
    const { id, end } = await drive([respond("a", nodeBytes + 1)]);
    expect(end).toMatchObject(tooLarge("a"));
    expect(end?.error?.message).toBe(
      "The output has 100,001 bytes; one output may have 100,000 bytes (OUTPUT_MAX_BYTES)",
    );
    expect((await read(id)).nodes).toMatchObject([{ nodeId: "a", status: "failed", output: null }]);
  });

  test("is measured in bytes of JSON, not characters", async () => {
    const texts = ["ü", "€", "\u0001", '"', "😀"];
    for (const text of texts) {
      const bytes = Buffer.byteLength(JSON.stringify(text)) - 2;
      const fits = Math.floor((nodeBytes - 2) / bytes);
      expect((await drive([node("a", "respond", { body: text.repeat(fits) })])).end?.status).toBe("completed");
      expect((await drive([node("a", "respond", { body: text.repeat(fits + 1) })])).end).toMatchObject(tooLarge("a"));
    }
  });

  test("over it follows the error edge like any failure", async () => {
    const { end } = await drive(
      [respond("a", nodeBytes + 1), respond("b", 10)],
      [edge("a -> b", { sourceHandle: "error" })],
    );
    expect(end).toMatchObject({ status: "completed", output: { value: "x".repeat(8) } });
  });

  test("that passes on a collected value may be as large as the value", async () => {
    const branches = [respond("a", 90_000), respond("b", 90_000)];
    const nodes = [...branches, node("m", "merge", { mode: "array" }), node("note", "respond", {})];
    const { end } = await drive(nodes, [edge("a -> m"), edge("b -> m"), edge("m -> note")]);
    expect(end?.status).toBe("completed");
  });
});

describe("the result of a merge or a loop", () => {
  const merged = async (bytes: number) => {
    const third = bytes - 2 * 90_000 - "[,,]".length;
    const nodes = [
      respond("a", 90_000),
      respond("b", 90_000),
      respond("c", third),
      node("m", "merge", { mode: "array" }),
    ];
    return (await drive(nodes, [edge("a -> m"), edge("b -> m"), edge("c -> m")])).end;
  };
  test("may be as large as the limit", async () => {
    expect((await merged(collected))?.status).toBe("completed");
    const itemBytes = (collected - "[,,,]".length) / 4;
    expect(Number.isInteger(itemBytes)).toBe(false);
    expect((await driveLoop(4, [respond("a", Math.floor(itemBytes))])).end?.status).toBe("completed");
  });

  test("over it fails the node", async () => {
    const end = await merged(collected + 1);
    expect(end).toMatchObject(tooLarge("m"));
    expect(end?.error?.message).toBe(
      "The result has 200,001 bytes; that of a loop or merge may have 200,000 bytes (COLLECTED_OUTPUT_MAX_BYTES)",
    );
    const itemBytes = Math.ceil((collected - "[,,,]".length) / 4);
    const { end: ofLoop } = await driveLoop(4, [respond("a", itemBytes)]);
    expect(ofLoop).toMatchObject(tooLarge("l"));
    expect(ofLoop?.error?.message).toMatch(
      /^The result has 200,00\d bytes after 4 items; that of a loop or merge may have/,
    );
  });

  test("ends a loop as soon as it is exceeded, and no further item starts", async () => {
    const { id, end } = await driveLoop(100, [call("c", 60_000)]);
    expect(end).toMatchObject(tooLarge("l"));
    expect(sent).toBe(4);
    expect((await read(id)).nodes.map(({ status }) => status)).toEqual(["completed", "failed"]);
  });

  test("of concurrent items is counted in the order of their ends, collected errors included", async () => {
    const { end } = await driveLoop(100, [call("c", 60_000)], { concurrency: 10, onItemError: "collect" });
    expect(end).toMatchObject(tooLarge("l"));
    expect(sent).toBeLessThanOrEqual(14);
  });
});

describe("all outputs of a run", () => {
  const chain = (count: number, bytes: number) =>
    Array.from({ length: count }, (_, index) => respond(`n${index}`, bytes));
  const edgesOf = (nodes: readonly FlowNode[]) =>
    nodes.slice(1).map(({ id }, index) => edge(`${nodes[index]?.id} -> ${id}`));

  test("may be as large as the limit together", async () => {
    const nodes = chain(10, nodeBytes);
    expect((await drive(nodes, edgesOf(nodes))).end?.status).toBe("completed");
  });

  test("over the limit fail the node that exceeds it", async () => {
    const nodes = [...chain(10, nodeBytes), respond("last", 2)];
    const { end } = await drive(nodes, edgesOf(nodes));
    expect(end).toMatchObject(tooLarge("last"));
    expect(end?.error?.message).toBe(
      "The outputs of the run would have 1,000,002 bytes; together they may have 1,000,000 bytes (RUN_OUTPUT_MAX_BYTES)",
    );
  });

  test("are counted exactly when branches end at the same time", async () => {
    const nodes = Array.from({ length: 20 }, (_, index) => call(`c${index}`, nodeBytes - callBytes));
    const { id, end } = await drive(nodes);
    expect(end?.status).toBe("failed");
    const { nodes: shown } = await read(id);
    expect(shown.filter(({ status }) => status === "completed").length).toBeLessThanOrEqual(10);
  });

  test("include those of iterations that the loop does not return", async () => {
    const { end } = await driveLoop(50, [call("c", 90_000), node("s", "respond", { body: 1 })], {}, ["c -> s"]);
    expect(end).toMatchObject(tooLarge("l"));
    expect(end?.error?.message).toContain("RUN_OUTPUT_MAX_BYTES");
    expect(sent).toBe(12);
  });

  test("continue to be counted after a process died", async () => {
    const nodes = [
      ...chain(6, nodeBytes),
      node("pause", "delay", { ms: 3_600_000 }),
      ...chain(5, nodeBytes).map((item) => ({ ...item, id: `after-${item.id}` })),
    ];
    const { id, end } = await drive(nodes, edgesOf(nodes));
    expect(end).toBeNull();
    runningRuns().clear();
    await query("wake", "UPDATE execution SET wake_at = now() WHERE id = $1", [id]);
    await query("over", "UPDATE execution_wait SET until = now() - interval '1 second' WHERE execution_id = $1", [id]);
    await letLeaseExpire(id);
    // Six, plus the delay that passes on the sixth; three more make ten.
    expect(await resume(id)).toMatchObject(tooLarge("after-n3"));
    const rows = await database().nodeExecution.findMany({ where: { executionId: id, status: "completed" } });
    const bytes = rows.reduce((sum, { output }) => sum + Buffer.byteLength(output ?? ""), 0);
    expect(bytes).toBe(runBytes);
  });

  test("are checked against what other processes have stored for the run meanwhile", async () => {
    const id = await storedExecution(await storedFlow(actor, [respond("a", 10)]));
    const claim = (await claimRuns(100)).find(({ run }) => run.id === id);
    if (claim === undefined) return expect.fail();
    const { run } = claim;
    const stored = Array.from({ length: 9 }, (_, index) => nodeRecord(`o${index}`, { output: "1".repeat(nodeBytes) }));
    await recordNodes({ executionId: id, fence: run.fence, nodes: stored, logs: [] });
    const step = stepOf(run, "a");
    const outcome = (bytes: number) =>
      ({ status: "completed", output: jsonText("x".repeat(bytes - 2)), handle: null }) as const;
    const fits = outcome(nodeBytes);
    expect(await recheckNode(run, step, fits)).toBe(fits);
    expect(await recheckNode(run, step, outcome(nodeBytes + 1))).toMatchObject({
      status: "failed",
      error: { code: "OUTPUT_TOO_LARGE" },
    });
  });

  test("include a waiting node's state once, however often it waits again", async () => {
    const sizes = new RunSizes({ oneBytes: 100, collectedBytes: 100, runBytes: 250 });
    const state = { output: "x".repeat(80) };
    for (let times = 0; times < 4; times += 1) await sizes.takeWait("d", state);
    expect(sizes.bytes).toBe(jsonText(state).json.length);
    sizes.take("d", jsonText("x".repeat(80)), "oneBytes");
    expect(sizes.bytes).toBe(82);
  });

  test("include waiting nodes' state", async () => {
    const pause = node("d", "delay", { ms: 3_600_000 });
    const { end } = await driveLoop(50, [call("c", 90_000), pause], { concurrency: 50 }, ["c -> d"]);
    expect(end).toMatchObject(tooLarge("l"));
  });
});

describe("the steps of a run", () => {
  const small = [respond("one", 3), respond("two", 3)];
  /** The list, the loop, and two nodes for each item. */
  const fits = (stepsMax - 2) / 2;

  test("may be as many as the limit", async () => {
    const { end } = await driveLoop(fits, small, {}, ["one -> two"]);
    expect(end?.status).toBe("completed");
  });

  test("end the run beyond it, even in a loop that collects errors", async () => {
    const { id, end } = await driveLoop(fits + 1, small, { onItemError: "collect" }, ["one -> two"]);
    const error = { code: "TOO_MANY_STEPS", nodeId: null };
    expect(end).toMatchObject({ status: "failed", error });
    expect(end?.error?.message).toBe("The run took 1000 steps, as many as a run may take (RUN_STEPS_MAX)");
    const { status, logs } = await read(id);
    expect(status).toBe("failed");
    expect(logs?.map(({ message }) => message)).toContain(end?.error?.message);
  });
});
