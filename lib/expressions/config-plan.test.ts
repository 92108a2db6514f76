import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "#lib/engine/json.ts";
import { type FieldKind, fillConfig, planConfig } from "./config-plan.ts";

const allTemplates = (): FieldKind => "template";
const plan = (config: object, kindOf: (path: readonly (string | number)[]) => FieldKind = allTemplates) =>
  planConfig(config as JsonObject, kindOf);

/** Plans a config and fills it with each expression's value, by its source. */
function filled(config: object, values: Record<string, unknown>) {
  const made = plan(config);
  expect(made.problems).toEqual([]);
  return fillConfig(
    made,
    made.expressions.map(({ expression }) => values[expression.source]),
  );
}

describe("filling", () => {
  test("a string that is one expression keeps the value's type", () => {
    const values = { a: { b: [1] }, n: 3, t: true, u: undefined, x: null };
    expect(filled({ a: "{{ a }}", n: "{{n}}", t: "{{ t }}", u: "{{ u }}", x: "{{ x }}" }, values)).toEqual(values);
  });

  test("in text, objects are JSON, null and undefined are empty, and other values are as JavaScript prints them", () => {
    const text = "{{ o }}|{{ a }}|{{ n }}|{{ u }}|{{ x }}|{{ t }}|{{ s }}";
    const values = { o: { a: 1 }, a: [1, "b"], n: 1e21, x: null, t: false, s: '"' };
    expect(filled({ text }, values).text).toBe('{"a":1}|[1,"b"]|1e+21|||false|"');
  });

  test("templates are found at any depth, and everything else is unchanged", () => {
    const config = {
      a: [{ b: "{{ one }}", c: "plain" }, 2, null, "{{ two }}"],
      d: { e: { f: "x{{ one }}" } },
      g: true,
    };
    expect(filled(config, { one: 1, two: [2] })).toEqual({
      a: [{ b: 1, c: "plain" }, 2, null, [2]],
      d: { e: { f: "x1" } },
      g: true,
    });
  });

  test("data is never evaluated: braces in a value stay text", () => {
    expect(filled({ a: "{{ v }}", b: "x {{ v }}" }, { v: "{{ 1 + 1 }}" })).toEqual({
      a: "{{ 1 + 1 }}",
      b: "x {{ 1 + 1 }}",
    });
  });

  // Proves expressions.literal
  test("an escaped brace is text, even on its own", () => {
    expect(filled({ a: "\\{{ a }}" }, {})).toEqual({ a: "{{ a }}" });
  });

  test("keys are data, whatever their names, and the plan's own config is not changed", () => {
    const config = JSON.parse('{"__proto__": "{{ a }}", "constructor": {"__proto__": "{{ a }}"}}') as JsonObject;
    const before = JSON.stringify(config);
    const result = filled(config, { a: 1 });
    expect(JSON.stringify(result)).toBe('{"__proto__":1,"constructor":{"__proto__":1}}');
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(JSON.stringify(config)).toBe(before);
  });

  test("a config without templates is returned as it is", () => {
    const property = fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (config) => {
      fc.pre(!JSON.stringify(config).includes("{{"));
      expect(filled(config, {})).toEqual(config);
    });
    fc.assert(property, { numRuns: 200 });
  });
});

describe("how a string is read", () => {
  const kinds: Record<string, FieldKind> = { when: "expression", code: "code", notes: "plain" };
  const kindOf = (path: readonly (string | number)[]) => kinds[String(path.at(-1))] ?? "template";

  test("an expression field is a program; code and plain text are not evaluated", () => {
    const config = { when: "$a.b > 1", code: "return '{{ x }}'", notes: "{{ not read", other: "a" };
    const made = plan(config, kindOf);
    expect(made.slots.map(({ path }) => path)).toEqual(["when"]);
    expect(made.problems).toEqual([]);
    expect(fillConfig(made, [true])).toEqual({ ...config, when: true });
  });

  test("all problems are reported at once, each with its path and position, and code is parsed for them", () => {
    const config = { when: "$a.", code: "return (", list: [{ x: "ok {{ 1 +" }], notes: "{{" };
    expect(plan(config, kindOf).problems.map(({ path, position }) => [path, position])).toEqual([
      ["when", 3],
      ["code", 8],
      ["list[0].x", 9],
    ]);
  });

  test("expressions are in the order in which their values are needed", () => {
    const made = plan({ a: "{{ 1 }}{{ 2 }}", b: { c: ["{{ 3 }}"] } });
    expect(made.expressions.map(({ slot, expression }) => [slot.path, expression.source])).toEqual([
      ["a", "1"],
      ["a", "2"],
      ["b.c[0]", "3"],
    ]);
  });
});
