import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isoNow, nowMs, setClock } from "./clock.ts";
import { singleton } from "./singleton.ts";

const clock = singleton<{ zeroMs: number | undefined }>("clock", () => ({ zeroMs: undefined }));
beforeEach(() => vi.useFakeTimers({ toFake: ["Date", "performance"], now: 1_000_000 }));
afterEach(() => {
  vi.useRealTimers();
  clock.zeroMs = undefined;
});

test("is the machine's clock until the database's has been read", () => {
  expect(nowMs()).toBe(1_000_000);
});

test("follows the database's clock, whatever the machine's says", () => {
  const at = performance.now();
  setClock(5_000_000, at, at);
  vi.setSystemTime(0);
  expect(isoNow()).toBe(new Date(5_000_000).toISOString());
});

test("ignores a reading that it may agree with, and follows one that contradicts it", () => {
  const at = performance.now();
  setClock(5_000_000, at, at);
  setClock(5_000_040, at, at + 100);
  expect(nowMs()).toBe(5_000_000);
  setClock(5_000_040, at, at + 10);
  expect(nowMs()).toBe(5_000_035);
});
