// What the server evaluates itself must be what the sandbox says, to the last bit.
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { readProgram } from "#lib/engine/expression.ts";
import { runSimple } from "#lib/engine/simple-program.ts";
import { createSandbox } from "./sandbox.ts";
import { valueFrom } from "./testing/evaluate.ts";

const sandbox = createSandbox({ children: 1 });
afterAll(() => sandbox.close());

const scope = {
  $trigger: {
    body: { n: 3, zero: 0, text: "abc", none: null, yes: true, list: [1, "b", null], deep: { "": 7, x: {} } },
  },
  $vars: {
    ...JSON.parse('{"limit": 2, "__proto__": {"a": 1}, "constructor": "own"}'),
    long: "a".repeat(30_000),
  },
};

/** The value as JSON has it, or that the sandbox has to be asked. */
function here(text: string): unknown {
  const { simple } = readProgram(text);
  if (simple === null) return "not simple";
  const found = runSimple(simple, (name) => scope[name as keyof typeof scope]);
  return found.kind === "unsure" ? "unsure" : JSON.parse(JSON.stringify(found.value ?? null));
}

describe("what only looks at data is evaluated in the server", () => {
  test.each<[string, unknown]>([
    ["$trigger.body.n > 2 && !$trigger.body.none", true],
    ["$trigger.body.n * 2 + 1", 7],
    ["'n is ' + $trigger.body.n", "n is 3"],
    ["`${$trigger.body.text}-${$trigger.body.none}`", "abc-null"],
    ["$trigger.body.text.length", 3],
    ["$trigger.body.nope?.deeper.still ?? 'none'", "none"],
    ["$trigger.body.list[$vars.limit - 1]", "b"],
    ["({ total: $trigger.body.n, gone: $trigger.body.nope, list: [$trigger.body.nope] })", { total: 3, list: [null] }],
    ["({ ...$trigger.body.deep, x: 1 })", { "": 7, x: 1 }],
    ["typeof $trigger.body.nope === 'undefined' ? 'no' : 'yes'", "no"],
    ["$vars.constructor", "own"],
    ["({ ...$vars }).limit", "not simple"],
    ["$trigger.body.n == '3'", true],
  ])("%s", async (text, value) => {
    expect(here(text)).toEqual(value);
    if (value !== "not simple") expect(await valueFrom(sandbox, text, scope)).toEqual(value);
  });
});

describe("everything else is left to the sandbox", () => {
  test.each([
    "$trigger.body.text.toUpperCase()",
    "(() => 1)()",
    "$trigger.body.n = 5",
    "new Date()",
    "/a/",
    "10n",
    "[...$trigger.body.text]",
    "({ __proto__: $trigger })",
    "({ [$trigger.body.text]: 1 })",
    "this",
    "globalThis",
    "delete $trigger.body",
    "$trigger.body.n, 1",
    "1e999",
    "'a' in $trigger",
  ])("%s is not simple", (text) => {
    expect(here(text)).toBe("not simple");
  });

  test.each([
    "$trigger.constructor",
    "$trigger.__proto__",
    "$trigger.body.nope.deeper",
    "$trigger.body.text.constructor",
    "$trigger.body.n.toFixed",
    "$trigger.body.list.map",
    "$trigger.body + ''",
    "$trigger.body.list == 1",
    "`${$trigger.body}`",
    "1 / $trigger.body.zero",
    "-$trigger.body.zero",
    "+'x'",
    "({ ...$trigger.body.text })",
    "$trigger.body.text[9]",
    "$trigger.body[null]",
  ])("%s is unsure", (text) => {
    expect(here(text)).toBe("unsure");
  });

  test("an expression without end is not simple, and does not exhaust the stack", () => {
    expect(here(`${"!".repeat(1_000)}1`)).toBe("not simple");
    expect(here(Array.from({ length: 300 }, () => "1").join(" + "))).toBe("not simple");
    const long = `'${"a".repeat(20_000)}'`;
    expect(here(`${long} + ${long} + ${long}`)).toHaveLength(60_000);
    expect(here("$vars.long + $vars.long + $vars.long")).toBe("unsure");
  });
});

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
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc
        .tuple(
          tie("expression"),
          fc.constantFrom("===", "!==", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "&&", "||"),
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
      tie("expression").map((key) => `$trigger.body.list?.[${key}]`),
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
      { numRuns: 3_000 },
    );
    expect(sure).toBeGreaterThan(500);
  });
});
