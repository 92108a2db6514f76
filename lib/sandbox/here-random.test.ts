// Compares the server's results with the sandbox's on random expressions. `HERE_ROUNDS=40000 npm test -- unit
// lib/sandbox/here` runs more of them.
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { createSandbox } from "./sandbox.ts";
import { valueFrom } from "./testing/evaluate.ts";
import { scope, valueHere } from "./testing/here.ts";

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
    ...["$trigger.body.orders.filter((item) => item.note)", "$trigger.body.list.slice(1)", "[]", "[[1], [[2]]]"],
    ...["$trigger.body.orders.map((order) => order.note)", "($trigger.body.nope ?? $trigger.body.list)"],
    "[...$trigger.body.list, ...$trigger.body.orders]",
  );
  const method = fc.constantFrom(...["map", "filter", "find", "findIndex", "some", "every"]);
  const plain = fc.constantFrom(
    ...["slice", "join", "includes", "indexOf", "at", "startsWith", "endsWith", "substring", "charAt", "toFixed"],
  );
  const noArguments = fc.constantFrom(
    ...["trim", "trimStart", "trimEnd", "toUpperCase", "toLowerCase", "toString", "toFixed", "join", "slice", "at"],
  );
  const global = fc.constantFrom(
    ...["Math.round", "Math.floor", "Math.ceil", "Math.trunc", "Math.abs", "Math.min", "Math.max", "Array.isArray"],
    ...["Number.isInteger", "String", "Number", "Boolean"],
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
      fc.tuple(list, plain, tie("expression")).map(([of, called, given]) => `${of}.${called}(${given})`),
      fc
        .tuple(list, plain, tie("expression"), tie("expression"))
        .map(([of, called, left, right]) => `${of}.${called}(${left}, ${right})`),
      fc
        .tuple(tie("expression"), plain, tie("expression"))
        .map(([of, called, given]) => `(${of})?.${called}(${given})`),
      fc.tuple(tie("expression"), noArguments).map(([of, called]) => `(${of}).${called}()`),
      fc.tuple(global, tie("expression")).map(([called, given]) => `${called}(${given})`),
      tie("expression").map((key) => `$trigger.body.list?.[${key}]`),
      fc.tuple(global, tie("expression"), tie("expression")).map(([called, a, b]) => `${called}(${a}, ${b})`),
      fc.tuple(list, tie("inner")).map(([of, body]) => `${of}.filter(Boolean).map((item, index) => ${body})`),
      list.map((of) => `[...${of}, 1]`),
    ),
  }));

  test("on random expressions over the same data", { timeout: 300_000 }, async () => {
    let sure = 0;
    await fc.assert(
      fc.asyncProperty(expression, async (text) => {
        const own = here(text);
        if (own === "asks the sandbox" || own === "not for the server") return;
        sure += 1;
        expect(own).toEqual(await valueFrom(sandbox, text, scope));
        expect(JSON.stringify(own)).toBe(JSON.stringify(await valueFrom(sandbox, text, scope)));
      }),
      { numRuns: Number(process.env.HERE_ROUNDS ?? 3_000) },
    );
    console.log(`${sure} random expressions were evaluated both ways.`);
    expect(sure).toBeGreaterThan(300);
  });
});
