import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { jsonText, type Outcome } from "#lib/engine/outcome.ts";
import { done, edge, failure, node } from "#lib/engine/testing/flows.ts";
import { resumeUrl } from "#lib/executions/resume-token.ts";
import { stepOf, testRun } from "#lib/executions/testing/run-in-memory.ts";
import { readProgram } from "#lib/expressions/expressions.ts";
import { keptOutput, OutputValues, unreadText } from "#lib/json/large-output.ts";
import { scopeOf } from "#lib/scope/scope.ts";

beforeAll(() => {
  vi.stubEnv("DATABASE_URL", "postgresql://nobody@127.0.0.1:5432/none");
  for (const name of ["AUTH_SECRET", "ENCRYPTION_KEY"]) vi.stubEnv(name, "0123456789abcdef".repeat(4));
});
afterAll(() => vi.unstubAllEnvs());

const run = testRun({
  nodes: [node("way", "switch", { cases: [{ id: "a" }] }), node("a"), node("skipped"), node("here"), node("beside")],
  edges: ["way:a -> a", "way:default -> skipped", "a -> here", "skipped -> here"].map((arrow) => edge(arrow)),
  variables: { limit: 5 },
  trigger: { body: { id: 7 }, headers: { "x-a": "1" }, query: { q: ["1", "2"] }, method: "PUT" },
});
const outcomes = new Map<string, Outcome>([
  ["way", done({ value: "x", case: "a" }, "a")],
  ["a", done({ sum: 3 })],
  ["skipped", { status: "skipped" }],
  ["beside", done("not an ancestor")],
]);

function scopeAt(id: string, known: ReadonlyMap<string, Outcome> = outcomes) {
  return scopeOf(run, stepOf(run, id, known), { shop: "secret" }, resumeUrl);
}

const here = scopeAt("here");
const value = (name: string, text = name) => here.value(name, readProgram(text));
/** The parsed scope that the sandbox gets for these programs. */
const valuesFor = async (...programs: string[]) => {
  const texts = await here.json(programs.map(readProgram));
  return Object.fromEntries(Object.entries(texts).map(([name, json]) => [name, JSON.parse(json)]));
};

describe("a node's scope", () => {
  // Proves expressions.scope
  test("has the names in the contract", () => {
    expect(value("$trigger")).toEqual({
      body: { id: 7 },
      headers: { "x-a": "1" },
      query: { q: ["1", "2"] },
      method: "PUT",
    });
    expect(value("$vars")).toEqual({ limit: 5 });
    expect(value("$execution")).toEqual({ id: "exec_test", startedAt: "2026-01-31T10:00:00.000Z" });
    expect(value("$flow")).toEqual({ id: "flow_test", name: "Test" });
    expect(value("$node")).toEqual({ id: "a", name: "a", output: { sum: 3 } });
    expect(value("$switch")).toEqual({ value: "x", case: "a" });
    expect(value("$credentials")).toEqual({ shop: "secret" });
    expect(here.input).toEqual({ sum: 3 });
  });

  test.each([
    ["an expression", "$nodes.a.output[1]", false],
    ["an expression of the node before", "$node.output[1]", false],
    ["the node itself", "1", true],
    ["an expression of the case taken", "$switch.length", false],
  ])("has large outputs that were let go parsed in turns, before they are read by %s", async (_, text, readsInput) => {
    // As if everything that is let go were collected at once.
    class Collected<T extends object> extends WeakRef<T> {
      override deref(): T | undefined {
        const target = super.deref();
        return Array.isArray(target) ? undefined : target;
      }
    }
    vi.stubGlobal("WeakRef", Collected);
    const values = new OutputValues(() => true);
    const items = Array.from({ length: 50_000 }, (_item, index) => index);
    const output = keptOutput(jsonText(items), values);
    keptOutput(jsonText([...items]), values);
    const id = text.startsWith("$switch") ? "way" : "a";
    const scope = scopeAt("here", new Map(outcomes).set(id, { status: "completed", output, handle: null }));
    await scope.ready([readProgram(text)], readsInput);
    const parse = vi.spyOn(JSON, "parse");
    if (readsInput) expect(scope.input).toEqual(items);
    else expect(scope.value(text.split(".")[0] ?? "", readProgram(text))).toBeDefined();
    expect(output.value).toEqual(items);
    expect(parse).not.toHaveBeenCalled();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  test.each([
    ["an expression", "way", "$trigger.body.length", false],
    ["an expression of the node before", "first", "$node.output.length", false],
    ["the first node itself", "first", "1", true],
  ])("has a large trigger that was let go parsed before it is read by %s", async (_, id, text, readsInput) => {
    const body = Array.from({ length: 50_000 }, (_item, index) => index);
    const trigger = { body, headers: {}, query: {}, method: "POST" };
    const values = new OutputValues(() => true);
    const nodes = [node("first"), node("way", "switch", { cases: [] })];
    const started = testRun({ nodes, edges: [edge("first -> way")] });
    Object.assign(started, { trigger: keptOutput(jsonText(trigger), values) });
    keptOutput(jsonText([...body]), values);
    const scope = scopeOf(started, stepOf(started, id), {}, resumeUrl);
    await scope.ready([readProgram(text)], readsInput);
    const parse = vi.spyOn(JSON, "parse");
    if (readsInput) expect(scope.input).toEqual(body);
    else expect(scope.value(text.split(".")[0] ?? "", readProgram(text))).toBeDefined();
    expect(started.trigger.value).toEqual(trigger);
    expect(parse).not.toHaveBeenCalled();
    vi.restoreAllMocks();
    if (id === "first") expect([scope.isInput(scope.input), scope.isInput([])]).toEqual([true, false]);
  });

  test.each([
    ["an expression", "inner", "$item.length", false],
    ["an expression of the node before", "inner", "$node.output.length", false],
    ["the first node of the body itself", "inner", "1", true],
    ["a later step of a node", "inner", "1", false],
  ])("has a loop's large item parsed in turns before it is read by %s", async (what, id, text, readsInput) => {
    const item = Array.from({ length: 50_000 }, (_item, index) => index);
    const json = JSON.stringify(item);
    const nodes = [node("loop", "loop", { body: { nodes: [{ id, name: id, type: "log", config: {} }], edges: [] } })];
    const looping = testRun({ nodes });
    const loop = stepOf(looping, "loop");
    const [inner] = loop.node.body?.order ?? [];
    if (loop.node.body === null || inner === undefined) throw new Error("the loop has no body");
    const earlier = [unreadText(json)];
    const iteration = { loop, index: 0, item: unreadText(json), ...(what.startsWith("a later") && { earlier }) };
    const frame = { graph: loop.node.body, outcomes: new Map(), iteration };
    const scope = scopeOf(looping, { id: "inner", node: inner, taken: inner.incoming, frame }, {}, resumeUrl);
    await scope.ready([readProgram(text)], readsInput);
    const parse = vi.spyOn(JSON, "parse");
    if (readsInput) expect(scope.input).toEqual(item);
    else if (what.startsWith("a later")) expect(earlier[0]?.value).toEqual(item);
    else expect(scope.value(text.split(".")[0] ?? "", readProgram(text))).toBeDefined();
    expect(parse).not.toHaveBeenCalled();
    vi.restoreAllMocks();
    if (readsInput) expect([scope.isInput(scope.input), scope.isInput([])]).toEqual([true, false]);
  });

  test("knows its input when an expression passes it on, and does not parse it to compare", () => {
    const values = new OutputValues(() => true);
    const output = keptOutput(jsonText("x".repeat(70_000)), values);
    const scope = scopeAt("here", new Map(outcomes).set("a", { status: "completed", output, handle: null }));
    const node = scope.value("$node", readProgram("$node")) as { readonly output: unknown };
    expect([scope.isInput(node.output), scope.isInput({})]).toEqual([true, false]);
    keptOutput(jsonText("y".repeat(70_000)), values);
    const parse = vi.spyOn(JSON, "parse");
    expect(scope.isInput({})).toBe(false);
    expect(parse).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  test("has no $switch for a disabled node: the one before it decided", () => {
    const off = { ...node("off", "switch", { cases: [] }), disabled: true };
    const run = testRun({
      nodes: [node("way", "switch", { cases: [] }), off, node("end")],
      edges: [edge("way -> off"), edge("off -> end")],
    });
    const came = (...ids: string[]) => new Map(ids.map((id): [string, Outcome] => [id, done({ case: id })]));
    const read = (...ids: string[]) =>
      scopeOf(run, stepOf(run, "end", came(...ids)), {}, resumeUrl).value("$switch", readProgram("$switch"));
    expect(read("way", "off")).toEqual({ case: "way" });
    expect(read("off")).toBeUndefined();
  });

  test("has no other names, not even those of every object's members", () => {
    expect(["$trigger", "$nodes", "$switch"].every((name) => here.has(name))).toBe(true);
    expect(["$item", "$foo", "constructor", "__proto__", "toString", ""].some((name) => here.has(name))).toBe(false);
  });

  // Proves expressions.node-before
  test("has the trigger as the previous node at the start", () => {
    const start = scopeAt("way", new Map());
    expect(start.input).toEqual({ id: 7 });
    expect(start.value("$node", readProgram("$node"))).toEqual({ id: "trigger", name: "Trigger", output: { id: 7 } });
    expect(start.value("$switch", readProgram("$switch"))).toBeUndefined();
  });

  test("has the outputs of earlier nodes only; a skipped one has none", () => {
    expect(value("$nodes", "Object.keys($nodes)")).toEqual({
      way: { output: { value: "x", case: "a" } },
      a: { output: { sum: 3 } },
      skipped: {},
    });
    expect(value("$nodes", "$nodes['a'].output")).toEqual({ a: { output: { sum: 3 } } });
    expect(value("$nodes", "$nodes['beside']")).toEqual({});
  });

  test("says why a node failed", () => {
    const scope = scopeAt("here", new Map([...outcomes, ["a", failure]]));
    expect(scope.value("$nodes", readProgram("$nodes.a"))).toEqual({
      a: { output: { error: { message: "it broke", code: "BROKEN" } } },
    });
  });
});

describe("is created once per node", () => {
  const waits = testRun({
    nodes: [node("ask", "wait"), node("tell", "wait"), node("url")],
    edges: [edge("url -> ask")],
  });

  test.each(["$node", "$nodes", "$switch", "$execution", "$flow", "$resume"])("%s", (name) => {
    const dynamic = readProgram(`${name}[$vars.id]`);
    expect(here.value(name, dynamic)).toBe(here.value(name, dynamic));
    expect(here.value(name, dynamic)).toBe(here.value(name, readProgram(name)));
  });

  test("contains only the ids that are read", async () => {
    const sum = readProgram("$nodes['a'].output.sum");
    expect(here.value("$nodes", sum)).toBe(here.value("$nodes", sum));
    const scope = scopeOf(waits, stepOf(waits, "url"), {}, resumeUrl);
    expect(Object.keys(scope.value("$resume", readProgram("$resume")) as object).sort()).toEqual(["ask", "tell"]);
    expect(scope.value("$resume", readProgram("$resume.ask"))).toEqual({
      ask: expect.stringContaining("/api/v1/resume/exec_test."),
    });
    expect(scope.value("$resume", readProgram("$resume['url']"))).toEqual({});
    const { $resume = "" } = await scope.json([readProgram("$resume.tell + 1")]);
    expect(Object.keys(JSON.parse($resume))).toEqual(["tell"]);
  });

  test("knows a value's size without serializing it", () => {
    for (const name of ["$trigger", "$vars", "$nodes", "$node", "$switch", "$execution", "$flow", "$credentials"]) {
      const json = JSON.stringify(value(name));
      expect(here.size(name, readProgram(name))).toBeGreaterThanOrEqual(json.length - 2);
      expect(here.size(name, readProgram(name))).toBeLessThan(json.length + 100);
    }
    expect(here.size("$nodes", readProgram("$nodes.a"))).toBeLessThan(here.size("$nodes", readProgram("$nodes")));
  });
});

describe("the sandbox's scope", () => {
  test("has only the names that the expressions mention", async () => {
    expect(await valuesFor("1 + 1")).toEqual({});
    expect(await valuesFor("$vars.limit + 1", "$nodes.a.output.sum")).toEqual({
      $vars: { limit: 5 },
      $nodes: { a: { output: { sum: 3 } } },
    });
    expect(Object.keys(await valuesFor("$foo + $item + $trigger.body.id"))).toEqual(["$trigger"]);
  });

  test("has every earlier node if the ids are not literal", async () => {
    expect(Object.keys((await valuesFor("$nodes[$vars.id]", "$nodes.a")).$nodes)).toEqual(["a", "skipped", "way"]);
  });

  test("holds the same values as the server's", async () => {
    for (const name of ["$trigger", "$vars", "$nodes", "$node", "$switch", "$execution", "$flow", "$credentials"]) {
      expect([name, (await valuesFor(name))[name]]).toEqual([name, JSON.parse(JSON.stringify(value(name)))]);
    }
  });

  test("accepts node ids that are also names of every object's properties", () => {
    const unusual = testRun({ nodes: [node("__proto__"), node("b")], edges: [edge("__proto__ -> b")] });
    const scope = scopeOf(unusual, stepOf(unusual, "b", new Map([["__proto__", done(1)]])), {}, resumeUrl);
    expect(scope.json([readProgram("$nodes['__proto__'].output")])).toEqual({ $nodes: '{"__proto__":{"output":1}}' });
    expect(Object.keys(scope.value("$nodes", readProgram("$nodes")) as object)).toEqual(["__proto__"]);
  });
});
