import { describe, expect, test } from "vitest";
import type { FlowEdge, FlowNode } from "./flow.ts";
import type { Iterating } from "./loop.ts";
import { jsonText, restoredValue } from "./outcome.ts";
import { type Begun, type RunIo, runFlow } from "./run.ts";
import type { Step } from "./step.ts";
import { done, edge, failure, graphOf, node, plainIo, Stage, settle, workOf } from "./testing/flows.ts";

const body = (nodes: FlowNode[], edges: FlowEdge[] = []) => JSON.parse(JSON.stringify({ nodes, edges }));
const loopOf = (nodes: FlowNode[], edges: FlowEdge[] = [], id = "loop") =>
  node(id, "loop", { body: body(nodes, edges) });
const loopOver = (items: readonly unknown[], overrides: Partial<Iterating> = {}): Iterating => ({
  status: "iterating",
  items: items.map((item) => jsonText(item)),
  concurrency: 1,
  onItemError: "stop",
  ...overrides,
});

/** Runs a flow with the outcomes that `begin` returns; a step's id has its iterations after a colon: `a:0`. */
function run(
  nodes: (FlowNode | string)[],
  arrows: string[],
  begin: (name: string, step: Step) => Begun | Promise<Begun>,
) {
  const work = workOf(async (step) => begin(step.id.replace("\u001f", ":"), step));
  return runFlow(graphOf(nodes, arrows), plainIo(), work);
}

const itemOf = ({ frame }: Step) => frame.iteration?.item.value;

describe("a loop", () => {
  test("takes results whose text would have to be parsed as they are restored, one after the other", async () => {
    let restoring = 0;
    const restored = (value: unknown) => ({
      get value(): unknown {
        throw new Error("it is parsed in one turn");
      },
      json: JSON.stringify(value),
      restored: async () => {
        restoring += 1;
        await Promise.resolve();
        expect(restoring).toBe(1);
        restoring -= 1;
        return value;
      },
    });
    const { output } = await run([loopOf([node("a")])], [], (name) =>
      name === "loop" ? loopOver(["x", "y"]) : { status: "completed", output: restored(name), handle: null },
    );
    expect(output.json).toBe('["a:0","a:1"]');
    expect(await restoredValue(output)).toEqual(["a:0", "a:1"]);
  });

  test("runs its body for each item in order, and returns the results", async () => {
    const started: string[] = [];
    const loop = loopOf([node("a"), node("b")], [edge("a -> b")]);
    const result = await run([loop, "after"], ["loop -> after"], (name, step) => {
      started.push(name);
      if (name === "loop") return loopOver(["x", "y"]);
      return done(name.startsWith("b") ? [itemOf(step), step.frame.iteration?.index] : name);
    });
    expect(started).toEqual(["loop", "a:0", "b:0", "a:1", "b:1", "after"]);
    expect(result.outcomes.get("loop")).toEqual(
      done([
        ["x", 0],
        ["y", 1],
      ]),
    );
  });

  test("over no items returns an empty list", async () => {
    const result = await run([loopOf([node("a")])], [], () => loopOver([]));
    expect(result.output).toEqual({ value: [], json: "[]" });
  });

  test("whose body has no nodes returns null for each item", async () => {
    const result = await run([loopOf([])], [], () => loopOver([1, 2]));
    expect(result.output).toEqual({ value: [null, null], json: "[null,null]" });
  });

  test("has at most `concurrency` iterations in progress, and the next starts as soon as one ends", async () => {
    const stage = new Stage();
    const work = workOf((step) =>
      step.id === "loop" ? Promise.resolve(loopOver([0, 1, 2, 3], { concurrency: 2 })) : stage.begin(step),
    );
    const result = runFlow(graphOf([loopOf([node("a")])], []), plainIo(), work);
    await settle();
    expect(stage.pending).toEqual(["a\u001f0", "a\u001f1"]);
    await stage.end("a\u001f1");
    expect(stage.pending).toEqual(["a\u001f0", "a\u001f2"]);
    await stage.end("a\u001f0");
    await stage.end("a\u001f2");
    await stage.end("a\u001f3");
    expect((await result).output.value).toEqual(["a\u001f0", "a\u001f1", "a\u001f2", "a\u001f3"]);
  });

  test("skips, branches and joins in its body as in a flow", async () => {
    const nodes = [node("choice", "if-else"), node("yes"), node("no"), node("join")];
    const edges = [edge("choice:true -> yes"), edge("choice:false -> no"), edge("yes -> join"), edge("no -> join")];
    const started: string[] = [];
    await run([loopOf(nodes, edges)], [], (name, step) => {
      started.push(name);
      if (name === "loop") return loopOver([true, false]);
      return done(name, name.startsWith("choice") ? String(itemOf(step)) : null);
    });
    expect(started).toEqual(["loop", "choice:0", "yes:0", "join:0", "choice:1", "no:1", "join:1"]);
  });

  test("in a loop has separate steps for every iteration of both", async () => {
    const inner = loopOf([node("a")], [], "inner");
    const result = await run([loopOf([inner], [], "outer")], [], (name) => {
      if (name === "outer") return loopOver([1, 2]);
      return name.startsWith("inner") ? loopOver(["x", "y"]) : done(name);
    });
    expect(result.output.value).toEqual([
      ["a:0.0", "a:0.1"],
      ["a:1.0", "a:1.1"],
    ]);
  });
});

describe("a failed item", () => {
  const loop = loopOf([{ ...node("a"), name: "Book a seat" }, node("b")], [edge("a -> b")]);
  const failing = (overrides: Partial<Iterating>) => (name: string) =>
    name === "loop" ? loopOver([0, 1, 2], overrides) : name === "a:1" ? failure : done(name);

  test("fails the loop, whose error names the item and the node, and no other starts", async () => {
    const started: string[] = [];
    const result = await run([loop], [], (name) => {
      started.push(name);
      return failing({})(name);
    });
    expect(started).toEqual(["loop", "a:0", "b:0", "a:1"]);
    expect(result.failure).toEqual({
      nodeId: "loop",
      error: { message: 'Item 1 failed at "Book a seat": it broke', code: "BROKEN" },
    });
  });

  test("leaves its error in its place if errors are collected", async () => {
    const result = await run([loop], [], failing({ onItemError: "collect", concurrency: 3 }));
    const error = { message: "it broke", code: "BROKEN", nodeId: "a" };
    expect(result.output.value).toEqual(["b:0", { error }, "b:2"]);
    expect(JSON.parse(result.output.json)).toEqual(result.output.value);
  });

  test("does not fail the loop if its body catches the error", async () => {
    const caught = loopOf([node("a"), node("rescue")], [edge("a:error -> rescue")]);
    const result = await run([caught], [], failing({}));
    expect(result.output.value).toEqual(["a:0", "rescue:1", "a:2"]);
  });

  test("lets items in progress finish, and abandons their waits", async () => {
    const stage = new Stage();
    const io: RunIo = plainIo(() => new Promise(() => {}));
    const work = workOf((step) =>
      step.id === "loop" ? Promise.resolve(loopOver([0, 1, 2], { concurrency: 3 })) : stage.begin(step),
    );
    const result = runFlow(graphOf([loopOf([node("a"), node("b")], [edge("a -> b")])], []), io, work);
    await settle();
    await stage.end("a\u001f0", { status: "waiting", wait: { kind: "time", until: 1, state: {} } });
    await stage.end("a\u001f1", failure);
    await stage.end("a\u001f2");
    expect((await result).failure?.nodeId).toBe("loop");
    expect(stage.started).toEqual(["a\u001f0", "a\u001f1", "a\u001f2"]);
  });
});

describe("in a body", () => {
  test("a wait leaves the loop waiting and keeps its slot; the others continue", async () => {
    const started: string[] = [];
    const result = await run(
      [loopOf([node("w"), node("b")], [edge("w -> b")]), "after"],
      ["loop -> after"],
      (name, step) => {
        started.push(name);
        if (name === "loop") return loopOver([0, 1, 2, 3], { concurrency: 2 });
        const waits = name.startsWith("w") && itemOf(step) === 1;
        return waits ? { status: "waiting", wait: { kind: "time", until: 1, state: {} } } : done(name);
      },
    );
    expect([result.waiting, result.outcomes.size]).toEqual([true, 0]);
    expect(started.toSorted()).toEqual(["b:0", "b:2", "b:3", "loop", "w:0", "w:1", "w:2", "w:3"]);
  });

  test("a stop ends the whole run", async () => {
    const started: string[] = [];
    const result = await run([loopOf([node("stop", "stop")]), "after"], ["loop -> after"], (name) => {
      started.push(name);
      return name === "loop" ? loopOver([0, 1]) : done(name);
    });
    expect(started).toEqual(["loop", "stop:0"]);
    expect(result.output.value).toBe("stop:0");
    expect(result.outcomes.get("after")?.status).toBe("skipped");
  });

  test("a node that answers does not set the run's answer", async () => {
    const answer = { status: 201, headers: {} };
    const answering = { status: "completed" as const, output: jsonText(1), handle: null, answer };
    const result = await run([loopOf([node("a")])], [], (name) => (name === "loop" ? loopOver([0]) : answering));
    expect(result).toMatchObject({ answer: null, output: { value: [1] } });
  });
});

describe("size", () => {
  test("10,000 items run sequentially, and all at once", async () => {
    const items = Array.from({ length: 10_000 }, (_, index) => index);
    for (const concurrency of [1, 10_000]) {
      const result = await run([loopOf([node("a")])], [], (name, step) =>
        name === "loop" ? loopOver(items, { concurrency }) : done(itemOf(step)),
      );
      expect(result.output.value).toEqual(items);
    }
  });
});
