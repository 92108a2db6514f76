// Attacks on evaluation in the server: it either gives the sandbox's result or leaves the expression to the sandbox.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { readHere } from "#lib/expressions/expressions.ts";
import { ExpressionSyntaxError, readProgram } from "#lib/expressions/read-expression.ts";
import { attacks } from "./testing/attacks.ts";
import { oneChild, valueFrom } from "./testing/evaluate.ts";
import { scopeOver } from "./testing/here.ts";

const sandbox = oneChild();
afterAll(() => sandbox.close());

const data = `{
  "own": {"__proto__": {"polluted": 1}, "constructor": "own", "toString": "text", "valueOf": 1, "hasOwnProperty": 2},
  "list": [1, "two", null, [3], {"a": 4}],
  "text": "a\\u0000b\\ud83d\\ude00\\ud800",
  "numbers": [0, -0, 1e308, -1e308, 5e-324, 9007199254740993, 0.1],
  "long": ${JSON.stringify("x".repeat(4_000))},
  "empty": "",
  "length": 7,
  "0": "zero",
  "-1": "minus one",
  "": {"": "nothing"},
  "then": true,
  "toJSON": "no function"
}`;
const scope = { $trigger: { body: JSON.parse(data) }, $vars: JSON.parse(data) };

/** The server's results without the sandbox, by both of its code paths. */
function here(text: string): string[] {
  let expression: ReturnType<typeof readProgram>;
  try {
    expression = readProgram(text);
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return [];
    throw error;
  }
  const found: string[] = [];
  for (const planned of [expression, { ...expression, path: null }]) {
    const { values, missing, error } = readHere([planned], scopeOver(scope));
    if (missing.length === 0 && error === null) found.push(JSON.stringify(values[0] ?? null));
  }
  return found;
}

/** Whether the server answered at all; if it did, the sandbox's answer is the same. */
async function isAnsweredAlike(text: string): Promise<boolean> {
  const answered = here(text);
  if (answered.length === 0) return false;
  const there = JSON.stringify(await valueFrom(sandbox, text, scope));
  for (const json of answered) expect(json, text).toBe(there);
  return true;
}

const payloads = JSON.parse(readFileSync("lib/sandbox/testdata/payloads.json", "utf8")) as { expr: string }[];

test("no payload gets a different answer in the server than in the sandbox", async () => {
  let answered = 0;
  for (const { expr } of payloads) if (await isAnsweredAlike(expr)) answered += 1;
  console.log(`${payloads.length} payloads; ${answered} of them are answered without the sandbox.`);
  expect(answered).toBeLessThan(payloads.length / 10);
});

test("nor do expressions that reach for prototypes, odd keys, odd numbers, odd text", async () => {
  let answered = 0;
  for (const attack of attacks) if (await isAnsweredAlike(attack)) answered += 1;
  console.log(`${attacks.length} attacks on what is evaluated in the server; ${answered} are answered there.`);
  expect(answered).toBeGreaterThan(40);
});

const key = fc.constantFrom(
  ...["'length'", "'__proto__'", "'constructor'", "'toString'", "0", "-1", "1.5", "'0'", "'-0'", "'01'", "''", "null"],
  ...["undefined", "true", "1e21", "'own'", "'list'", "'text'", "`then`", "'toJSON'", "$vars.empty", "$vars.length"],
);
const root = fc.constantFrom(
  "$trigger",
  "$trigger.body",
  "$vars",
  "$vars.own",
  "$vars.list",
  "$vars.text",
  "$vars.numbers",
);
const name = fc.constantFrom(
  "body",
  "own",
  "list",
  "__proto__",
  "constructor",
  "length",
  "polluted",
  "then",
  "nope",
  "a",
);
const member = fc
  .tuple(
    root,
    fc.array(
      fc.oneof(
        key.map((of) => `[${of}]`),
        key.map((of) => `?.[${of}]`),
        name.map((of) => `.${of}`),
        name.map((of) => `?.${of}`),
      ),
      { maxLength: 4 },
    ),
  )
  .map(([of, steps]) => of + steps.join(""));
const operator = fc.constantFrom(
  "+",
  "-",
  "*",
  "/",
  "%",
  "==",
  "!=",
  "===",
  "<",
  ">=",
  "&&",
  "||",
  "??",
  "in",
  "**",
  ",",
);
const put = fc.constantFrom<(value: string) => string>(
  (value) => value,
  (value) => `-${value}`,
  (value) => `typeof ${value}`,
  (value) => `\`<\${${value}}>\``,
  (value) => `({ a: ${value}, ...${value} })`,
  (value) => `[${value}, ${value}]`,
  (value) => `({ __proto__: ${value} })`,
  (value) => `({ "__proto__": 1, ["a"]: ${value} })`,
  (value) => `!${value} ? ${value} : [${value}]`,
);
const attack = fc.oneof(
  fc.tuple(put, member).map(([wrap, value]) => wrap(value)),
  fc.tuple(put, member, operator, member).map(([wrap, left, by, right]) => wrap(`((${left}) ${by} (${right}))`)),
);

test("nor does any random combination of these", async () => {
  let answered = 0;
  const alike = fc.asyncProperty(attack, async (text) => {
    if (await isAnsweredAlike(text)) answered += 1;
  });
  await fc.assert(alike, { numRuns: 4_000 });
  console.log(`4000 random attacks on what is evaluated in the server; ${answered} are answered there.`);
  expect(answered).toBeGreaterThan(500);
});
