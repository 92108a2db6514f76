import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type PathValue, readMemberPath } from "./expressions.ts";
import { readProgram } from "./read-expression.ts";

function read(text: string, root: unknown): PathValue {
  const { path } = readProgram(text);
  if (path === null) throw new Error(`${text} is no member path`);
  return readMemberPath(path, root);
}

const value = (found: unknown): PathValue => ({ kind: "value", value: found });
const root = { body: { items: [{ id: 1 }], text: "abc", none: null, zero: 0, "": "empty" } };

describe("data", () => {
  test.each<[string, unknown]>([
    ["$trigger", root],
    ["$trigger.body.items[0].id", 1],
    ["$trigger.body.items['0'].id", 1],
    ["$trigger.body.items.length", 1],
    ["$trigger.body.items[1]", undefined],
    ["$trigger.body.zero", 0],
    ["$trigger.body['']", "empty"],
    ["$trigger.body.none", null],
    ["$trigger.body.nope", undefined],
    ["$trigger.body.nope?.deeper.still", undefined],
    ["$trigger.body.none?.a", undefined],
  ])("%s", (text, found) => {
    expect(read(text, root)).toEqual(value(found));
  });

  test("reading a member of null or undefined is an error that says which part, and where", () => {
    expect(read("$trigger.body.nope.deeper", root)).toEqual({
      kind: "error",
      message: 'cannot read property "deeper" of undefined ($trigger.body.nope is undefined)',
      position: 19,
    });
    expect(read("$trigger.body.none['a']", root)).toMatchObject({
      kind: "error",
      message: 'cannot read property "a" of null ($trigger.body.none is null)',
    });
    expect(read("$item.name", undefined)).toMatchObject({ kind: "error", position: 6 });
  });
});

describe("members of a prototype are left to the sandbox", () => {
  test.each([
    "$trigger.constructor",
    "$trigger.__proto__",
    "$trigger.body.items.map",
    "$trigger.body.items.constructor",
    "$trigger.toString",
    "$trigger.hasOwnProperty",
    "$trigger.__defineGetter__",
    "$trigger.body.text.length",
    "$trigger.body.text[0]",
    "$trigger.body.zero.toFixed",
  ])("%s", (text) => {
    expect(read(text, root)).toEqual({ kind: "unsure" });
  });

  test("data under such a name is data", () => {
    const data = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "toString": null}');
    expect(read("$vars.__proto__.a", data)).toEqual(value(1));
    expect(read("$vars.constructor", data)).toEqual(value(2));
    expect(read("$vars.toString", data)).toEqual(value(null));
  });

  test("reads an object without a prototype like any other", () => {
    const bare = Object.assign(Object.create(null), { a: 1 });
    expect(read("$trigger.query.a", { query: bare })).toEqual(value(1));
    expect(read("$trigger.query.constructor", { query: bare })).toEqual({ kind: "unsure" });
  });
});

describe("random data", () => {
  const keys = fc.constantFrom("a", "b", "0", "length", "__proto__", "constructor", "toString", "a b");
  const data = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom<unknown>(null, 0, 1, "", "text", true),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.array(fc.tuple(keys, tie("value")), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
    ),
  })).value;
  const step = fc.tuple(fc.oneof(keys, fc.nat(2)), fc.boolean());

  test("a path gives JavaScript's result, or says that it is unsure", () => {
    let sure = 0;
    const property = fc.property(data, fc.array(step, { maxLength: 4 }), (found, steps) => {
      const path = steps.map(([key, optional]) => `${optional ? "?." : ""}[${JSON.stringify(key)}]`).join("");
      const copy = JSON.parse(JSON.stringify(found)) as unknown;
      const own = read(`$vars${path}`, copy);
      if (own.kind === "unsure") return;
      sure += 1;
      let expected: PathValue["kind"] | undefined;
      let result: unknown;
      try {
        result = new Function("$vars", `"use strict"; return $vars${path};`)(copy);
        expected = "value";
      } catch {
        expected = "error";
      }
      expect(own.kind).toBe(expected);
      if (own.kind === "value") expect(own.value).toBe(result);
    });
    fc.assert(property, { numRuns: 2_000 });
    expect(sure).toBeGreaterThan(500);
  });
});
