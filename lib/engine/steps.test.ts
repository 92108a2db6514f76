// A node that takes steps: one after the other, each seeing the earlier results, until the last.
import { expect, test } from "vitest";
import type { Iterating } from "./loop.ts";
import { lastHandle } from "./node-types.ts";
import { jsonText, type Outcome } from "./outcome.ts";
import { type Begun, type RunIo, runFlow } from "./run.ts";
import { recordedStep, type Step } from "./step.ts";
import { done, failure, graphOf, node, plainIo, workOf } from "./testing/flows.ts";

const begin: Iterating = {
  status: "iterating",
  items: [jsonText("item")],
  concurrency: 1,
  onItemError: "stop",
  stepsMax: 5,
};
const last = (value: unknown): Outcome => ({
  status: "completed",
  output: jsonText(value),
  handle: lastHandle,
});
const graph = graphOf([node("agent", "stepping", { body: { nodes: [] } }), "after"], ["agent -> after"]);

function run(take: (index: number, step: Step) => Begun, io: RunIo = plainIo()) {
  const work = workOf(async (step) => {
    const { iteration } = step.frame;
    if (iteration !== null) return take(iteration.index, step);
    return step.id === "agent" ? begin : done(step.id);
  });
  return runFlow(graph, io, work);
}

const earlierOf = ({ frame }: Step) => frame.iteration?.earlier?.map(({ value }) => value);

test("each step sees the item and the results of the steps before it, and the last ends it", async () => {
  const seen: unknown[] = [];
  const { outcomes } = await run((index, step) => {
    seen.push([step.id, step.frame.iteration?.item.value, earlierOf(step)]);
    return index === 2 ? last("c") : done(`${index}`);
  });
  expect(seen).toEqual([
    ["agent\u001f0", "item", []],
    ["agent\u001f1", "item", ["0"]],
    ["agent\u001f2", "item", ["0", "1"]],
  ]);
  expect(outcomes.get("agent")).toEqual(done(["0", "1", "c"]));
  expect(outcomes.get("after")?.status).toBe("completed");
});

test("a step that fails is the node's failure", async () => {
  const { failure: failed } = await run((index) => (index === 1 ? failure : done(0)));
  expect(failed).toMatchObject({ nodeId: "agent", error: failure.status === "failed" ? failure.error : null });
});

test("steps without a last one fail once there are too many", async () => {
  let steps = 0;
  const { failure: failed } = await run(() => done(steps++));
  expect([failed?.error.code, steps]).toEqual(["TOO_MANY_STEPS", 5]);
});

test("recorded steps do not run again", async () => {
  const outcomes = new Map<string, Outcome>([
    ["agent\u001f0", done("a")],
    ["agent\u001f1", done("b")],
  ]);
  const records = { outcomes, begun: new Map([["agent", { loop: begin }]]), waits: new Map() };
  const io: RunIo = { ...plainIo(), task: async (step, work) => recordedStep(records, step.id) ?? (await work()) };
  const taken: unknown[] = [];
  const { outcomes: ended } = await run((index, step) => {
    taken.push([index, earlierOf(step)]);
    return last("c");
  }, io);
  expect(taken).toEqual([[2, ["a", "b"]]]);
  expect(ended.get("agent")).toEqual(done(["a", "b", "c"]));
});
