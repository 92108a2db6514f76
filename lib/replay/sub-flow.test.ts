// Deep tests: sub-flows are replayed, not treated as one effect.
import { afterAll, describe, expect, test } from "vitest";
import type { FlowNode } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { definitionOf, edge, node } from "#lib/engine/testing/flows.ts";
import { createSandbox } from "#lib/sandbox/sandbox.ts";
import { problemsOf } from "./comparison/compare.ts";
import { expectationOf } from "./comparison/expectation.ts";
import { prepareReplay } from "./prepare.ts";
import type { Recording } from "./recording.ts";
import { emptyTrigger, replay, replayFlow } from "./replay.ts";

const sandbox = createSandbox({ children: 1 });
afterAll(() => sandbox.close());

const transform = (id: string, text: string) => node(id, "transform", { transform: text });
const sub = (id: string, flowId: string, config: JsonObject = {}) => node(id, "sub-flow", { flowId, ...config });
const call = (id: string, body: unknown = "{{ $trigger.body }}") =>
  node(id, "http-request", { method: "POST", url: "https://api.test/", body: body as string });
const answer = (body: unknown) => ({ output: { status: 200, headers: {}, body } });

const flowOf = (nodes: readonly FlowNode[], arrows: readonly string[] = []) =>
  prepareReplay(
    definitionOf(
      nodes,
      arrows.map((arrow) => edge(arrow)),
    ),
  );
type Flows = Readonly<Record<string, ReturnType<typeof flowOf>>>;

function given(flows: Flows, recordings: Readonly<Record<string, Recording>>, deep: boolean) {
  const input = { trigger: { ...emptyTrigger, body: { n: 1 } }, now: "2026-01-31T10:00:00.000Z", recordings, deep };
  const findFlow = async (id: string) => {
    const flow = flows[id];
    return flow === undefined ? null : { name: `Flow ${id}`, flow };
  };
  return [flows.main as never, input, { flowName: "Test", sandbox, owner: "ws", findFlow }] as const;
}

/** Replays the flow `main`, deeply. */
function run(flows: Flows, recordings: Readonly<Record<string, Recording>> = {}, deep = true) {
  return replay(...given(flows, recordings, deep));
}

const main = flowOf(
  [sub("sub", "middle", { data: { n: 20 } }), transform("end", "$node.output.output + 1")],
  ["sub -> end"],
);
const middle = flowOf([sub("under", "low"), transform("double", "$node.output.output * 2")], ["under -> double"]);
const low = flowOf([call("pay"), transform("id", "$node.output.body.id + $trigger.body.n")], ["pay -> id"]);
const within = { sub: { recordings: { under: { recordings: { pay: answer({ id: 1 }) } } } } };

describe("a deep replay", () => {
  test("replays two levels, with the recordings of their nodes", async () => {
    const replayed = await run({ main, middle, low }, within);
    expect(replayed).toMatchObject({ status: "completed", output: 43, notRecorded: [] });
    expect(replayed.nodes.get("sub")?.request).toMatchObject({
      flowId: "middle",
      data: { n: 20 },
      requests: { under: { flowId: "low", requests: { pay: { method: "POST", body: { n: 20 } } } } },
    });
    for (let turn = 0; turn < 5; turn += 1) expect(await run({ main, middle, low }, within)).toEqual(replayed);
  });

  test("finds one changed constant at the lowest level", async () => {
    const expected = expectationOf(await run({ main, middle, low }, within), within);
    const louder = flowOf([call("pay", 7), transform("id", "$node.output.body.id + $trigger.body.n")], ["pay -> id"]);
    const problems = await problemsOf(expected, await run({ main, middle, low: louder }, within));
    expect(problems).toEqual([
      {
        path: "nodes.sub.request.requests.under.requests.pay.body",
        nodeId: "sub",
        message: "differs",
        expected: { n: 20 },
        actual: 7,
      },
    ]);
    const more = flowOf([call("pay"), transform("id", "$node.output.body.id + $trigger.body.n + 1")], ["pay -> id"]);
    const [first] = await problemsOf(expected, await run({ main, middle, low: more }, within));
    expect(first).toMatchObject({ path: "nodes.sub.output.output", nodeId: "sub", expected: 42, actual: 44 });
  });

  test("counts the sub-flows' steps together with its own", async () => {
    const { steps } = await replayFlow(...given({ main, middle, low }, within, true), null);
    expect(steps).toBe(6);
  });

  test("treats a sub-flow with an outcome as one effect, as a plain replay does", async () => {
    const outcome = { sub: { output: { executionId: "exec_x", status: "completed", output: 6 } } };
    expect(await run({ main }, outcome)).toMatchObject({ status: "completed", output: 7 });
    expect(await run({ main, middle, low }, within, false)).toMatchObject({ notRecorded: ["sub"] });
  });

  test("uses an iteration's recordings for each item of a loop", async () => {
    const loop = flowOf([node("each", "loop", { items: "{{ [{ n: 1 }, { n: 2 }] }}", flowId: "low" })]);
    const sequence = [3, 4].map((id) => ({ recordings: { pay: answer({ id }) } }));
    const replayed = await run({ main: loop, low }, { each: { sequence } });
    expect((replayed.output as { output: number }[]).map(({ output }) => output)).toEqual([4, 6]);
  });

  test("fails the step as in a run if the sub-flow fails, is missing, or has no recording", async () => {
    const breaks = flowOf([transform("breaks", "$trigger.body.missing.x")]);
    const failed = await run({ main, middle: breaks });
    expect(failed.failure).toMatchObject({ nodeId: "sub", error: { code: "SUB_FLOW_FAILED" } });
    expect((await run({ main })).failure).toMatchObject({ nodeId: "sub", error: { code: "FLOW_NOT_FOUND" } });
    const unrecorded = await run({ main, middle, low });
    expect(unrecorded.notRecorded).toEqual(["sub"]);
    expect(unrecorded.failure?.error).toMatchObject({
      code: "NOT_RECORDED",
      message: expect.stringContaining('"under"'),
    });
  });

  test("refuses a cycle, more than five levels, and more than 1,000 sub-flows", async () => {
    const selfish = flowOf([sub("again", "main")]);
    const cycle = await run({
      main: flowOf([sub("sub", "a")]),
      a: flowOf([sub("b", "b")]),
      b: flowOf([sub("a", "a")]),
    });
    expect(cycle.failure?.error.message).toContain("runs no flow within itself");
    expect((await run({ main: selfish })).status).toBe("failed");
    const levels = Array.from({ length: 6 }, (_, index) => [
      index === 0 ? "main" : `f${index}`,
      flowOf([sub("s", `f${index + 1}`)]),
    ]);
    const deep = await run({ ...Object.fromEntries(levels), f6: flowOf([transform("end", "1")]) });
    expect(deep.failure?.error.message).toContain("at most 5 deep");
    const many = flowOf([
      node("each", "loop", { items: "{{ Array.from({ length: 1001 }, () => 1) }}", maxItems: 2_000, flowId: "one" }),
    ]);
    const tooMany = await run({ main: many, one: flowOf([transform("a", "1")]) });
    expect(tooMany.failure?.error).toMatchObject({ code: "TOO_MANY_SUB_FLOWS" });
  });
});
