// Evaluating expressions outside of a run.
import { describe, expect, it } from "vitest";
import { post } from "../support/api-client.ts";
import { createFlow, execute, transform } from "../support/flows.ts";
import { expectInvalid } from "../support/refusals.ts";

describe("POST /expressions/evaluate", () => {
  const evaluate = async (body: unknown) => (await post<Record<string, unknown>>("/expressions/evaluate", body)).data;

  // Proves expressions.evaluate
  it("200: the value and its type, with or without braces", async () => {
    const context = { trigger: { body: { total: 2 } }, vars: { tax: 0.5 }, nodes: { a: { output: { id: 7 } } } };
    expect(await evaluate({ expression: "{{ $trigger.body.total * $vars.tax }}", context })).toEqual({
      ok: true,
      value: 1,
      type: "number",
    });
    expect(await evaluate({ expression: "$nodes['a'].output.id", context })).toEqual({
      ok: true,
      value: 7,
      type: "number",
    });
    expect(await evaluate({ expression: "id {{ $nodes['a'].output.id }}", context })).toMatchObject({
      ok: true,
      value: "id 7",
      type: "string",
    });
  });

  it("200: over an execution's data", async () => {
    const { id } = await createFlow({ nodes: [transform("a", "({ seen: $trigger.body.x })")] });
    const { executionId } = await execute(id, { x: 41 });
    const expression = "$nodes['a'].output.seen + 1";
    expect(await evaluate({ expression, executionId })).toEqual({ ok: true, value: 42, type: "number" });
  });

  // Proves expressions.evaluate
  it("200: a failure says why and where", async () => {
    expect(await evaluate({ expression: "$trigger.body.a.b", context: { trigger: { body: {} } } })).toEqual({
      ok: false,
      error: { message: expect.stringMatching(/undefined/), position: expect.any(Number) },
    });
    expect(await evaluate({ expression: "{{ 1 + }}" })).toMatchObject({ ok: false });
  });

  // Proves expressions.evaluate
  it("200: JSON with its templates replaced, or which value failed and why", async () => {
    const context = { trigger: { body: { n: 2, who: "Ana" } } };
    const json = (value: unknown, more: object = {}) =>
      evaluate({ expression: JSON.stringify(value), field: "json", context, ...more });
    expect(await json({ a: "{{ $trigger.body.n }}", b: ['{{ $trigger.body.who }} "x"', 7], c: "\\{{ n }}" })).toEqual({
      ok: true,
      value: { a: 2, b: ['Ana "x"', 7], c: "{{ n }}" },
      type: "object",
    });
    expect(await json(["{{ $trigger.body.missing.name }}", { x: "{{ $input.id }}" }])).toEqual({
      ok: false,
      error: {
        message: "$input is not defined",
        position: expect.any(Number),
        path: "[1].x",
        undefinedName: "$input",
      },
    });
    expect(await json({ a: { b: "{{ 1 + }}" } })).toMatchObject({ ok: false, error: { path: "a.b" } });
    expect(await json("{{ 1 + 1 }}")).toEqual({ ok: true, value: 2, type: "number" });
  });

  it("200: JSON as a config, whose fields are read as in a run", async () => {
    const context = { trigger: { body: { n: 2 } } };
    const config = (type: string, value: unknown) =>
      evaluate({ expression: JSON.stringify(value), field: "json", type, context });
    expect(await config("if-else", { condition: "$trigger.body.n > 1", notes: "{{ $input }}" })).toEqual({
      ok: true,
      value: { condition: true, notes: "{{ $input }}" },
      type: "object",
    });
    expect(await config("transform", { transform: "$triger.body.n" })).toMatchObject({
      ok: false,
      error: { path: "transform", undefinedName: "$triger" },
    });
    // A body's fields are its own nodes'.
    const body = { nodes: [{ id: "a", type: "log", config: { message: "{{ $input }}" } }] };
    expect(await config("loop", { items: "{{ [1, 2] }}", body })).toMatchObject({ ok: true });
  });

  it.each([
    ["no JSON", '{"a": '],
    ["JSON that is nested too deeply", "[".repeat(30_000)],
    ["JSON that is nested too deeply", `${"[".repeat(65)}"{{ 1 }}"${"]".repeat(65)}`],
  ])("200: %s is reported as such", async (_, expression) => {
    const answer = await evaluate({ expression, field: "json" });
    expect(answer).toMatchObject({ ok: false, error: { message: expect.stringMatching(/^not valid JSON: /) } });
  });

  it("404 for a missing execution, 400 without an expression", async () => {
    const executionId = "exec_00000000000000000000000000";
    expect((await post("/expressions/evaluate", { expression: "1", executionId })).status).toBe(404);
    expectInvalid(await post("/expressions/evaluate", {}), "expression");
  });

  // Proves expressions.evaluate
  it.each([
    ["condition", "{{ $trigger.body.n }} > 5", false, "boolean"],
    ["condition", "$trigger.body.n > 1", true, "boolean"],
    ["condition", " {{ $trigger.body.n > 5 }}", false, "boolean"],
    ["template", "{{ $trigger.body.n }} > 5", "2 > 5", "string"],
    ["template", "{{ $trigger.body.n }}", 2, "number"],
    ["template", "$trigger.body.n > 1", "$trigger.body.n > 1", "string"],
    ["template", "\\{{ n }}", "{{ n }}", "string"],
    ["expression", "{{ $trigger.body.n }} > 5", "2 > 5", "string"],
    ["expression", "const twice = $trigger.body.n * 2; return twice", 4, "number"],
  ])("200: as a %s, %s comes to what it does in a run", async (field, expression, value, type) => {
    const context = { trigger: { body: { n: 2 } } };
    expect(await evaluate({ expression, field, context })).toEqual({ ok: true, value, type });
  });

  it("200: an unparsable condition is reported as such", async () => {
    expect(await evaluate({ expression: "total {{ 1 }} is", field: "condition" })).toEqual({
      ok: false,
      error: { message: expect.stringMatching(/a condition is one expression/), position: 0 },
    });
  });

  it("200: what every run has is there without any data, and at the start the previous node is the trigger", async () => {
    expect(await evaluate({ expression: "[$vars, $nodes, $trigger]" })).toMatchObject({
      value: [{}, {}, { body: {}, headers: {}, query: {} }],
    });
    const context = { trigger: { body: { n: 2 } } };
    expect(await evaluate({ expression: "[$node.output.n, $trigger.headers]", context })).toMatchObject({
      value: [2, {}],
    });
  });

  it("200: $node has the node's name", async () => {
    const { id } = await createFlow({ nodes: [{ ...transform("a", "7"), name: "Seven" }] });
    const { executionId } = await execute(id, {});
    expect(await evaluate({ expression: "[$node.name, $node.output]", executionId, before: "a" })).toMatchObject({
      value: ["Seven", 7],
    });
  });

  it.each(["$credentials.key", "$item.id", "$index", "$switch.case", "$resume['w']"])(
    "200: %s is reported as available in runs only",
    async (expression) => {
      expect(await evaluate({ expression })).toEqual({
        ok: false,
        error: { message: expect.stringMatching(/has a value in a run only/), position: null },
      });
    },
  );

  it("400 for another kind of field", async () => {
    expectInvalid(await post("/expressions/evaluate", { expression: "1", field: "code" }), "field");
  });
});
