import { afterEach, expect, test, vi } from "vitest";
import { OneAtATime, Poller } from "./one-at-a-time.ts";

afterEach(() => vi.useRealTimers());

test("work requested while it runs is done once more, not twice", async () => {
  const ends: (() => void)[] = [];
  const work = new OneAtATime(() => new Promise((resolve) => ends.push(resolve)));
  work.request();
  work.request();
  work.request();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.();
  await new Promise((resolve) => setImmediate(resolve));
  expect(ends).toHaveLength(2);
});

test("a poller polls at every interval, never concurrently, and stops once its poll has finished", async () => {
  vi.useFakeTimers();
  const ends: (() => void)[] = [];
  const poller = new Poller(100, "It failed", () => new Promise<void>((resolve) => ends.push(resolve))).start();
  expect(ends).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(350);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(100);
  expect(ends).toHaveLength(2);
  let isStopped = false;
  const stopped = poller.stop().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(500);
  expect([ends.length, isStopped]).toEqual([2, false]);
  ends[1]?.();
  await stopped;
});

test("a failed poll is logged, unless the database was unavailable, and does not end the polling", async () => {
  vi.useFakeTimers();
  const errors = [new Error("odd"), Object.assign(new Error("away"), { code: "ECONNREFUSED" })];
  const logged = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  let polls = 0;
  const poller = new Poller(100, "The house could not be kept", async () => {
    polls += 1;
    const error = errors.shift();
    if (error !== undefined) throw error;
  }).start();
  await vi.advanceTimersByTimeAsync(300);
  await poller.stop();
  const lines = logged.mock.calls.map(([text]) => String(text));
  logged.mockRestore();
  expect(polls).toBe(3);
  expect(lines.filter((text) => text.includes("The house could not be kept"))).toHaveLength(1);
});
