import { describe, expect, it } from "vitest";
import { edge, node, readExecution, run, type TestRun, transform } from "#e2e/support/flows.ts";

interface NodeFailure {
  readonly message: string;
  readonly code: string;
  readonly field?: string;
  readonly expression?: string;
  readonly position?: number;
}

/** The failure of the run's only node, from its record. */
async function failureOf(config: Record<string, unknown>, type = "transform", data = {}): Promise<NodeFailure> {
  const ended = await run([node("n", type, config)], [], data);
  return await recorded(ended);
}

async function recorded(ended: TestRun): Promise<NodeFailure> {
  expect(ended).toMatchObject({ status: "failed", error: { nodeId: "n" } });
  const { nodes, error } = await readExecution(ended.executionId);
  const failure = nodes.find(({ nodeId }) => nodeId === "n")?.error as NodeFailure;
  expect(error).toEqual({ nodeId: "n", message: failure.message, code: failure.code });
  return failure;
}

describe("a failing expression names itself, its field, the position and the reason", () => {
  // Proves expressions.undefined
  it("reading a member of undefined", async () => {
    const expression = "$trigger.body.user.name";
    const failure = await failureOf({ transform: `{{ ${expression} }}` });
    expect(failure).toMatchObject({ code: "EXPRESSION_FAILED", field: "transform", expression, position: 19 });
    expect(failure.message).toContain(expression);
    expect(failure.message).toMatch(/user.* undefined/);
  });

  // Proves expressions.failure
  it.each([
    ["$trigger.body.list.map((x) => x.a.b)", /undefined/],
    ["nothing + 1", /nothing/],
    ["null.x", /null/],
    ["(() => { throw new Error('my own words') })()", /my own words/],
    ["(() => { throw 'a bare string' })()", /a bare string/],
    ["JSON.parse('{')", /JSON|expect|unexpected/i],
    ["$nodes['missing'].output", /undefined/],
    ["$nodes.missing.output.x", /undefined/],
    ["'x'.repeat(-1)", /repeat|count|invalid/i],
    ["(function f() { return f() })()", /stack/i],
  ])("%s", async (expression, reason) => {
    const failure = await failureOf({ transform: expression }, "transform", { list: [{}] });
    expect(failure).toMatchObject({ code: "EXPRESSION_FAILED", field: "transform", expression });
    expect(failure.message).toMatch(reason);
  });

  it.each([
    ["1 + $trigger.body.list.map((x) => x.a.b)", "b)"],
    ["const all = $trigger.body;\nreturn all.first.second;", "second"],
    ["1 + nothing", "nothing"],
    ["const a = 1;\nnull.x;\nreturn a;", "x;"],
  ])("the position in %s is that of %s", async (expression, at) => {
    const failure = await failureOf({ transform: expression }, "transform", { list: [{}] });
    expect(failure).toMatchObject({ expression, position: expression.indexOf(at) });
    expect(failure.message).toContain(`at position ${failure.position}`);
  });

  it("the path of the field is reported", async () => {
    const config = { url: "http://127.0.0.1", headers: { "x-a": "ok", "x-b": "v {{ $trigger.body.a.b }}" } };
    expect(await failureOf(config, "http-request")).toMatchObject({
      field: "headers.x-b",
      expression: "$trigger.body.a.b",
    });
    const deep = { transform: { list: ["{{ 1 }}", { "odd key": "{{ $trigger.body.a.b }}" }] } };
    expect(await failureOf(deep)).toMatchObject({ field: 'transform.list[1]["odd key"]' });
  });

  // Proves expressions.undefined
  it("?. reads as undefined instead", async () => {
    expect((await run([transform("n", "$trigger.body.user?.name ?? 'nobody'")])).output).toBe("nobody");
  });

  it("nodes that do not come before are not visible", async () => {
    const nodes = [transform("n", "$nodes['aside'].output"), transform("aside", "1"), transform("end", "1")];
    await recorded(await run(nodes, [edge("n", "end")]));
  });
});

describe("an invalid expression fails its node when the flow runs", () => {
  it.each([
    ["{{ 1 + }}", /}}|unexpected/i],
    ["{{ }}", /no expression/],
    ["{{ 1", /end of the text/],
    ["{{ 1 2 }}", /expected/],
    ["text {{ a b }}", /expected/],
    ["return {", /unexpected/i],
    ["", /no expression/],
  ])("%s", async (program, reason) => {
    const failure = await failureOf({ transform: program });
    expect(failure).toMatchObject({ code: "INVALID_EXPRESSION", field: "transform" });
    expect(failure.message).toMatch(reason);
  });
});

describe("a value that JSON cannot represent is an error that names its type", () => {
  // Proves expressions.json
  it.each([
    ["() => 1", /function/],
    ["({ a: [() => 1] })", /function.*a\[0\]/],
    ["Symbol('x')", /symbol/],
    ["10n", /BigInt/],
    ["({ n: 10n })", /BigInt/],
    ["(() => { const a = {}; a.a = a; return a })()", /cycle/],
    ["Promise.resolve(1)", /promise/],
    ["(async () => 1)()", /promise/],
    ["({ later: Promise.resolve(1) })", /promise/],
  ])("%s", async (expression, type) => {
    expect((await failureOf({ transform: expression })).message).toMatch(type);
  });

  it.each([
    ["undefined", null],
    ["[undefined, 1]", [null, 1]],
    ["NaN", null],
    ["new Date(0)", "1970-01-01T00:00:00.000Z"],
    ["new Map([[1, 2]])", {}],
  ])("%s is what JSON makes of it", async (expression, value) => {
    expect((await run([transform("n", expression)])).output).toEqual(value);
  });
});

describe("limits", () => {
  // Proves expressions.limits
  it.each([
    ["for (;;) {} return 1;", /250 ms|time|cpu/i],
    ["'x'.repeat(2 ** 21)", /1 MiB|large|1048576/i],
    ["return new Array(1e8).fill('x').map((x, i) => x + i)", /memory/i],
  ])("%s ends its node and nothing else", async (program, reason) => {
    const [failure, other] = await Promise.all([failureOf({ transform: program }), run([transform("n", "1 + 1")])]);
    expect(failure.message).toMatch(reason);
    expect(other.output).toBe(2);
  });

  // Proves expressions.limits
  it("endless code is stopped by its own limit", async () => {
    const failure = await failureOf({ code: "for (;;) {}", timeoutMs: 300 }, "code");
    expect(failure).toMatchObject({ code: "CODE_FAILED", field: "code" });
  });

  it.each([
    ["const a = 1;\nconst b = undefined;\nreturn b.c;", 3],
    ["const a = 1;\nthrow new Error('no');", 2],
  ])("a failure in code names the line", async (code, line) => {
    expect((await failureOf({ code }, "code")).message).toContain(`(line ${line})`);
  });
});
