// The node that runs a body, or a flow, for each item of a list.
import { describe, expect, it } from "vitest";
import { post } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import {
  createFlow,
  edge,
  ended,
  execute,
  minimalFlow,
  node,
  outputOf,
  readExecution,
  run,
  start,
  transform,
} from "#e2e/support/flows.ts";
import { detailsOf } from "#e2e/support/refusals.ts";

type Json = Record<string, unknown>;

const body = (nodes: Json[], edges: Json[] = []) => ({ nodes, edges });
const loop = (nodes: Json[], config: Json = {}, edges: Json[] = []) =>
  node("loop", "loop", { items: "$trigger.body.items", body: body(nodes, edges), ...config });
const refused = async (nodes: Json[], config: Json = {}) =>
  detailsOf(await post("/flows", { ...minimalFlow, nodes, ...config }));

describe("a loop", () => {
  // Proves expressions.item, nodes.loop
  it("returns its body's result for each item; the body sees the item, its position, and earlier nodes", async () => {
    const nodes = [
      transform("before", "({factor: 10})"),
      loop(
        [
          transform("double", "$item.n * 2"),
          transform(
            "told",
            "({at: $index, sum: $node.output + $nodes.before.output.factor, first: $nodes.double.output})",
          ),
        ],
        {},
        [edge("double", "told")],
      ),
    ];
    const ended = await run(nodes, [edge("before", "loop")], { items: [{ n: 1 }, { n: 2 }] });
    expect(ended.output).toEqual([
      { at: 0, sum: 12, first: 2 },
      { at: 1, sum: 14, first: 4 },
    ]);
    expect(ended.nodes.map(({ nodeId }) => nodeId)).toEqual(["before", "loop"]);
  });

  it("starts with the item as the previous node; its list is its input by default", async () => {
    const nodes = [
      transform("list", "['a', 'b']"),
      loop([transform("it", "({id: $node.id, item: $node.output})")], { items: undefined }),
    ];
    expect((await run(nodes, [edge("list", "loop")])).output).toEqual([
      { id: "loop", item: "a" },
      { id: "loop", item: "b" },
    ]);
  });

  it("within a loop sees its own item, and everything around it", async () => {
    const inner = node("inner", "loop", { items: "$item", body: body([transform("it", "[$item, $index]")]) });
    const nodes = [loop([inner])];
    expect((await run(nodes, [], { items: [["a", "b"], []] })).output).toEqual([
      [
        ["a", 0],
        ["b", 1],
      ],
      [],
    ]);
  });

  // Proves nodes.loop-errors
  it("fails with the first item that fails, or keeps its error in its place", async () => {
    const breaks = { ...transform("it", "$item.a.b"), name: "Read it" };
    const items = [{ a: { b: 1 } }, {}, { a: { b: 3 } }];
    expect(await run([loop([breaks])], [], { items })).toMatchObject({
      status: "failed",
      error: {
        nodeId: "loop",
        code: "EXPRESSION_FAILED",
        message: expect.stringContaining('Item 1 failed at "Read it"'),
      },
    });
    const collected = await run([loop([breaks], { onItemError: "collect" })], [], { items });
    const error = { message: expect.any(String), code: "EXPRESSION_FAILED", nodeId: "it" };
    expect([collected.status, collected.output]).toEqual(["completed", [1, { error }, 3]]);
    const onError = await run([loop([breaks], { onError: "continue" })], [], { items });
    expect([onError.status, onError.output]).toMatchObject(["completed", { error: { code: "EXPRESSION_FAILED" } }]);
  });

  it.each([
    [{ items: "({a: 1})" }, "INVALID_CONFIG"],
    [{ maxItems: 1 }, "TOO_MANY_ITEMS"],
    [{ body: undefined }, "INVALID_CONFIG"],
  ])("with %j fails with %s", async (config, code) => {
    const ended = await run([loop([transform("it", "1")], config)], [], { items: [1, 2] });
    expect(ended).toMatchObject({ status: "failed", error: { nodeId: "loop", code } });
  });

  // Proves nodes.loop
  it("of 1,000 items makes one request for each, five at a time, with separate keys", async () => {
    let open = 0;
    let max = 0;
    const sink = await countingServer((_, { body }) => {
      open += 1;
      max = Math.max(max, open);
      setImmediate(() => {
        open -= 1;
      });
      return { body: JSON.parse(body) };
    });
    const call = node("call", "http-request", { method: "POST", url: sink.url, body: "{{ ({n: $item}) }}" });
    const nodes = [loop([call, transform("n", "$nodes.call.output.body.n")], { concurrency: 5 }, [edge("call", "n")])];
    const items = Array.from({ length: 1_000 }, (_, index) => index);
    const ended = await run(nodes, [], { items });
    expect([ended.status, ended.output]).toEqual(["completed", items]);
    const keys = sink.received.map(({ headers }) => headers["idempotency-key"]);
    expect([keys.length, new Set(keys).size]).toEqual([1_000, 1_000]);
    expect(max).toBeLessThanOrEqual(5);
    const stored = await readExecution(ended.executionId, "?includeNodeOutputs=true");
    expect(stored.nodes.map(({ nodeId }) => nodeId)).toEqual(["loop"]);
    expect(outputOf(stored, "loop")).toEqual(items);
  });

  it("whose body waits resumes where each iteration was", async () => {
    const nodes = [
      loop(
        [
          transform("url", "$resume.answer"),
          node("answer", "wait"),
          transform("said", "$node.output.body.said + $item"),
        ],
        { concurrency: 2 },
        [edge("url", "answer"), edge("answer", "said")],
      ),
    ];
    const { id: flowId } = await createFlow({ nodes });
    const id = await start(flowId, { items: [1, 2, 3] });
    for (const iteration of [1, 0, 2]) {
      const path = `/executions/${id}/nodes/answer/resume?iteration=${iteration}`;
      await eventually(`iteration ${iteration} waits`, async () =>
        (await post(path, { said: iteration * 10 })).status === 200 ? true : undefined,
      );
    }
    expect((await ended(id)).output).toEqual([1, 12, 23]);
  });

  it("a stop in its body ends the whole run", async () => {
    const choice = node("enough", "if-else", { condition: "$item > 1" });
    const nodes = [
      loop([choice, node("stop", "stop", { output: "{{ $item }}" }), transform("on", "$item")], {}, [
        edge("enough", "stop", "true"),
        edge("enough", "on", "false"),
      ]),
      transform("after", "'after'"),
    ];
    const ended = await run(nodes, [edge("loop", "after")], { items: [1, 2, 3] });
    expect(ended).toMatchObject({ status: "completed", output: 2 });
    expect(outputOf(ended, "after")).toBeNull();
  });
});

describe("a loop's body", () => {
  const simple = transform("a", "1");

  it("is checked with the flow: each problem has its path", async () => {
    const inside = (config: Json) => [loop([], { body: { nodes: [simple], edges: [], ...config } })];
    expect(await refused(inside({ nodes: [{ ...simple, id: "loop" }] }))).toEqual({
      "nodes[0].config.body.nodes[0].id": 'id "loop" is used by another node',
    });
    expect(Object.keys(await refused(inside({ nodes: [{ ...simple, type: "fax" }] })))).toEqual([
      "nodes[0].config.body.nodes[0].type",
    ]);
    expect(Object.keys(await refused(inside({ edges: [edge("a", "b")] })))).toEqual([
      "nodes[0].config.body.edges[0].target",
    ]);
    expect(Object.keys(await refused(inside({ edges: [edge("loop", "a")] })))).toEqual([
      "nodes[0].config.body.edges[0].source",
    ]);
    const circle = { nodes: [simple, transform("b", "1")], edges: [edge("a", "b"), edge("b", "a")] };
    expect(Object.keys(await refused(inside(circle)))).toEqual(["nodes[0].config.body.edges[1]"]);
    expect(Object.keys(await refused(inside({ nodes: "none" })))).toEqual(["nodes[0].config.body.nodes"]);
    expect(Object.keys(await refused([loop([], { body: [] })]))).toEqual(["nodes[0].config.body"]);
    expect(Object.keys(await refused([loop([simple]), node("other", "loop", { body: body([simple]) })]))).toEqual([
      "nodes[1].config.body.nodes[0].id",
    ]);
  });

  it("has its nodes' configs checked before the flow can be active", async () => {
    const nodes = [loop([node("call", "http-request", {})])];
    const details = await refused(nodes, { status: "active" });
    expect(Object.keys(details)).toEqual(["nodes[0].config.body.nodes[0].config.url"]);
    expect((await post("/flows", { ...minimalFlow, nodes })).status).toBe(201);
  });

  it("counts among the flow's nodes", async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => transform(`n${index}`, "1"));
    expect(await refused([loop(many)])).toEqual({ nodes: expect.stringContaining("it has 1001") });
  });
});

describe("a loop over a flow", () => {
  // Proves nodes.loop
  it("runs it for each item as a separate execution", async () => {
    const child = await createFlow({ nodes: [transform("it", "$trigger.body.n * 2")] });
    const { id } = await createFlow({ nodes: [loop([], { body: undefined, flowId: child.id, concurrency: 2 })] });
    const ended = await execute(id, { items: [{ n: 1 }, { n: 2 }, { n: 3 }] });
    const outputs = ended.output as { status: string; output: number; executionId: string }[];
    expect(outputs.map(({ status, output }) => [status, output])).toEqual([
      ["completed", 2],
      ["completed", 4],
      ["completed", 6],
    ]);
    expect((await readExecution(outputs[0]?.executionId ?? "")).metadata).toMatchObject({
      source: "sub-flow",
      parentExecutionId: ended.executionId,
    });
  });
});
