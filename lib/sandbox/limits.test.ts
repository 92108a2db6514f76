import { afterAll, describe, expect, test } from "vitest";
import { errorOf, evaluate, oneChild, valueFrom } from "./testing/evaluate.ts";

const sandbox = oneChild();
afterAll(() => sandbox.close());

describe("CPU time", () => {
  test.each([
    "(() => { for (;;); })()",
    "(() => { while (1) { try { for (;;); } catch (e) {} } })()",
    "(() => { try { for (;;); } finally { for (;;); } })()",
    "+{valueOf() { for (;;); }}",
    "({toJSON() { for (;;); }})",
    "({get a() { for (;;); }})",
    "(() => { throw {get message() { for (;;); }} })()",
    "/^(a+)+$/.test('a'.repeat(35) + '!')",
    "1), (() => { for (;;); })(), (2",
  ])("ends %s", async (source) => {
    expect(await errorOf(sandbox, source, { cpuMs: 50 })).toMatchObject({ kind: "limit", name: "CpuLimitError" });
    expect(sandbox.stats().killed).toBe(0);
  });

  test("is the program's own: waiting, and what others used before, does not count", async () => {
    const busy = "(() => { let sum = 0; for (let i = 0; i < 15e4; i++) sum += i; return sum })()";
    const { results } = await sandbox.run({
      scope: {},
      programs: Array.from({ length: 20 }, () => ({ source: busy, kind: "expression" })),
      limits: { cpuMs: 200 },
    });
    expect(results.every((result) => result.ok)).toBe(true);
  });

  test("can be longer for a task", async () => {
    const source = "(() => { const until = Date.now() + 400; while (Date.now() < until); return 'done' })()";
    const result = await evaluate(sandbox, source, {}, { cpuMs: 10_000 });
    expect(result).toMatchObject({ ok: true, json: '"done"' });
  });
});

describe("a task with many programs", () => {
  const many = (source: string) => Array.from({ length: 200 }, () => ({ source, kind: "expression" as const }));
  const messages = async (source: string) => {
    const { results } = await sandbox.run({ scope: {}, programs: many(source), limits: { cpuMs: 50 } });
    return results.map((result) => (result.ok ? "ok" : result.error.message));
  };

  test("has four times the CPU time of one, and programs after that are not started", async () => {
    const failures = await messages("(() => { for (;;); })()");
    expect(failures.filter((message) => message === "it used more than 50 ms of CPU time")).toHaveLength(4);
    expect(failures.at(-1)).toBe("the expressions before it used more than 200 ms of CPU time together");
  });

  test("pays for reading its data again after each that was stopped", async () => {
    const scope = { $rows: JSON.stringify(Array.from({ length: 50_000 }, (_, id) => ({ id }))) };
    const limits = { cpuMs: 50, resultBytes: 4 };
    const { results } = await sandbox.run({ scope, programs: many("'too long'"), limits });
    expect(results.at(-1)).toMatchObject({ ok: false, error: { name: "CpuLimitError" } });
  });

  test("has eight times the result size of one", async () => {
    const failures = await messages("'x'.repeat(2 ** 20 - 2)");
    expect(failures.filter((message) => message === "ok").length).toBeLessThanOrEqual(9);
    expect(failures.at(-1)).toMatch(/together$/);
  });
});

describe("memory", () => {
  test.each([
    "'x'.repeat(1e8)",
    "new ArrayBuffer(5e7)",
    "(() => { let s = 'x'; for (;;) s += s + 'y'; })()",
    "new Array(1e7).fill(0)",
  ])("ends %s", async (source) => {
    const error = await errorOf(sandbox, source, { cpuMs: 5000 });
    expect(`${error.kind} ${error.name}`).toMatch(/^(limit MemoryLimitError|thrown RangeError)$/);
  });

  test("can be less for a task, even in small pieces", async () => {
    const program = "(() => { const a = []; for (let i = 0; i < 8e4; i++) a.push([i]); return a.length })()";
    expect(await valueFrom(sandbox, program)).toBe(8e4);
    expect(await errorOf(sandbox, program, { memoryBytes: 4e6 })).toMatchObject({ name: "MemoryLimitError" });
    expect(await valueFrom(sandbox, program)).toBe(8e4);
    expect(await valueFrom(sandbox, "new Uint8Array(8e6).length")).toBe(8e6);
    const error = await errorOf(sandbox, "new Uint8Array(8e6).length", { memoryBytes: 4e6 });
    expect(error).toMatchObject({ kind: "limit", name: "MemoryLimitError" });
  });

  test("data larger than the limit is refused before it is sent", async () => {
    const result = await evaluate(sandbox, "1", { $a: "x".repeat(2e6) }, { memoryBytes: 1e6 });
    expect(result).toMatchObject({ ok: false, error: { kind: "limit", name: "MemoryLimitError" } });
  });

  test("data that fits as text but not once parsed exceeds the limit too", async () => {
    const result = await evaluate(
      sandbox,
      "1",
      { $a: Array.from({ length: 1e6 }, () => ({ a: [] })) },
      { cpuMs: 5000 },
    );
    expect(result).toMatchObject({ ok: false, error: { kind: "limit", name: "MemoryLimitError" } });
  });

  test("a large scope is fine", async () => {
    expect(await valueFrom(sandbox, "$a.length", { $a: "é".repeat(1e6) })).toBe(1e6);
  });
});

describe("results", () => {
  test("may have a mebibyte as JSON, counted in bytes", async () => {
    expect(await errorOf(sandbox, "'x'.repeat(2 ** 20)")).toMatchObject({ kind: "limit", name: "ResultLimitError" });
    expect(await errorOf(sandbox, "'€'.repeat(4e5)")).toMatchObject({ kind: "limit", name: "ResultLimitError" });
    expect(await valueFrom(sandbox, "'x'.repeat(2 ** 20 - 2).length")).toBe(2 ** 20 - 2);
    expect(await valueFrom(sandbox, "'€'.repeat(3e5)")).toBe("€".repeat(3e5));
  });
});

describe("depth", () => {
  test.each([
    "(function f() { f() })()",
    "(() => { const o = {get a() { return this.a }}; return o.a })()",
    "JSON.parse('['.repeat(1e5) + ']'.repeat(1e5))",
    "eval('('.repeat(1e5) + '1' + ')'.repeat(1e5))",
    "new RegExp('('.repeat(5e4) + ')'.repeat(5e4))",
    `${"(".repeat(5000)}1${")".repeat(5000)}`,
    `${"[".repeat(5000)}1${"]".repeat(5000)}`,
    `${"!".repeat(50_000)}1`,
    `${"`${".repeat(5000)}1${"}`".repeat(5000)}`,
    "(() => { let a = []; for (let i = 0; i < 30_000; i++) a = [a]; return a })()",
  ])("too much of it is an error of the guest, %#", async (source) => {
    const result = await evaluate(sandbox, source, {}, { cpuMs: 2000 });
    expect(result.ok).toBe(false);
    expect(sandbox.stats()).toMatchObject({ killed: 0, crashed: 0 });
  });
});
