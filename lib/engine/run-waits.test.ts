import { describe, expect, test } from "vitest";
import type { Outcome } from "./outcome.ts";
import { runFlow } from "./run.ts";
import { done, edge, failure, graphOf, node, plainIo, Stage, settle, workOf } from "./testing/flows.ts";
import type { Waiting, Wake } from "./wait.ts";

const waiting: Waiting = { status: "waiting", wait: { kind: "call", until: null, state: { a: 1 } } };
const callWake: Wake = { by: "call", at: "2026-01-31T10:00:00.000Z", value: "woken" };

function statuses(outcomes: ReadonlyMap<string, Outcome>): Record<string, string> {
  return Object.fromEntries([...outcomes].map(([id, outcome]) => [id, outcome.status]));
}

/** Nodes whose names begin with `wait` wait; `fail…` fail; all others complete with their id. */
const byName = workOf(async ({ id }) => {
  if (id.startsWith("wait")) return waiting;
  return id.startsWith("fail") ? failure : done(id);
});

describe("a waiting node", () => {
  test("makes its result from what woke it, and its successors run after that", async () => {
    const order: string[] = [];
    let wake: (wake: Wake) => void = () => {};
    const io = plainIo(() => new Promise((resolve) => (wake = resolve)));
    const work = workOf(async (step) => {
      order.push(step.id);
      return byName.begin(step);
    });
    const run = runFlow(graphOf(["wait", "after", "beside"], ["wait -> after"]), io, work);
    await settle();
    expect(order).toEqual(["wait", "beside"]);
    wake(callWake);
    const { outcomes, waiting: isWaiting } = await run;
    expect(order).toEqual(["wait", "beside", "after"]);
    expect([isWaiting, outcomes.get("wait")]).toEqual([false, done("woken")]);
  });

  test("gets its own request back to make its result", async () => {
    const seen: unknown[] = [];
    const resume = async (...[step, wait, wake]: Parameters<typeof byName.resume>) => {
      seen.push(step.id, wait, wake);
      return done(null);
    };
    await runFlow(
      graphOf(["wait"], []),
      plainIo(async () => callWake),
      { ...byName, resume },
    );
    expect(seen).toEqual(["wait", waiting.wait, callWake]);
  });

  test("that does not wake in this stretch leaves the run waiting; nodes that do not depend on it run", async () => {
    const graph = graphOf(
      ["wait", "behind", "join", "a", "b"],
      ["wait -> behind", "behind -> join", "a -> b", "b -> join"],
    );
    const result = await runFlow(graph, plainIo(), byName);
    expect(result.waiting).toBe(true);
    expect(statuses(result.outcomes)).toEqual({ a: "completed", b: "completed" });
  });

  test("is abandoned when another branch fails, and the run has failed, not waited", async () => {
    const io = plainIo(() => new Promise(() => {}));
    const result = await runFlow(graphOf(["wait", "behind", "fail"], ["wait -> behind"]), io, byName);
    expect([result.waiting, result.failure?.nodeId]).toEqual([false, "fail"]);
    expect(statuses(result.outcomes)).toEqual({ fail: "failed", wait: "cancelled", behind: "skipped" });
  });

  test("is abandoned when the run is stopped from outside", async () => {
    const controller = new AbortController();
    const io = plainIo(() => new Promise(() => {}));
    const run = runFlow(graphOf(["wait"], []), io, byName, controller.signal);
    await settle();
    controller.abort();
    expect(statuses((await run).outcomes)).toEqual({ wait: "cancelled" });
  });

  test("that fails when it wakes fails the run like any other", async () => {
    const work = { ...byName, resume: async () => failure };
    const result = await runFlow(
      graphOf(["wait", "next"], ["wait -> next"]),
      plainIo(async () => callWake),
      work,
    );
    expect([result.failure?.nodeId, statuses(result.outcomes)]).toEqual(["wait", { wait: "failed", next: "skipped" }]);
  });
});

describe("a stop", () => {
  const stop = node("stop", "stop");

  test("ends the run with its output: nothing new starts, nodes in progress finish", async () => {
    const stage = new Stage();
    const graph = graphOf([stop, "slow", "next", "after"], ["slow -> next", "stop -> after"]);
    const run = runFlow(graph, plainIo(), workOf(stage.begin));
    await settle();
    await stage.end("stop", done("enough"));
    await stage.end("slow");
    const result = await run;
    expect(result).toMatchObject({ failure: null, waiting: false, output: { value: "enough" } });
    expect(statuses(result.outcomes)).toEqual({
      stop: "completed",
      slow: "completed",
      next: "skipped",
      after: "skipped",
    });
  });

  test("with an error fails the run, whatever edge leaves it", async () => {
    const work = workOf(async ({ id }) => (id === "stop" ? failure : done(id)));
    const result = await runFlow(graphOf([stop, "rescue"], ["stop:error -> rescue"]), plainIo(), work);
    expect(result.failure).toMatchObject({ nodeId: "stop", error: { code: "BROKEN" } });
    expect(statuses(result.outcomes)).toEqual({ stop: "failed", rescue: "skipped" });
  });

  test("abandons waits", async () => {
    const io = plainIo(() => new Promise(() => {}));
    const result = await runFlow(graphOf([stop, "wait"], []), io, byName);
    expect(statuses(result.outcomes)).toEqual({ stop: "completed", wait: "cancelled" });
  });

  test("that is not reached stops nothing", async () => {
    const choice = node("choice", "if-else");
    const graph = graphOf([choice, stop, "on"], ["choice:true -> on", "choice:false -> stop"]);
    const work = workOf(async ({ id }) => done(id, id === "choice" ? "true" : null));
    expect((await runFlow(graph, plainIo(), work)).output.value).toBe("on");
  });
});

test("edges without a handle leave a wait by its answer, not by its time limit", async () => {
  const graph = graphOf([node("w", "wait"), "a", "late"], ["w -> a", edge("w:timeout -> late")]);
  const work = workOf(async ({ id }) => done(id, id === "w" ? "timeout" : null));
  expect(statuses((await runFlow(graph, plainIo(), work)).outcomes)).toEqual({
    w: "completed",
    a: "skipped",
    late: "completed",
  });
});
