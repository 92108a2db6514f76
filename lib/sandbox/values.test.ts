import { afterAll, describe, expect, test } from "vitest";
import { errorOf, evaluate, evaluateBody, oneChild, valueFrom } from "./testing/evaluate.ts";

const sandbox = oneChild();
afterAll(() => sandbox.close());

describe("values cross as JSON", () => {
  test.each([
    ["1 + 1", "2", "number"],
    ["'a' + 'b'", '"ab"', "string"],
    ["true", "true", "boolean"],
    ["null", "null", "null"],
    ["undefined", "null", "undefined"],
    ["[1, undefined, null]", "[1,null,null]", "array"],
    ["({a: 1, b: undefined})", '{"a":1}', "object"],
    ["{a: 1}", '{"a":1}', "object"],
    ["NaN", "null", "null"],
    ["[Infinity, -0]", "[null,0]", "array"],
    ["new Date(0)", '"1970-01-01T00:00:00.000Z"', "string"],
    ["new Date(NaN)", "null", "null"],
    ["new Map([[1, 2]])", "{}", "object"],
    ["'a\\u0000b'", '"a\\u0000b"', "string"],
    ["'\\ud800'", '"\\ud800"', "string"],
    ["({toJSON() { return {made: 'here'} }})", '{"made":"here"}', "object"],
    ["({toJSON() {}})", "null", "undefined"],
    ["({get a() { return 5 }})", '{"a":5}', "object"],
    ["new Proxy({a: 1}, {})", '{"a":1}', "object"],
    ["({__proto__: {hidden: 1}, a: 1})", '{"a":1}', "object"],
  ])("%s is %s, %s", async (source, json, type) => {
    expect(await evaluate(sandbox, source)).toEqual({ ok: true, json, type });
  });

  test("the scope's names are plain data of the guest", async () => {
    const scope = {
      $trigger: { body: { name: "Ada", é𝒳: "\u2028" } },
      $vars: { limit: 3 },
      $nodes: { a: { output: [1] } },
    };
    expect(await valueFrom(sandbox, "$trigger.body.name + $vars.limit", scope)).toBe("Ada3");
    expect(await valueFrom(sandbox, "$trigger.body['é𝒳']", scope)).toBe("\u2028");
    expect(await valueFrom(sandbox, "$nodes['a'].output[0]", scope)).toBe(1);
    expect(await valueFrom(sandbox, "typeof $nodes['__proto__'].then", scope)).toBe("undefined");
    expect(await valueFrom(sandbox, "$nodes['constructor'] === Object", scope)).toBe(true);
  });

  test("a key named __proto__ in the data is an ordinary key", async () => {
    const { results } = await sandbox.run({
      scope: { $trigger: '{"__proto__":{"polluted":1}}' },
      programs: [
        { source: "Object.keys($trigger)", kind: "expression" },
        { source: "$trigger.polluted", kind: "expression" },
        { source: "$trigger", kind: "expression" },
      ],
    });
    expect(results).toEqual([
      { ok: true, json: '["__proto__"]', type: "array" },
      { ok: true, json: "null", type: "undefined" },
      { ok: true, json: '{"__proto__":{"polluted":1}}', type: "object" },
    ]);
  });

  test("data is never evaluated", async () => {
    expect(await valueFrom(sandbox, "$trigger.x", { $trigger: { x: "{{ 6*7 }}" } })).toBe("{{ 6*7 }}");
  });
});

describe("what JSON cannot represent is an error that names the type and the position", () => {
  test.each([
    ["() => 1", "a function cannot be stored as JSON"],
    ["({items: [1, 2, () => 1]})", "a function cannot be stored as JSON (at result.items[2])"],
    ["({'odd key': Symbol('x')})", 'a symbol cannot be stored as JSON (at result["odd key"])'],
    ["[10n]", "a BigInt cannot be stored as JSON (at result[0])"],
    ["(() => { const a = {}; a.b = {c: a}; return a })()", "a cycle cannot be stored as JSON (at result.b.c)"],
    ["Promise.resolve(1)", "expressions are synchronous: a promise cannot be stored as JSON"],
    ["({a: [(async () => 1)()]})", "expressions are synchronous: a promise cannot be stored as JSON (at result.a[0])"],
    ["({toJSON: () => () => 1})", "a function cannot be stored as JSON"],
    ["Symbol('x')", "a symbol cannot be stored as JSON"],
    ["(() => { class Kept { static a = 1 } return {Kept} })()", "a function cannot be stored as JSON (at result.Kept)"],
    ["({then() {}})", "a function cannot be stored as JSON (at result.then)"],
  ])("%s", async (source, message) => {
    expect(await errorOf(sandbox, source)).toMatchObject({ kind: "unserializable", message });
  });

  test("the same object twice is not a cycle", async () => {
    expect(await valueFrom(sandbox, "(() => { const a = {}; return [a, a] })()")).toEqual([{}, {}]);
  });
});

describe("a failing program says what failed and where", () => {
  test.each([
    ["1 +", "syntax", "SyntaxError", 3],
    ["$missing.a", "thrown", "ReferenceError", 0],
    ["1 +\n  ok.then(x)", "thrown", "ReferenceError", 6],
    ["[1].map(x => x.y.z)", "thrown", "TypeError", null],
    ["'abc' +\n (null).x", "thrown", "TypeError", null],
    ["return 1", "syntax", "SyntaxError", 0],
    ["let a = 1; a", "syntax", "SyntaxError", 0],
    ["", "syntax", "SyntaxError", null],
    ["1);globalThis.pwned=1;(2", "syntax", "SyntaxError", null],
    ["1),globalThis.pwned=1,(2", "syntax", "SyntaxError", null],
  ] as const)("%j", async (source, kind, name, position) => {
    const error = await errorOf(sandbox, source);
    expect(error).toMatchObject({ kind, name });
    if (position !== null) expect(error.position).toBe(position);
    else expect(error.position ?? 0).toBeLessThanOrEqual(source.length);
  });

  test.each([
    ["(() => { throw 'plain' })()", "Error", "plain"],
    ["(() => { throw {code: 7} })()", "Error", '{"code":7}'],
    ["(() => { throw undefined })()", "Error", "undefined"],
    ["(() => { class Odd extends Error { name = 'Odd' } throw new Odd('why') })()", "Odd", "why"],
    ["(() => { throw {get message() { throw 1 }} })()", "Error", "something was thrown that cannot be described"],
  ])("%s", async (source, name, message) => {
    expect(await errorOf(sandbox, source)).toMatchObject({ kind: "thrown", name, message });
  });

  test("a huge message is truncated", async () => {
    const error = await errorOf(sandbox, "(() => { throw new Error('x'.repeat(5e6)) })()");
    expect(error.message.length).toBeLessThan(3000);
  });

  test("the programs after a failing one still get their results", async () => {
    const sources = ["1", "$x.y", "(() => { for (;;); })()", "$a + 1"];
    const { results } = await sandbox.run({
      scope: { $a: "3" },
      programs: sources.map((source) => ({ source, kind: "expression" })),
      limits: { cpuMs: 50 },
    });
    expect(results.map((result) => (result.ok ? result.json : result.error.kind))).toEqual([
      "1",
      "thrown",
      "limit",
      "4",
    ]);
  });

  test("an invalid scope name is an error of every program", async () => {
    const answer = await sandbox.run({ scope: { "a=1,b": "1" }, programs: [{ source: "1", kind: "expression" }] });
    expect(answer.results[0]).toMatchObject({ ok: false, error: { kind: "syntax" } });
  });
});

describe("a body", () => {
  test("has statements, a return and the same scope", async () => {
    const { result } = await evaluateBody(sandbox, "const doubled = $a * 2; // twice\nreturn {doubled}", { $a: 4 });
    expect(result).toEqual({ ok: true, json: '{"doubled":8}', type: "object" });
  });

  test("cannot break out of its function", async () => {
    const { result } = await evaluateBody(sandbox, "return 1}); globalThis.pwned = 1; (function () {");
    expect(result).toMatchObject({ ok: false, error: { kind: "syntax" } });
  });

  test("is strict", async () => {
    const { result } = await evaluateBody(sandbox, "undeclared = 1; return 1");
    expect(result).toMatchObject({ ok: false, error: { kind: "thrown", name: "ReferenceError" } });
  });

  test("logs through console, in order and by level", async () => {
    const { logs } = await evaluateBody(
      sandbox,
      "console.log('a', {b: [1]}, null, undefined, 5n, () => 1); console.warn('w'); console.error(new TypeError('e')); console.debug(1)",
    );
    expect(logs).toEqual([
      { level: "info", message: 'a {"b":[1]} null undefined 5n [function anonymous]' },
      { level: "warning", message: "w" },
      { level: "error", message: "TypeError: e" },
      { level: "info", message: "1" },
    ]);
  });

  test("returns its logs even if it fails", async () => {
    const { result, logs } = await evaluateBody(sandbox, "console.log('before'); throw new Error('no')");
    expect(result.ok).toBe(false);
    expect(logs).toEqual([{ level: "info", message: "before" }]);
  });

  test.each([
    ["for (let i = 0; i < 1000; i++) console.log(i)", 200],
    ["for (let i = 0; i < 1000; i++) console.log('x'.repeat(20000))", 8],
  ])("cannot flood the log: %s", async (source, logged) => {
    const { logs } = await evaluateBody(sandbox, source);
    expect(logs.length).toBe(logged + 1);
    expect(logs.at(-1)).toEqual({ level: "warning", message: `${1000 - logged} further log messages were dropped` });
    for (const { message } of logs) expect(Buffer.byteLength(message)).toBeLessThan(8200);
  });
});
