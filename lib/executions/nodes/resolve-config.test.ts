import { describe, expect, test } from "vitest";
import type { JsonObject } from "#lib/engine/json.ts";
import { node } from "#lib/engine/testing/flows.ts";
import { resumeUrl } from "#lib/executions/resume-token.ts";
import { fakeSandbox, stepOf, testRun } from "#lib/executions/testing/run-in-memory.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { planNodeConfig } from "#lib/nodes/registry.ts";
import { ExpressionFailure, resolveConfig } from "#lib/scope/resolve-config.ts";
import { scopeOf } from "#lib/scope/scope.ts";

const run = testRun({
  nodes: [node("here", "respond")],
  variables: { text: "abc", list: [1, 2], odd: "{{ $vars.text }}" },
  trigger: { body: { a: { b: [true] } } },
});
const scope = scopeOf(run, stepOf(run, "here"), {}, resumeUrl);

async function resolve(config: JsonObject, answers: Record<string, unknown> = {}, type = "respond") {
  const { sandbox, tasks } = fakeSandbox(answers);
  const resolved = await resolveConfig(planNodeConfig(type, config), scope, sandbox, run.stop.signal);
  return { resolved, tasks };
}

const failureOf = async (config: JsonObject, type?: string) => {
  const thrown = await resolve(config, {}, type).then(
    () => undefined,
    (error) => error,
  );
  expect(thrown).toBeInstanceOf(NodeFailure);
  return thrown as NodeFailure;
};

describe("without the sandbox", () => {
  test("plain paths are read in the server, with their types; missing values are null", async () => {
    const config = {
      body: { all: "{{ $trigger.body.a }}", one: "{{ $trigger.body.a.b[0] }}", none: "{{ $vars.no }}" },
    };
    const { resolved, tasks } = await resolve(config);
    expect(resolved).toEqual({ body: { all: { b: [true] }, one: true, none: null } });
    expect(tasks).toEqual([]);
  });

  test("a config without templates is returned as it is", async () => {
    const { resolved, tasks } = await resolve({ status: 201, body: "plain" });
    expect([resolved, tasks]).toEqual([{ status: 201, body: "plain" }, []]);
  });

  test("braces in data are not evaluated", async () => {
    expect((await resolve({ body: "{{ $vars.odd }}" })).resolved).toEqual({ body: "{{ $vars.text }}" });
  });
});

describe("a config that would be far larger than its parts", () => {
  const long = "x".repeat(200_000);
  const wide = scopeOf(
    testRun({ nodes: [node("here", "respond")], trigger: { body: { long } } }),
    stepOf(run, "here"),
    {},
    resumeUrl,
  );
  const resolveWide = async (body: JsonObject[string]) =>
    resolveConfig(planNodeConfig("respond", { body }), wide, fakeSandbox().sandbox, run.stop.signal);

  test.each([
    ["many times in a list", Array(500).fill("{{ $trigger.body }}")],
    ["many times in a text", "{{ $trigger.body.long }}".repeat(500)],
    ["many times in one expression", `{{ [${Array(60).fill("$trigger.body").join()}] }}`],
  ])("is a failure of its node, and is not made: the same value %s", async (_where, body) => {
    await expect(resolveWide(body)).rejects.toMatchObject({ code: "CONFIG_TOO_LARGE" });
  });

  test("is accepted when a value is used once or a few times", async () => {
    expect(await resolveWide("{{ $trigger.body.long }}")).toEqual({ body: long });
    expect(await resolveWide(["{{ $trigger.body.long }}", "{{ $trigger.body.long }}"])).toEqual({ body: [long, long] });
  });
});

describe("with the sandbox", () => {
  test("all other expressions go in one message, in order, with only the names they mention", async () => {
    const config = {
      body: ["{{ $vars.text.normalize() }}", "{{ $vars.text }}", "x{{ Math.hypot(1, 2) }}"],
      status: "{{ $vars.list.map(f) }}",
    };
    const answers = { "$vars.text.normalize()": 3, "Math.hypot(1, 2)": 2, "$vars.list.map(f)": [4] };
    const { resolved, tasks } = await resolve(config, answers);
    expect(resolved).toEqual({ body: [3, "abc", "x2"], status: [4] });
    expect(tasks).toHaveLength(1);
    expect(tasks[0]?.programs.map(({ source }) => source)).toEqual([
      "$vars.text.normalize()",
      "Math.hypot(1, 2)",
      "$vars.list.map(f)",
    ]);
    expect(Object.keys(tasks[0]?.scope ?? {})).toEqual(["$vars"]);
    expect(tasks[0]?.signal).toBe(run.stop.signal);
  });

  test("a config that is too much work for the server goes to the sandbox whole, except for plain paths", async () => {
    const few = Array.from({ length: 30 }, () => "{{ $vars.many.filter((item) => item > 5).length + 1 }}");
    const many = testRun({
      nodes: [node("here", "respond")],
      variables: { many: Array.from({ length: 5_000 }, (_, index) => index), one: 1 },
    });
    const { sandbox, tasks } = fakeSandbox({
      "$vars.many.filter((item) => item > 5).length + 1": 4_995,
      "$vars.one + 1": 2,
    });
    const config = planNodeConfig("respond", { body: [...few, "{{ $vars.one + 1 }}", "{{ $vars.one }}"] });
    const manyScope = scopeOf(many, stepOf(many, "here"), {}, resumeUrl);
    const { body } = await resolveConfig(config, manyScope, sandbox, many.stop.signal);
    expect((body as unknown[]).slice(-3)).toEqual([4_995, 2, 1]);
    expect(tasks.map(({ programs }) => programs.length)).toEqual([31]);
  });

  test("an unknown name by itself is an error, not null", async () => {
    expect(await failureOf({ body: "{{ $tirgger }}" })).toMatchObject({
      code: "EXPRESSION_FAILED",
      message: "body: `$tirgger` failed at position 0: $tirgger is not defined",
    });
    expect((await failureOf({ body: "{{ $item.name }}" })).message).toMatch(/not defined/);
  });
});

describe("failures", () => {
  test("report the field, the expression, the position and the reason", async () => {
    const failure = await failureOf({ body: { deep: ["x {{ $trigger.body.no.deeper }}"] } });
    expect(failure).toBeInstanceOf(ExpressionFailure);
    expect(failure).toMatchObject({ code: "EXPRESSION_FAILED", field: "body.deep[0]" });
    expect(failure.message).toBe(
      'body.deep[0]: `$trigger.body.no.deeper` failed at position 17: cannot read property "deeper" of undefined ($trigger.body.no is undefined)',
    );
    expect((failure as ExpressionFailure).details()).toEqual({ expression: "$trigger.body.no.deeper", position: 17 });
  });

  test("an expression that cannot be parsed fails before the sandbox is called", async () => {
    expect(await failureOf({ body: "{{ 1 + }}", status: "{{ no() }}" })).toMatchObject({
      code: "INVALID_EXPRESSION",
      field: "body",
      message: expect.stringMatching(/^body: not a valid expression: unexpected token \(at \d+\)$/),
    });
  });

  test("a long expression is shortened in messages", async () => {
    const failure = await failureOf({ body: `{{ nope(${"1,".repeat(500)}1) }}` });
    expect(failure.message).toMatch(/^body: `nope\(.{195}…` failed/);
    expect((failure as ExpressionFailure).expression.length).toBeGreaterThan(1_000);
  });
});
