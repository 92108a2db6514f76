// Bodies of functions that only name things and choose are evaluated in the server as in the sandbox.
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { createSandbox } from "./sandbox.ts";
import { valueHere, valueOfBody } from "./testing/simple-here.ts";

const sandbox = createSandbox({ children: 1 });
afterAll(() => sandbox.close());

const scope = {
  $vars: { n: 3, text: "abc", none: null, list: [1, 2, 3], user: { name: "Ada", roles: ["admin"] }, day: "2024-02-29" },
};

describe("constants, choices and a return are evaluated in the server", () => {
  test.each<[string, unknown]>([
    ["const { name, roles: [first] } = $vars.user; return name;", "not simple"],
    ["const { name, roles } = $vars.user; return `${name}: ${roles.join()}`;", "Ada: admin"],
    ["const [first, second] = $vars.list, sum = first + second; return sum;", 3],
    ["let n = $vars.n; if (n > 2) { const n = 'many'; return n; } return n;", "many"],
    ["if ($vars.n > 5) return 'many'; else if ($vars.n > 2) return 'some'; return 'few';", "some"],
    ["if ($vars.none) { return 1; }; return;", null],
    ["if ($vars.none) return 1", null],
    ["const day = new Date($vars.day); return day.toISOString().slice(0, day.getUTCMonth());", "2"],
    ["const a = new Date($vars.day), b = new Date(a); return b - a;", 0],
    [
      "return $vars.list.map((item) => { const twice = item * 2; if (twice > 4) return 'much'; return twice; });",
      [2, 4, "much"],
    ],
    ["return $vars.list.map((item) => { if (item > 2) return item; });", [null, null, 3]],
    [
      "const list = $vars.list.filter((n) => n > 1); const all = [list, list]; return all;",
      [
        [2, 3],
        [2, 3],
      ],
    ],
    ["const gone = { a: undefined, b: 1 }; return [Object.keys(gone).length, gone];", [2, { b: 1 }]],
  ])("%s", async (text, value) => {
    expect(valueHere(text, scope)).toEqual(value);
    if (value !== "not simple") expect(await valueOfBody(sandbox, text, scope)).toEqual(value);
  });
});

describe("what is assigned, done again, or not there yet is left to the sandbox", () => {
  test.each([
    "let n = 1; n = 2; return n;",
    "let n = 1; n++; return n;",
    "let n; return n;",
    "var n = 1; return n;",
    "for (const n of $vars.list) return n;",
    "while (true) return 1;",
    "try { return 1; } catch { return 2; }",
    "throw new Error('x'); return 1;",
    "switch ($vars.n) { case 3: return 1; }",
    "console.log(1); return 1;",
    "'use strict'; return 1;",
    "function f() { return 1; } return f();",
    "const f = (n) => n; return f(1);",
    "const n = n + 1; return n;",
    "const a = b; const b = 1; return a;",
    "const n = 1; if (true) { const m = n; const n = 2; return m; }",
    "const a = $vars.list.map(() => b), b = 1; return a;",
    "const { } = $vars.none; return 1;",
    "const { a = 1 } = $vars; return a;",
    "const { ...rest } = $vars; return rest;",
    "const $vars = 1; return $vars;",
    "const Object = 1; return Object;",
    "const day = new Date($vars.day); return day;",
    "const day = new Date($vars.day); return `${day}`;",
    "const day = new Date($vars.day); return { day };",
    "const list = [2, 1]; return list.sort();",
    "const list = $vars.list; return list.reverse();",
    "const self = this; return self;",
    "const eval = 1; return eval;",
    "label: { return 1; }",
    "if ($vars.n) function f() { return 1; } return 2;",
  ])("%s", (text) => {
    expect(valueHere(text, scope)).toBe("not simple");
  });

  test.each([
    "const { x } = $vars.none; return 1;",
    "const [x] = $vars.user; return x;",
    "const x = $vars.user.nope.deeper; return 1;",
    `const a = [1, 2]; ${doubled(20)} return a20;`,
    `const a = [1, 2]; ${doubled(20)} return JSON.stringify(a20).length;`,
    `const a = 'abcdefgh'; ${doubled(20).replaceAll(/\[(\w+), \w+\]/g, "$1 + $1")} return a20.length;`,
  ])("%s is unsure", (text) => {
    expect(valueHere(text, scope)).toBe("unsure");
  });

  test("blocks nested without end are not simple, and do not exhaust the stack", () => {
    expect(valueHere(`${"{".repeat(500)} return 1; ${"}".repeat(500)}`, scope)).toBe("not simple");
    expect(valueHere(`${"if ($vars.n) ".repeat(500)} return 1;`, scope)).toBe("not simple");
    expect(
      valueHere(`const a = 1; ${Array.from({ length: 300 }, (_, n) => `const b${n} = a;`).join("")} return a;`, scope),
    ).toBe("not simple");
  });
});

/** Constants of which each holds the one before it twice. */
function doubled(times: number): string {
  const before = (index: number) => (index === 0 ? "a" : `a${index}`);
  return Array.from(
    { length: times },
    (_, index) => `const a${index + 1} = [${before(index)}, ${before(index)}];`,
  ).join(" ");
}

describe("the server and the sandbox agree", () => {
  const name = fc.constantFrom("a", "b", "c", "n");
  const newName = fc.constantFrom("a", "d", "e", "f", "g", "h");
  const { value, block } = fc.letrec<{ value: string; statement: string; block: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      name,
      fc.constantFrom("$vars.n", "$vars.text", "$vars.list", "$vars.user", "$vars.none", "$vars.nope", "1", "''", "[]"),
      fc.constantFrom("new Date($vars.day)", "undefined", "n", "n", "n"),
      fc
        .tuple(name, fc.constantFrom("+", "-", "===", "<", "&&", "||"), tie("value"))
        .map((all) => `(${all.join(" ")})`),
      fc.tuple(tie("value"), tie("value")).map(([one, other]) => `({ a: ${one}, b: ${other} })`),
      fc.tuple(tie("value"), tie("value")).map(([one, other]) => `[${one}, ${other}]`),
      fc.tuple(name, fc.constantFrom("?.length", "?.a", "?.name", ".getTime()")).map((all) => all.join("")),
      tie("block").map((body) => `$vars.list.map((n) => { ${body} })`),
      tie("block").map((body) => `$vars.list.filter((n, b) => { ${body} }).length`),
    ),
    statement: fc.oneof(
      { maxDepth: 4 },
      tie("value").map((of) => `return ${of};`),
      fc
        .tuple(fc.constantFrom("const", "let"), newName, tie("value"))
        .map(([kind, of, is]) => `${kind} ${of} = ${is};`),
      fc.tuple(newName, name).map(([of, is]) => `const { ${of}, name: l${of} } = ${is};`),
      newName.map((of) => `const [${of}] = c;`),
      fc.tuple(tie("value"), tie("block")).map(([test, body]) => `if (${test}) { ${body} }`),
      fc
        .tuple(tie("value"), tie("block"), tie("value"))
        .map(([test, body, no]) => `if (${test}) { ${body} } else return ${no};`),
      tie("block").map((body) => `{ ${body} }`),
    ),
    block: fc.array(tie("statement"), { minLength: 1, maxLength: 3 }).map((all) => all.join(" ")),
  }));

  test("on random bodies", async () => {
    let sure = 0;
    const body = fc
      .tuple(block, value)
      .map(([first, last]) => `const a = $vars.n, b = $vars.user, c = $vars.list, n = 2; { ${first} } return ${last};`);
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const own = readHere(text);
        if (own === "unsure" || own === "not simple") return;
        sure += 1;
        expect(JSON.stringify(own)).toBe(JSON.stringify(await valueOfBody(sandbox, text, scope)));
      }),
      { numRuns: Number(process.env.SIMPLE_ROUNDS ?? 3_000) },
    );
    console.log(`${sure} random bodies were evaluated both ways.`);
    expect(sure).toBeGreaterThan(500);
  });
});

/** Two of a name in one block are a mistake that is found while reading. */
function readHere(text: string): unknown {
  try {
    return valueHere(text, scope);
  } catch {
    return "not simple";
  }
}
