import { afterAll, describe, expect, test } from "vitest";
import type { SandboxProgram } from "./sandbox.ts";
import { evaluate, oneChild, valueFrom } from "./testing/evaluate.ts";

const sandbox = oneChild();
afterAll(() => sandbox.close());

/** Something that user code could change, and an expression that would see it. */
const traces: readonly [deed: string, probe: string, clean: unknown][] = [
  ["globalThis.leak = 1", "typeof leak", "undefined"],
  [
    "(0, eval)('var leak = 1; let other = 2; function made() {}')",
    "typeof leak + typeof other + typeof made",
    "undefinedundefinedundefined",
  ],
  ["Object.prototype.polluted = 1", "typeof ({}).polluted", "undefined"],
  ["Array.prototype.map = () => 'changed'", "[1].map(x => x)", [1]],
  ["Array.prototype[Symbol.iterator] = function* () { yield 'changed' }", "[...[1]]", [1]],
  ["Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({done: true})", "[...[1]]", [1]],
  [
    "Object.getPrototypeOf(function* () {}).prototype.next = () => ({value: 'changed', done: false})",
    "(function* () { yield 1 })().next().value",
    1,
  ],
  ["(JSON.stringify = () => '\"spoof\"', JSON.parse = () => ({}))", "JSON.parse(JSON.stringify({a: 1}))", { a: 1 }],
  ["Date.now = () => 5", "Date.now() > 1e12", true],
  ["Date.prototype.toISOString = () => 'changed'", "new Date(0)", "1970-01-01T00:00:00.000Z"],
  ["Math.max = () => 'changed'", "Math.max(1, 2)", 2],
  ["Function.prototype.call = () => 'changed'", "(() => 1).call()", 1],
  [
    "Error.prepareStackTrace = () => 'changed'",
    "typeof Error.prepareStackTrace + (new Error().stack === 'changed')",
    "undefinedfalse",
  ],
  ["Error.stackTraceLimit = 0", "Error.stackTraceLimit", 10],
  ["RegExp.prototype.exec = () => null", "/a/.test('a')", true],
  ["'abc'.replace(/(b)/, '$1')", "typeof RegExp.$1", "undefined"],
  [
    "(Object.freeze(Object.prototype), Object.freeze(globalThis))",
    "(globalThis.fresh = 1, Object.isFrozen(Object.prototype))",
    false,
  ],
  ["Symbol.for('shared').description", "Symbol.for('other').description", "other"],
  ["Promise.resolve().then(() => { globalThis.leak = 1 })", "typeof leak", "undefined"],
  ["new FinalizationRegistry(() => { globalThis.leak = 1 }).register({}, 1)", "typeof leak", "undefined"],
  ["delete globalThis.JSON", "typeof JSON", "object"],
  ["Object.defineProperty(Array.prototype, '0', {set() {}})", "[7].concat()", [7]],
  ["console.log = 5", "typeof console.log", "function"],
];

describe("nothing of a task remains in the next one", () => {
  test.each(traces)("%s", async (title, probe, clean) => {
    expect(await valueFrom(sandbox, `(${title}, 'done')`)).toBe("done");
    expect(await valueFrom(sandbox, probe)).toEqual(clean);
    expect(await valueFrom(sandbox, `(() => { ${title}; return 'done' })()`)).toBe("done");
    expect(await valueFrom(sandbox, probe)).toEqual(clean);
  });

  test.each([
    "(globalThis.leak = Object.prototype.polluted = 1, (() => { for (;;); })())",
    "(globalThis.leak = Object.prototype.polluted = 1, (() => { const all = []; for (;;) all.push({ all }); })())",
    "(globalThis.leak = Object.prototype.polluted = 1, (function f() { f(); })())",
  ])("also not of one that was ended half-way: %s", async (source) => {
    expect((await evaluate(sandbox, source, {}, { cpuMs: 500 })).ok).toBe(false);
    expect(await valueFrom(sandbox, "typeof leak + typeof ({}).polluted")).toBe("undefinedundefined");
    const { results } = await sandbox.run({
      scope: {},
      programs: ["(globalThis.leak = 1, (() => { for (;;); })())", "typeof leak"].map((text) => ({
        source: text,
        kind: "expression",
      })),
      limits: { cpuMs: 50 },
    });
    expect(results[1]).toMatchObject({ json: '"undefined"' });
  });

  test("state that a program attaches to its own text starts fresh each time", async () => {
    const counter = "((site) => (site.count = (site.count ?? 0) + 1))(((strings) => ({...strings}))`x`)";
    const sameTemplate =
      "((seen) => seen)((() => { const tag = (s) => s; const site = () => tag`x`; return site() === site() })())";
    const lastIndex = "(() => { const r = /a/g; r.test('aa'); return r.lastIndex })()";
    for (let round = 0; round < 5; round++) {
      expect(await valueFrom(sandbox, counter)).toBe(1);
      expect(await valueFrom(sandbox, sameTemplate)).toBe(true);
      expect(await valueFrom(sandbox, lastIndex)).toBe(1);
    }
  });

  test("a source that breaks out of its wrapper leaves nothing, however often it is compiled", async () => {
    for (let round = 0; round < 5; round++) {
      await evaluate(sandbox, "1),(globalThis.pwned=1),(() => 2");
      await evaluate(sandbox, "1),(globalThis.pwned=1),($a)=>(2", { $a: 1 });
      expect(await valueFrom(sandbox, "typeof pwned")).toBe("undefined");
    }
  });

  test("memory that one task filled is empty for the next one", async () => {
    const fill =
      "(() => { const all = []; for (let i = 0; i < 20; i++) all.push(new Uint8Array(1e6).fill(42)); return all.length })()";
    const read =
      "(() => { for (let i = 0; i < 20; i++) { if (new Uint8Array(1e6).some(Boolean)) return 'seen' } return 'empty' })()";
    expect(await valueFrom(sandbox, fill)).toBe(20);
    const result = await evaluate(sandbox, read, {}, { cpuMs: 5000 });
    expect(result).toMatchObject({ json: '"empty"' });
    expect(await valueFrom(sandbox, fill)).toBe(20);
    expect(await valueFrom(sandbox, "new Uint8Array(4e6).indexOf(42)")).toBe(-1);
  });

  test("random numbers differ from task to task", async () => {
    const drawn = await Promise.all(Array.from({ length: 50 }, () => valueFrom(sandbox, "Math.random()")));
    expect(new Set(drawn).size).toBe(50);
    for (const number of drawn) expect(number).toBeGreaterThanOrEqual(0);
    for (const number of drawn) expect(number).toBeLessThan(1);
  });

  test("two tenants in turn, a thousand times, each see only their own data", async () => {
    const source =
      "(() => { const before = globalThis.owner ?? 'nobody'; globalThis.owner = Object.prototype.owner = $trigger.who; return before + $trigger.who })()";
    const evaluateAs = async (who: string) => {
      const { results } = await sandbox.run({
        scope: { $trigger: JSON.stringify({ who }) },
        programs: [{ source, kind: "expression" }],
      });
      return results[0]?.ok ? JSON.parse(results[0].json) : results[0];
    };
    const tenants = Array.from({ length: 2000 }, (_, index) => (index % 2 === 0 ? "ada" : "bob"));
    const answers = await Promise.all(tenants.map(evaluateAs));
    expect(answers).toEqual(tenants.map((who) => `nobody${who}`));
  });

  test("a thousand different sources come and go, each with its own result", async () => {
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(
        Array.from({ length: 1500 }, (_, index) => valueFrom(sandbox, `${index} + $a`, { $a: 1 })),
      );
      expect(answers).toEqual(Array.from({ length: 1500 }, (_, index) => index + 1));
    }
    expect(sandbox.stats()).toMatchObject({ killed: 0, crashed: 0 });
  });
});

test("the programs of one task share its scope", async () => {
  const programs: SandboxProgram[] = [
    { source: "$a.push(2)", kind: "expression" },
    { source: "return $a", kind: "body" },
  ];
  const { results } = await sandbox.run({ scope: { $a: "[1]" }, programs });
  expect(results[1]).toEqual({ ok: true, json: "[1,2]", type: "array" });
});
