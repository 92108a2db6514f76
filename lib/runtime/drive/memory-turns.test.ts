import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MemoryTurns } from "./memory-turns.ts";

let isShort = true;
let turns: MemoryTurns;
const started: string[] = [];

beforeEach(() => {
  isShort = true;
  turns = new MemoryTurns(() => isShort);
  started.length = 0;
});
afterEach(() => void vi.useRealTimers());

const runOf = (bytes: number) =>
  ({
    sizes: { bytes: bytes - 5_000 },
    trigger: { json: "x".repeat(5_000) },
    stop: new AbortController(),
  }) as unknown as Run;
type Run = Parameters<MemoryTurns["concerns"]>[0];

/** Takes a turn; returns how to end it. */
function take(name: string, run = runOf(2_000_000)): () => Promise<void> {
  const work = Promise.withResolvers<void>();
  const taken = turns.take(run, () => {
    started.push(name);
    return work.promise;
  });
  return () => {
    work.resolve();
    return taken;
  };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

test("concern runs that keep 16 KiB, with what started them", () => {
  expect([16_383, 16_384].map((bytes) => turns.concerns(runOf(bytes)))).toEqual([false, true]);
});

test("are taken at once while there is memory", () => {
  isShort = false;
  take("a");
  take("b");
  expect(started).toEqual(["a", "b"]);
});

test("come one after the other while memory is short, the largest run first, also if the work fails", async () => {
  const failing = turns.take(runOf(2_000_000), async () => {
    await soon();
    throw new Error("no");
  });
  take("b");
  const c = take("c", runOf(3_000_000));
  expect(started).toEqual([]);
  await expect(failing).rejects.toThrow("no");
  await soon();
  expect(started).toEqual(["c"]);
  await c();
  await soon();
  expect(started).toEqual(["c", "b"]);
});

test("pass to a run's own next step before any other", async () => {
  const a = take("a");
  take("b", runOf(3_000_000));
  await a();
  const again = take("a again");
  await soon();
  expect(started).toEqual(["a", "a again"]);
  await again();
  await soon();
  expect(started).toEqual(["a", "a again", "b"]);
});

test("come two at a time once there is memory again", async () => {
  const a = take("a");
  for (const name of ["b", "c", "d"]) take(name);
  isShort = false;
  await a();
  await soon();
  expect(started).toEqual(["a", "b", "c"]);
});

test("are not waited for by a run that is stopped", async () => {
  const a = take("a");
  const [stopped, alreadyStopped] = [runOf(2_000_000), runOf(2_000_000)];
  const b = take("b", stopped);
  stopped.stop.abort();
  alreadyStopped.stop.abort();
  take("c", alreadyStopped);
  await soon();
  expect(started).toEqual(["a", "c", "b"]);
  const d = take("d");
  await a();
  await b();
  await soon();
  expect(started).not.toContain("d");
  void d;
});

test("come after a while even if none ends: a step may wait for a run that waits for its turn", async () => {
  vi.useFakeTimers();
  for (const name of ["a", "b", "c"]) take(name);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(started).toEqual(["a"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(started).toEqual(["a", "b"]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(started).toEqual(["a", "b", "c"]);
});

test("come to the run that has waited longest after a while, however large and busy the others are", async () => {
  vi.useFakeTimers();
  let endOfTurn = take("large", runOf(3_000_000));
  take("small");
  for (let second = 1; second < 5; second += 1) {
    const next = take("large", runOf(3_000_000));
    await vi.advanceTimersByTimeAsync(1_000);
    await endOfTurn();
    await vi.advanceTimersByTimeAsync(1);
    endOfTurn = next;
  }
  expect(started).toEqual(Array.from({ length: 5 }, () => "large"));
  take("large", runOf(3_000_000));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(started.at(-1)).toBe("small");
});
