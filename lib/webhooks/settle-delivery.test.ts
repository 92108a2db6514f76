import { expect, test } from "vitest";
import { nextAttemptAt } from "./settle-delivery.ts";

const now = new Date("2026-01-31T00:00:00Z");
const minutesLater = (failures: number, requestedMs?: number) => {
  const next = nextAttemptAt(failures, now, requestedMs);
  return next === null ? null : (next.getTime() - now.getTime()) / 60_000;
};

// Proves events.retries
test("retries come after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 14 h, and then no more", () => {
  expect([1, 2, 3, 4, 5, 6, 7].map((failures) => minutesLater(failures))).toEqual([5 / 60, 5, 30, 120, 300, 600, 840]);
  expect(minutesLater(8)).toBeNull();
});

test("a receiver may request more time, not less, up to a limit", () => {
  expect(minutesLater(1, 120_000)).toBe(2);
  expect(minutesLater(2, 1_000)).toBe(5);
  expect(minutesLater(1, 10 ** 12)).toBe(840);
  expect(minutesLater(8, 1_000)).toBeNull();
});
