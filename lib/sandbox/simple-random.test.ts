// What the server evaluates itself is what the sandbox says, of expressions made at random.
// `SIMPLE_ROUNDS=40000 npm test -- unit lib/sandbox/simple` makes more of them.
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { createSandbox } from "./sandbox.ts";
import { valueFrom } from "./testing/evaluate.ts";
import { valueHere } from "./testing/simple-here.ts";
import { scope } from "./testing/simple-scope.ts";

const sandbox = createSandbox({ children: 1 });
afterAll(() => sandbox.close());

const here = (text: string) => valueHere(text, scope);

describe("the server and the sandbox agree", () => {
  const leaf = fc.constantFrom(
    "$trigger.body.n",
    "$trigger.body.zero",
    "$trigger.body.text",
    "$trigger.body.none",
    "$trigger.body.yes",
    "$trigger.body.nope",
    "$trigger.body.nope?.x.y",
    "$trigger.body.list[1]",
    "$trigger.body.list",
    "$trigger.body.deep",
    "$vars.limit",
    "$vars.__proto__",
    "undefined",
    "null",
    "'12'",
    "''",
    "2.5",
    "1e21",
    "false",
  );
  const list = fc.constantFrom(
    ...["$trigger.body.orders", "$trigger.body.list", "[$trigger.body.nope, 1, '2', null]", "$trigger.body.nope?.list"],
    ...[
      "Object.entries($trigger.body.deep)",
      "Object.keys($vars)",
      "$trigger.body.text.split('')",
      "[]",
      "[[1], [[2]]]",
    ],
    ...["$trigger.body.orders.map((order) => order.note)", "($trigger.body.nope ?? $trigger.body.list)"],
    "[...$trigger.body.list, ...$trigger.body.orders]",
  );
  const method = fc.constantFrom(...["map", "filter", "find", "findIndex", "findLast", "some", "every", "flatMap"]);
  const plain = fc.constantFrom(
    ...[
      "slice",
      "join",
      "includes",
      "indexOf",
      "at",
      "concat",
      "flat",
      "startsWith",
      "endsWith",
      "substring",
      "charAt",
      "charCodeAt",
      "codePointAt",
    ],
    ...["split", "padStart", "padEnd", "toFixed", "replaceAll"],
  );
  const noArguments = fc.constantFrom(
    ...["trim", "trimStart", "trimEnd", "toUpperCase", "toLowerCase", "toString", "toFixed", "join", "flat", "slice"],
    ...["toReversed", "at", "concat", "toSorted", "filter(Boolean).sort", "slice().reverse", "charCodeAt"],
  );
  const global = fc.constantFrom(
    ...["Math.round", "Math.floor", "Math.ceil", "Math.trunc", "Math.abs", "Math.min", "Math.max", "Object.keys"],
    ...["Object.values", "Object.entries", "Object.fromEntries", "Array.isArray", "Number.isInteger", "JSON.stringify"],
    ...["String", "Number", "Boolean", "Math.sign", "Math.sqrt", "Math.pow", "JSON.parse", "Object.assign"],
    ...["parseInt", "parseFloat", "isNaN", "isFinite", "Number.parseInt", "Number.isNaN", "Number.isFinite"],
    ...["encodeURIComponent", "decodeURIComponent", "encodeURI", "decodeURI"],
  );
  const { expression } = fc.letrec<{ expression: string; inner: string }>((tie) => ({
    inner: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom("item", "index", "item.id", "item.total", "item?.note", "item.length", "({ ...item, index })"),
      tie("expression"),
      fc
        .tuple(tie("inner"), fc.constantFrom("===", "!==", ">", "+", "*", "&&", "||", "??"), tie("inner"))
        .map(([left, operator, right]) => `((${left}) ${operator} (${right}))`.replaceAll("??", "||")),
    ),
    expression: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc
        .tuple(
          tie("expression"),
          fc.constantFrom(
            ...["===", "!==", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "&&", "||", "in"],
          ),
          tie("expression"),
        )
        .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      fc.tuple(tie("expression"), tie("expression")).map(([left, right]) => `((${left}) ?? (${right}))`),
      fc
        .tuple(fc.constantFrom("!", "-", "+", "typeof "), tie("expression"))
        .map(([operator, value]) => `(${operator}(${value}))`),
      fc
        .tuple(tie("expression"), tie("expression"), tie("expression"))
        .map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
      tie("expression").map((value) => `\`<\${${value}}>\``),
      fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `[${a}, ${b}]`),
      fc
        .tuple(tie("expression"), tie("expression"))
        .map(([a, b]) => `({ a: ${a}, ...$trigger.body.deep, "b c": ${b}, a: ${a}, 1: ${b} })`),
      tie("expression").map((key) => `$trigger.body[${key}]`),
      tie("expression").map((key) => `({ [${key}]: ${key} })`),
      fc.tuple(list, method, tie("inner")).map(([of, called, body]) => `${of}.${called}((item, index) => ${body})`),
      fc.tuple(list, tie("inner")).map(([of, body]) => `${of}.map(({ id, total: t }) => [id, t, ${body}])`),
      fc.tuple(list, tie("inner")).map(([of, body]) => `${of}.reduce((item, index) => ${body}, 0)`),
      fc.tuple(list, tie("inner")).map(([of, body]) => `${of}.reduce((index, item) => ${body})`),
      fc.tuple(list, plain, tie("expression")).map(([of, called, given]) => `${of}.${called}(${given})`),
      fc
        .tuple(list, plain, tie("expression"), tie("expression"))
        .map(([of, called, one, other]) => `${of}.${called}(${one}, ${other})`),
      fc
        .tuple(tie("expression"), plain, tie("expression"))
        .map(([of, called, given]) => `(${of})?.${called}(${given})`),
      fc.tuple(tie("expression"), noArguments).map(([of, called]) => `(${of}).${called}()`),
      fc.tuple(global, tie("expression")).map(([called, given]) => `${called}(${given})`),
      fc.tuple(global, list).map(([called, given]) => `${called}(...${given})`),
      fc.tuple(tie("expression"), fc.constantFrom("2", "'3'", "$trigger.body.n")).map(([a, b]) => `((${a}) ** ${b})`),
      tie("expression").map((key) => `$trigger.body.list?.[${key}]`),
      tie("expression").map((value) => `JSON.parse(JSON.stringify(${value}))`),
      fc
        .tuple(tie("expression"), tie("expression"))
        .map(([a, b]) => `Object.assign({ a: ${a}, n: 1 }, ${b}, { b: ${a} })`),
      list.map((of) => `[...new Set(${of}), new Set(${of}).size]`),
      fc.tuple(list, tie("inner")).map(([of, body]) => `${of}.map((item, index) => ${body}).sort()`),
    ),
  }));

  test("on random expressions over the same data", async () => {
    let sure = 0;
    await fc.assert(
      fc.asyncProperty(expression, async (text) => {
        const own = here(text);
        if (own === "unsure" || own === "not simple") return;
        sure += 1;
        expect(own).toEqual(await valueFrom(sandbox, text, scope));
        expect(JSON.stringify(own)).toBe(JSON.stringify(await valueFrom(sandbox, text, scope)));
      }),
      { numRuns: Number(process.env.SIMPLE_ROUNDS ?? 3_000) },
    );
    console.log(`${sure} random expressions were evaluated both ways.`);
    expect(sure).toBeGreaterThan(500);
  });
});
