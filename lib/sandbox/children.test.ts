import { existsSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createSandbox, type Sandbox, type SandboxOptions } from "./sandbox.ts";
import { errorOf, evaluate, valueFrom } from "./testing/evaluate.ts";

/** Loops inside the engine's own code, where no interrupt reaches it. */
const uninterruptible = "Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1)";
const quick = { cpuMs: 50 };

const open: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

function create(options: SandboxOptions = {}): Sandbox {
  const sandbox = createSandbox({ children: 1, hardKillMs: 200, ...options });
  open.push(sandbox);
  return sandbox;
}

/** Keeps a child busy until stopped. */
function occupy(sandbox: Sandbox, source: string) {
  const controller = new AbortController();
  const programs = [{ source, kind: "expression" as const }];
  const task = sandbox.run({ scope: {}, programs, limits: { cpuMs: 600_000 }, signal: controller.signal });
  return { abort: () => controller.abort(new Error("over")), rejected: expect(task).rejects.toThrow("over") };
}

/** Waits until a child is working: a child for a long task has to start first. */
const isRunning = (sandbox: Sandbox) => vi.waitFor(() => expect(sandbox.stats().running).toHaveLength(1), 30_000);

const isAlive = (pid: number) => existsSync(`/proc/${pid}/fd`);

describe("what cannot be interrupted is killed", () => {
  // Proves expressions.killed
  test("only the guilty task of a batch fails, and the others get their results", async () => {
    const sandbox = create();
    await valueFrom(sandbox, "1");
    const innocent = (index: number) => valueFrom(sandbox, `'innocent ' + ${index}`);
    const before = Array.from({ length: 10 }, (_, index) => innocent(index));
    const guilty = errorOf(sandbox, uninterruptible, quick);
    const after = Array.from({ length: 10 }, (_, index) => innocent(index + 10));
    expect(await guilty).toMatchObject({ kind: "limit", name: "KilledError" });
    const expected = Array.from({ length: 20 }, (_, index) => `innocent ${index}`);
    expect(await Promise.all([...before, ...after])).toEqual(expected);
    expect(sandbox.stats()).toMatchObject({ killed: 1, crashed: 0, quarantined: 1 });
  });

  test("every program of the killed task has the limit error", async () => {
    const programs = ["1", uninterruptible, "2"].map((source) => ({ source, kind: "expression" as const }));
    const { results } = await create().run({ scope: {}, programs, limits: quick });
    expect(results).toHaveLength(3);
    for (const result of results) expect(result).toMatchObject({ ok: false, error: { kind: "limit" } });
  });

  test("several guilty tasks at once are all killed, and the innocent ones between them succeed", async () => {
    const sandbox = create();
    const guilty = Array.from({ length: 3 }, (_, index) => errorOf(sandbox, `${uninterruptible} + ${index}`, quick));
    const innocent = Array.from({ length: 30 }, (_, index) => valueFrom(sandbox, `${index}`));
    expect(await Promise.all(innocent)).toEqual(Array.from({ length: 30 }, (_, index) => index));
    for (const error of await Promise.all(guilty)) expect(error.name).toBe("KilledError");
    expect(sandbox.stats().killed).toBe(3);
  });

  test("a source that was killed once delays nobody the next time", async () => {
    const sandbox = create();
    await errorOf(sandbox, uninterruptible, quick);
    const { abort, rejected } = occupy(sandbox, uninterruptible);
    for (let index = 0; index < 50; index++) expect(await valueFrom(sandbox, `${index}`)).toBe(index);
    await isRunning(sandbox);
    abort();
    await rejected;
  });

  test("only the guilty source of a task is remembered", async () => {
    const sandbox = create();
    const programs = ["'common'", uninterruptible].map((source) => ({ source, kind: "expression" as const }));
    await sandbox.run({ scope: {}, programs, limits: quick });
    expect(sandbox.stats().quarantined).toBe(1);
    const { abort, rejected } = occupy(sandbox, uninterruptible);
    expect(await valueFrom(sandbox, "'common'")).toBe("common");
    await isRunning(sandbox);
    abort();
    await rejected;
  });

  test("a task whose many sources take long to compile is not", async () => {
    const sandbox = create({ hardKillMs: 100 });
    const functions = Array.from({ length: 400 }, () => "() => 1").join(",");
    const programs = Array.from({ length: 400 }, (_, index) => ({
      source: `[${index}, ${functions}][0]`,
      kind: "expression" as const,
    }));
    // The second time, they are compiled to be kept.
    for (let time = 0; time < 2; time++) await sandbox.run({ scope: {}, programs, limits: quick });
    expect(sandbox.stats()).toMatchObject({ killed: 0, quarantined: 0 });
  });

  test("the replacement was started in advance", async () => {
    const sandbox = create();
    await valueFrom(sandbox, "1");
    const [first] = sandbox.stats().children;
    await vi.waitFor(() => expect(sandbox.stats().spareIsReady).toBe(true), 30_000);
    await errorOf(sandbox, uninterruptible, quick);
    expect(await valueFrom(sandbox, "2")).toBe(2);
    expect(sandbox.stats().children).not.toContain(first);
  });

  test("a long computation does not delay ordinary tasks", async () => {
    const sandbox = create();
    const { abort, rejected } = occupy(sandbox, "(() => { for (;;); })()");
    for (let index = 0; index < 50; index++) expect(await valueFrom(sandbox, `${index}`)).toBe(index);
    await isRunning(sandbox);
    abort();
    await rejected;
  });
});

describe("a child that dies", () => {
  test("loses no tasks: the next one evaluates them", async () => {
    const sandbox = create();
    await valueFrom(sandbox, "1");
    const [pid] = sandbox.stats().children;
    const answers = Array.from({ length: 40 }, (_, index) => valueFrom(sandbox, `${index}`));
    process.kill(pid ?? 0, "SIGKILL");
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 40 }, (_, index) => index));
  });

  test("twice during the same task makes that task fail, and no other", async () => {
    const sandbox = create();
    await valueFrom(sandbox, "1");
    const source = "(() => { const until = Date.now() + 5000; while (Date.now() < until); })()";
    const cursed = evaluate(sandbox, source, {}, { cpuMs: 900 });
    for (let death = 0; death < 2; death++) {
      const batches = sandbox.stats().batches;
      const busy = await vi.waitFor(() => {
        const { running } = sandbox.stats();
        expect(running).toHaveLength(1);
        return running[0] ?? 0;
      }, 10_000);
      process.kill(busy, "SIGKILL");
      await vi.waitFor(() => expect(sandbox.stats().running).not.toContain(busy), 30_000);
      expect(sandbox.stats().batches).toBeGreaterThanOrEqual(batches);
    }
    expect(await cursed).toMatchObject({ ok: false, error: { kind: "limit", name: "CrashError" } });
    expect(await valueFrom(sandbox, "3")).toBe(3);
  });

  test("is replaced without notice after its share of tasks", async () => {
    const sandbox = create({ recycleAfterTasks: 20 });
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => valueFrom(sandbox, `${index}`)));
    expect(answers).toEqual(Array.from({ length: 100 }, (_, index) => index));
    // A batch has up to 32 tasks, and a child that has had its share is replaced after it.
    expect(sandbox.stats().recycled).toBeGreaterThanOrEqual(2);
  });
});

describe("aborting", () => {
  test("an aborted task rejects with the reason, and its child is free for the next one", async () => {
    const sandbox = create({ hardKillMs: 60_000 });
    await valueFrom(sandbox, "1");
    const abort = new AbortController();
    const programs = [{ source: uninterruptible, kind: "expression" as const }];
    const given = sandbox.run({ scope: {}, programs, signal: abort.signal });
    const queued = sandbox.run({ scope: {}, programs, signal: abort.signal });
    const rejected = Promise.all([expect(given).rejects.toThrow("enough"), expect(queued).rejects.toThrow("enough")]);
    await isRunning(sandbox);
    abort.abort(new Error("enough"));
    await rejected;
    expect(await valueFrom(sandbox, "2")).toBe(2);
  });

  test("an already aborted signal starts nothing", async () => {
    const sandbox = create();
    await expect(sandbox.run({ scope: {}, programs: [], signal: AbortSignal.abort(new Error("no")) })).rejects.toThrow(
      "no",
    );
    expect(sandbox.stats().children).toEqual([]);
  });

  test("closing rejects tasks in progress and ends every child", async () => {
    const sandbox = create();
    await valueFrom(sandbox, "1");
    const { children } = sandbox.stats();
    expect(children).toHaveLength(1);
    const pending = sandbox.run({ scope: {}, programs: [{ source: uninterruptible, kind: "expression" }] });
    const rejected = expect(pending).rejects.toThrow("the sandbox is closed");
    await sandbox.close();
    await rejected;
    await expect(sandbox.run({ scope: {}, programs: [] })).rejects.toThrow("the sandbox is closed");
    expect(children.filter(isAlive)).toEqual([]);
  });
});

describe("a small sandbox", () => {
  test("uses one child, whatever has to be killed in between, and keeps none in reserve", async () => {
    const sandbox = create({ isSmall: true });
    const guilty = errorOf(sandbox, uninterruptible, quick);
    const patient = evaluate(sandbox, "'patient'", {}, { cpuMs: 60_000 });
    const innocent = Array.from({ length: 10 }, (_, index) => valueFrom(sandbox, `${index}`));
    const seen: number[] = [];
    const watch = setInterval(() => seen.push(sandbox.stats().children.length), 5);
    expect((await guilty).name).toBe("KilledError");
    expect(await patient).toMatchObject({ ok: true });
    expect(await Promise.all(innocent)).toEqual(Array.from({ length: 10 }, (_, index) => index));
    clearInterval(watch);
    expect(Math.max(...seen)).toBe(1);
    expect(sandbox.stats()).toMatchObject({ spareIsReady: false, killed: 1 });
  });
});
