import { describe, expect, test } from "vitest";
import type { Graph } from "./compile.ts";
import { jsonText, type Outcome } from "./outcome.ts";
import { type NodeWork, type RunIo, type RunResult, runFlow } from "./run.ts";
import { done, edge, failure, graphOf, node, plainIo, Stage, settle, workOf } from "./testing/flows.ts";

const run = (graph: Graph, begin: NodeWork["begin"], signal?: AbortSignal) =>
  runFlow(graph, plainIo(), workOf(begin), signal);

/** Runs with the outcomes given; every other node completes with its id. */
const runWith = (graph: Graph, outcomes: Record<string, Outcome> = {}) =>
  run(graph, async ({ id }) => outcomes[id] ?? done(id));

function statuses(result: RunResult): Record<string, string> {
  return Object.fromEntries([...result.outcomes].map(([id, outcome]) => [id, outcome.status]));
}

function deferredRun(graph: Graph, signal?: AbortSignal) {
  const stage = new Stage();
  return { stage, result: run(graph, stage.begin, signal) };
}

test("a disabled stop node does not end the run", async () => {
  const off = { ...node("off", "stop"), disabled: true };
  const result = await runWith(graphOf(["a", off, "b"], ["a -> off", "off -> b"]));
  expect(statuses(result)).toEqual({ a: "completed", off: "completed", b: "completed" });
  expect(result.output.value).toBe("b");
});

describe("order", () => {
  test("a node starts only when the node before it has ended", async () => {
    const { stage, result } = deferredRun(graphOf(["c", "b", "a"], ["a -> b", "b -> c"]));
    await settle();
    expect(stage.started).toEqual(["a"]);
    await stage.end("a");
    expect(stage.started).toEqual(["a", "b"]);
    await stage.end("b");
    await stage.end("c");
    expect((await result).output.value).toBe("c");
  });

  test("branches that do not depend on each other run at the same time", async () => {
    const { stage, result } = deferredRun(graphOf(["a", "b", "c"], ["a -> b", "a -> c"]));
    await settle();
    await stage.end("a");
    expect(stage.pending).toEqual(["b", "c"]);
    await stage.end("c");
    await stage.end("b");
    await result;
  });

  test("a join runs once, after both branches", async () => {
    const { stage, result } = deferredRun(graphOf(["a", "b", "join"], ["a -> join", "b -> join"]));
    await settle();
    await stage.end("b");
    expect(stage.started).toEqual(["a", "b"]);
    await stage.end("a");
    expect(stage.started).toEqual(["a", "b", "join"]);
    await stage.end("join");
    expect(statuses(await result)).toEqual({ a: "completed", b: "completed", join: "completed" });
  });

  test("two edges between the same nodes lead to one run of the second", async () => {
    let runs = 0;
    const graph = graphOf(["a", "b"], ["a -> b", "a -> b"]);
    await run(graph, async ({ id }) => {
      if (id === "b") runs += 1;
      return done(id);
    });
    expect(runs).toBe(1);
  });

  test("a node with an edge from the trigger still waits for its other edges", async () => {
    const { stage, result } = deferredRun(graphOf(["a", "b"], ["trigger -> b", "a -> b"]));
    await settle();
    expect(stage.started).toEqual(["a"]);
    await stage.end("a");
    await stage.end("b");
    await result;
  });

  test("a node knows the edges it was reached by, and sees the nodes before it", async () => {
    const seen: { taken: string[]; known: string[] }[] = [];
    const choice = node("choice", "if-else");
    const graph = graphOf([choice, "a", "join"], ["choice:true -> a", "choice:false -> join", "a -> join"]);
    await run(graph, async ({ id, taken, frame: { outcomes } }) => {
      if (id === "join") seen.push({ taken: taken.map((item) => item.source), known: [...outcomes.keys()] });
      return done(id, id === "choice" ? "true" : null);
    });
    expect(seen).toEqual([{ taken: ["a"], known: ["choice", "a"] }]);
  });
});

describe("branches and skipping", () => {
  test("only the edge of the handle that a node leaves by is followed, and skips propagate to the end", async () => {
    const graph = graphOf(
      [node("choice", "if-else"), "yes", "no", "after", "end"],
      ["choice:true -> yes", "choice:false -> no", "no -> after", "after -> end"],
    );
    const result = await runWith(graph, { choice: done(null, "true") });
    expect(statuses(result)).toEqual({
      choice: "completed",
      yes: "completed",
      no: "skipped",
      after: "skipped",
      end: "skipped",
    });
  });

  test("a join with one skipped branch runs", async () => {
    const graph = graphOf(
      [node("choice", "if-else"), "yes", "no", "join"],
      ["choice:true -> yes", "choice:false -> no", "yes -> join", "no -> join"],
    );
    expect(statuses(await runWith(graph, { choice: done(null, "false") }))).toMatchObject({
      yes: "skipped",
      join: "completed",
    });
  });

  test("a plain edge is followed whatever handle its node leaves by", async () => {
    const graph = graphOf([node("way", "switch"), "a"], ["way -> a"]);
    expect(statuses(await runWith(graph, { way: done(null, "home") }))).toMatchObject({ a: "completed" });
  });
});

describe("failure", () => {
  test("nothing new starts, and what is in flight finishes and is known", async () => {
    const { stage, result } = deferredRun(graphOf(["a", "slow", "b", "next"], ["a -> b", "slow -> next"]));
    await settle();
    await stage.end("a", failure);
    expect(stage.started).toEqual(["a", "slow"]);
    await stage.end("slow");
    const ended = await result;
    expect(statuses(ended)).toEqual({ a: "failed", slow: "completed", b: "skipped", next: "skipped" });
    expect(ended.failure?.nodeId).toBe("a");
  });

  test("the first of two failures is the run's", async () => {
    const { stage, result } = deferredRun(graphOf(["a", "b"], []));
    await settle();
    await stage.end("b", failure);
    await stage.end("a", failure);
    expect((await result).failure?.nodeId).toBe("b");
  });

  test("an edge from the error handle is followed instead, and the plain ones are not", async () => {
    const graph = graphOf(["a", "next", "rescue"], ["a -> next", "a:error -> rescue"]);
    const result = await runWith(graph, { a: failure });
    expect(statuses(result)).toEqual({ a: "failed", next: "skipped", rescue: "completed" });
    expect(result.failure).toBeNull();
    expect(result.output.value).toBe("rescue");
  });

  test("a node that completes does not follow its error edge", async () => {
    const result = await runWith(graphOf(["a", "rescue"], ["a:error -> rescue"]));
    expect(statuses(result)).toEqual({ a: "completed", rescue: "skipped" });
  });

  test("a cancelled node leads nowhere and is no failure", async () => {
    const result = await runWith(graphOf(["a", "b"], ["a -> b"]), { a: { status: "cancelled" } });
    expect(statuses(result)).toEqual({ a: "cancelled", b: "skipped" });
    expect(result.failure).toBeNull();
  });
});

describe("stopping", () => {
  test("after the signal nothing starts; what is in flight is waited for", async () => {
    const controller = new AbortController();
    const { stage, result } = deferredRun(graphOf(["a", "b"], ["a -> b"]), controller.signal);
    await settle();
    controller.abort();
    let ended = false;
    void result.then(() => {
      ended = true;
    });
    await settle();
    expect(ended).toBe(false);
    await stage.end("a");
    expect(statuses(await result)).toEqual({ a: "completed", b: "skipped" });
  });

  test("a run whose io fails rejects with its reason, after every node has settled", async () => {
    const stage = new Stage();
    const io: RunIo = {
      ...plainIo(),
      task: (step, work) => (step.id === "a" ? Promise.reject(new Error("no disk")) : work()),
    };
    const result = runFlow(graphOf(["a", "b", "c"], ["b -> c"]), io, workOf(stage.begin));
    result.catch(() => {});
    await settle();
    await stage.end("b");
    await stage.end("c");
    await expect(result).rejects.toThrow("no disk");
  });

  test("an outcome that io already has is used, and the work is not done again", async () => {
    const worked: string[] = [];
    const io: RunIo = {
      ...plainIo(),
      task: (step, work) => (step.id === "a" ? Promise.resolve(done("kept")) : work()),
    };
    const work = workOf(async ({ id }) => {
      worked.push(id);
      return done(id);
    });
    const result = await runFlow(graphOf(["a", "b"], ["a -> b"]), io, work);
    expect(worked).toEqual(["b"]);
    expect(result.outcomes.get("a")).toMatchObject({ output: { value: "kept" } });
  });
});

describe("the output of a run", () => {
  const answering = (value: unknown): Outcome => ({
    status: "completed",
    output: jsonText(value),
    handle: null,
    answer: { status: 201, headers: {} },
  });

  test("a flow without nodes completes with null", async () => {
    expect(await runWith(graphOf([], []))).toMatchObject({ failure: null, output: { value: null }, answer: null });
  });

  test("it is that of the node that led nowhere further", async () => {
    expect((await runWith(graphOf(["b", "a"], ["a -> b"]))).output.value).toBe("b");
  });

  test("of several ends it is the last in the order of the nodes, not the last to finish", async () => {
    const { stage, result } = deferredRun(graphOf(["a", "b"], []));
    await settle();
    await stage.end("b");
    await stage.end("a");
    expect((await result).output.value).toBe("b");
  });

  test("a node whose only edges were not taken is an end", async () => {
    const graph = graphOf([node("choice", "if-else"), "yes"], ["choice:true -> yes"]);
    expect((await runWith(graph, { choice: done({ result: false }, "false") })).output.value).toEqual({
      result: false,
    });
  });

  test("that of a node that answers wins, wherever it is, and its status and headers are kept", async () => {
    const graph = graphOf(["respond", "after", "other"], ["respond -> after"]);
    const result = await runWith(graph, { respond: answering("said") });
    expect(result.output.value).toBe("said");
    expect(result.answer).toEqual({ status: 201, headers: {} });
  });

  test("of two nodes that answer, it is the last in the order of the nodes", async () => {
    const result = await runWith(graphOf(["b", "a"], ["a -> b"]), { a: answering("a"), b: answering("b") });
    expect(result.output.value).toBe("a");
  });

  test("a failed node's output is never the run's", async () => {
    const result = await runWith(graphOf(["a", "b"], []), { b: failure });
    expect(result.output.value).toBe("a");
  });
});

describe("size", () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `n${index}`);
  const count = async (graph: Graph) => {
    const started: string[] = [];
    const result = await run(graph, async ({ id }) => {
      started.push(id);
      return done(id);
    });
    expect(started).toHaveLength(graph.order.length);
    return result;
  };

  test("a chain of 1,000 nodes runs in order", async () => {
    const chain = ids.slice(1).map((id, index) => edge(`n${index} -> ${id}`));
    expect((await count(graphOf([...ids].reverse(), chain))).output.value).toBe("n999");
  });

  test("998 nodes between one node and one join all run, the join once and last", async () => {
    const middle = ids.slice(0, 998);
    const arrows = middle.flatMap((id) => [`start -> ${id}`, `${id} -> join`]);
    expect((await count(graphOf(["start", ...middle, "join"], arrows))).output.value).toBe("join");
  });
});
