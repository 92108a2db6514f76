import { describe, expect, it } from "vitest";
import { countingServer } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import {
  createFlow,
  edge,
  ended,
  execute,
  node,
  outputOf,
  readExecution,
  run,
  start,
  statuses,
  transform,
} from "#e2e/support/flows.ts";

const check = (condition: string) => node("check", "if-else", { condition });
const yes = transform("yes", "'yes'");
const no = transform("no", "'no'");
const failing = (id: string, more = {}) => transform(id, "$trigger.body.none.at", more);
const statusesOf = async (...given: Parameters<typeof run>) => statuses(await run(...given));

describe("a node runs once all its incoming edges are settled and one of them was taken", () => {
  // Proves graph.start
  it("a run starts at the nodes without incoming edges", async () => {
    expect(await statusesOf([transform("a", "1"), transform("b", "2")])).toEqual({ a: "completed", b: "completed" });
  });

  // Proves edge.from-trigger, graph.trigger-edge
  it("an edge from the trigger starts a node", async () => {
    const edges = [edge("trigger", "a"), edge("a", "b"), edge("trigger", "b")];
    expect((await run([transform("a", "1"), transform("b", "$nodes['a'].output + 1")], edges)).output).toBe(2);
  });

  // Proves graph.join
  it("a join runs once, after all of its branches", async () => {
    const sink = await countingServer();
    const call = (id: string) => node(id, "http-request", { url: `${sink.url}/${id}` });
    const nodes = [call("join"), call("left"), call("right")];
    await run(nodes, [edge("left", "join"), edge("right", "join")]);
    expect(sink.received.map(({ url }) => url).toSorted()).toEqual(["/join", "/left", "/right"]);
    expect(sink.received[2]?.url).toBe("/join");
  });

  it("two edges between the same nodes count as one", async () => {
    const sink = await countingServer();
    const nodes = [transform("a", "1"), node("b", "http-request", { url: sink.url })];
    expect(await statusesOf(nodes, [edge("a", "b"), edge("a", "b")])).toEqual({ a: "completed", b: "completed" });
    expect(sink.received).toHaveLength(1);
  });

  // Proves graph.join
  it("a join of an untaken and a taken branch runs", async () => {
    const nodes = [check("true"), yes, no, transform("join", "[$nodes['yes'].output, $nodes['no'].output ?? 'none']")];
    const edges = [edge("check", "yes", "true"), edge("check", "no", "false"), edge("yes", "join"), edge("no", "join")];
    const ended = await run(nodes, edges);
    expect(statuses(ended)).toEqual({ check: "completed", yes: "completed", no: "skipped", join: "completed" });
    expect(ended.output).toEqual(["yes", "none"]);
  });

  // Proves graph.skipped
  it("what is skipped skips what follows it", async () => {
    const nodes = [check("false"), yes, transform("after", "1"), transform("last", "1")];
    const edges = [edge("check", "yes", "true"), edge("yes", "after"), edge("after", "last")];
    expect(await statusesOf(nodes, edges)).toEqual({
      check: "completed",
      yes: "skipped",
      after: "skipped",
      last: "skipped",
    });
  });

  // Proves graph.concurrent
  it("independent branches run at the same time", async () => {
    const sink = await countingServer(() => "hold");
    const call = (id: string) => node(id, "http-request", { url: sink.url });
    const flow = await createFlow({ nodes: [call("a"), call("b"), call("c")] });
    const id = await start(flow.id);
    await sink.until(3);
    sink.release();
    expect((await ended(id)).status).toBe("completed");
  });

  it("1000 nodes in a row run in order", async () => {
    const nodes = Array.from({ length: 1_000 }, (_, i) => transform(`n${i}`, i === 0 ? "0" : "{{ $node.output + 1 }}"));
    const edges = nodes.slice(1).map((_, i) => edge(`n${i}`, `n${i + 1}`));
    expect((await run(nodes.toReversed(), edges)).output).toBe(999);
  });
});

describe("if-else", () => {
  // Proves expressions.conditions, graph.if-else-handles
  it.each([
    ["true", "yes"],
    ["false", "no"],
    ["1 > 2", "no"],
    ["'text'", "yes"],
    ["''", "no"],
    ["0", "no"],
    ["null", "no"],
    ["[]", "yes"],
    ["{{ $trigger.body.flag }}", "yes"],
    ["const a = 1; return a === 1;", "yes"],
    ["{{ !$trigger.body.flag }} ", "no"],
    ["{{ $trigger.body.count }} > 5", "no"],
    ["{{ $trigger.body.count }} > 1 && {{ $trigger.body.flag }}", "yes"],
  ])("branch", async (condition, way) => {
    const edges = [edge("check", "yes", "true"), edge("check", "no", "false")];
    const ended = await run([check(condition), yes, no], edges, { flag: true, count: 2 });
    expect(ended.output).toBe(way);
    expect(outputOf(ended, "check")).toEqual({ result: way === "yes", branch: String(way === "yes") });
  });

  // Proves graph.if-else-plain
  it("of two plain edges the first is true and the next false, whatever the order of nodes", async () => {
    const edges = [edge("check", "yes"), edge("check", "no")];
    expect((await run([no, yes, check("true")], edges)).output).toBe("yes");
    expect((await run([no, yes, check("false")], edges)).output).toBe("no");
  });

  // Proves graph.if-else-handles
  it.each([
    ["true", "false"],
    ["yes", "no"],
    ["then", "else"],
    ["Yes", " NO "],
  ])("plain edges labelled %s and %s say so themselves", async (first, second) => {
    const edges = [
      { source: "check", target: "no", label: second },
      { source: "check", target: "yes", label: first },
    ];
    expect((await run([check("true"), yes, no], edges)).output).toBe("yes");
    expect((await run([check("false"), yes, no], edges)).output).toBe("no");
  });

  // Proves graph.if-else-plain
  it("a plain edge gets the remaining branch", async () => {
    const edges = [edge("check", "no"), edge("check", "yes", "true")];
    expect((await run([check("false"), yes, no], edges)).output).toBe("no");
    expect((await run([check("true"), yes, no], edges)).output).toBe("yes");
  });

  it("an edge's handle takes precedence over its label", async () => {
    const edges = [{ source: "check", target: "yes", sourceHandle: "true", label: "no" }];
    expect((await run([check("true"), yes], edges)).output).toBe("yes");
  });

  // Proves graph.if-else-one
  it("a single plain edge is the true branch: on false the path ends and the run completes", async () => {
    const ended = await run([check("false"), yes], [edge("check", "yes")]);
    expect(ended).toMatchObject({ status: "completed", output: { result: false, branch: "false" } });
    expect(statuses(ended)).toEqual({ check: "completed", yes: "skipped" });
  });

  // Proves executions.read.warnings, graph.if-else-further
  it("further plain edges are false too, and the run has a warning", async () => {
    const nodes = [check("false"), yes, no, transform("third", "3")];
    const ended = await run(nodes, [edge("check", "yes"), edge("check", "no"), edge("check", "third")]);
    expect(statuses(ended)).toEqual({ check: "completed", yes: "skipped", no: "completed", third: "completed" });
    const { warnings, warningCount } = await readExecution(ended.executionId);
    expect(warningCount).toBe(1);
    expect(warnings).toEqual([
      { nodeId: "check", code: "AMBIGUOUS_BRANCH", message: expect.any(String), timestamp: expect.any(String) },
    ]);
  });
});

describe("switch", () => {
  const byColour = (cases: unknown[], value: unknown = "{{ $trigger.body.colour }}") => [
    node("pick", "switch", { value, cases }),
    transform("red", "'red'"),
    transform("blue", "'blue'"),
    transform("other", "'other'"),
  ];
  const edges = [edge("pick", "red", "r"), edge("pick", "blue", "b"), edge("pick", "other", "default")];

  // Proves graph.switch, nodes.switch
  it.each([
    ["red", "red", "r"],
    ["blue", "blue", "b"],
    ["green", "other", "default"],
    [null, "other", "default"],
  ])("%j leaves by the case that is equal", async (colour, output, taken) => {
    const cases = [
      { id: "r", equals: "red" },
      { id: "b", equals: "blue" },
    ];
    const ended = await run(byColour(cases), edges, { colour });
    expect(ended.output).toBe(output);
    expect(outputOf(ended, "pick")).toEqual({ value: colour, case: taken });
  });

  // Proves graph.switch
  it("the first case whose condition holds is taken", async () => {
    const cases = [
      { id: "r", when: "$trigger.body.n > 10" },
      { id: "b", when: "{{ $trigger.body.n > 5 }}" },
    ];
    const output = async (n: number) => (await run(byColour(cases, "'x'"), edges, { n })).output;
    expect([await output(11), await output(7), await output(1)]).toEqual(["red", "blue", "other"]);
  });

  it("numbers and text are not equal", async () => {
    const cases = [
      { id: "r", equals: "1" },
      { id: "b", equals: 1 },
    ];
    expect((await run(byColour(cases), edges, { colour: 1 })).output).toBe("blue");
  });

  // Proves expressions.switch
  it("$switch is the nearest earlier switch that ran", async () => {
    const nodes = [
      node("pick", "switch", { value: "'x'", cases: [{ id: "c", equals: "x" }] }),
      transform("t", "$switch"),
    ];
    expect((await run(nodes, [edge("pick", "t", "c")])).output).toEqual({ value: "x", case: "c" });
  });
});

describe("failures", () => {
  // Proves execution-status.failed, graph.failure
  it("fail the run: nothing new starts, the rest is skipped", async () => {
    const ended = await run([failing("bad"), transform("after", "1")], [edge("bad", "after")]);
    expect(ended).toMatchObject({
      status: "failed",
      output: null,
      error: { nodeId: "bad", code: "EXPRESSION_FAILED" },
    });
    expect(statuses(ended)).toEqual({ bad: "failed", after: "skipped" });
    expect(await readExecution(ended.executionId)).toMatchObject({ status: "failed", error: ended.error });
  });

  // Proves graph.in-flight
  it("let nodes in progress finish, and they are recorded", async () => {
    const sink = await countingServer((_, { url }) => (url === "/slow" ? "hold" : { status: 400 }));
    const call = (id: string) => node(id, "http-request", { url: `${sink.url}/${id}` });
    const flow = await createFlow({
      nodes: [call("slow"), call("trip"), transform("after", "1")],
      edges: [edge("slow", "after")],
    });
    const id = await start(flow.id);
    await sink.until(2);
    await eventually("the failure is recorded", async () =>
      statuses(await readExecution(id)).trip === "failed" ? true : undefined,
    );
    sink.release();
    const execution = await ended(id, "?includeNodeOutputs=true");
    expect(execution.status).toBe("failed");
    expect(statuses(execution)).toEqual({ slow: "completed", trip: "failed", after: "skipped" });
    expect(outputOf(execution, "slow")).toMatchObject({ status: 200, body: { ok: true } });
  });

  // Proves graph.error-handle
  it("follow an edge on the error handle instead, with the failure as the output", async () => {
    const nodes = [failing("bad"), transform("rescue", "$nodes['bad'].output"), transform("fine", "1")];
    const ended = await run(nodes, [edge("bad", "rescue", "error"), edge("bad", "fine")]);
    expect(ended.status).toBe("completed");
    expect(statuses(ended)).toEqual({ bad: "failed", rescue: "completed", fine: "skipped" });
    expect(ended.output).toEqual({ error: { code: "EXPRESSION_FAILED", message: expect.stringContaining("none") } });
  });

  it("leave the error edge alone if there are none", async () => {
    const nodes = [transform("good", "1"), transform("rescue", "2")];
    expect(await statusesOf(nodes, [edge("good", "rescue", "error")])).toEqual({
      good: "completed",
      rescue: "skipped",
    });
  });

  // Proves graph.on-error
  it("of a node with onError continue become its output, and the run continues", async () => {
    const nodes = [failing("bad", { onError: "continue" }), transform("after", "$nodes['bad'].output.error.code")];
    const ended = await run(nodes, [edge("bad", "after")]);
    expect(ended).toMatchObject({ status: "completed", output: "EXPRESSION_FAILED" });
    expect(outputOf(ended, "bad")).toEqual({ error: { code: "EXPRESSION_FAILED", message: expect.any(String) } });
    expect(statuses(ended)).toEqual({ bad: "completed", after: "completed" });
  });

  it("of an if-else that continues follow none of its branches", async () => {
    const nodes = [node("check", "if-else", { condition: "$trigger.body.a.b", onError: "continue" }), yes, no];
    const ended = await run(nodes, [edge("check", "yes", "true"), edge("check", "no", "false")]);
    expect(statuses(ended)).toEqual({ check: "completed", yes: "skipped", no: "skipped" });
  });
});

describe("the output of a run", () => {
  // Proves graph.output-end
  it("is that of the node that ran and led nowhere further", async () => {
    const nodes = [transform("end", "'end'"), transform("start", "'start'")];
    expect((await run(nodes, [edge("start", "end")])).output).toBe("end");
  });

  // Proves graph.output-several
  it("is that of the last end in the order of the nodes", async () => {
    const sink = await countingServer();
    const slow = node("slow", "http-request", { url: sink.url });
    expect((await run([slow, transform("a", "'a'"), transform("b", "'b'")])).output).toBe("b");
    expect((await run([transform("a", "'a'"), slow])).output).toMatchObject({ status: 200 });
  });

  // Proves graph.output-respond
  it("is that of a respond node if one ran, wherever it is", async () => {
    const nodes = [node("answer", "respond", { status: 201, body: { id: 7 } }), transform("after", "'after'")];
    expect((await run(nodes, [edge("answer", "after")])).output).toEqual({ id: 7 });
  });

  it("is not that of a skipped respond node", async () => {
    const nodes = [check("false"), node("answer", "respond", { body: "x" }), no];
    expect((await run(nodes, [edge("check", "answer", "true"), edge("check", "no", "false")])).output).toBe("no");
  });

  // Proves nodes.log
  it("of a log is its input", async () => {
    const flow = await createFlow({ nodes: [node("note", "log", { message: "x" })] });
    expect((await execute(flow.id, { a: 1 })).output).toEqual({ a: 1 });
  });
});
