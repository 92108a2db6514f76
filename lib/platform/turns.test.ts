import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { giveWayAfter, nextTurn, yieldTurn } from "./turns.ts";

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  await nextTurn();
});
afterEach(() => vi.useRealTimers());

/** Computes without a break for so long that others are due. */
const work = () => vi.advanceTimersByTime(30);

/** Counts the turns of the event loop until it is stopped. */
function countTurns(): () => number {
  let [turns, isOver] = [0, false];
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  return () => {
    isOver = true;
    return turns;
  };
}

test("long work yields to timers and sockets; short work continues at once", async () => {
  const turns = countTurns();
  for (let piece = 0; piece < 10; piece += 1) await yieldTurn();
  await giveWayAfter(1_000);
  expect(turns()).toBe(0);
  const others = countTurns();
  for (let piece = 0; piece < 10; piece += 1) {
    work();
    await yieldTurn();
    await giveWayAfter(1_000_000);
  }
  expect(others()).toBeGreaterThanOrEqual(10);
});

test("waiting callers resume in order, each in its own turn", async () => {
  const order: string[] = [];
  const piece = async (name: string) => {
    work();
    await yieldTurn();
    order.push(name);
    setImmediate(() => order.push(`after ${name}`));
  };
  await Promise.all(["a", "b", "c"].map(piece));
  expect(order.filter((entry) => !entry.startsWith("after"))).toEqual(["a", "b", "c"]);
  expect(order.indexOf("after a")).toBeLessThan(order.indexOf("c"));
});

test("however many requests come at once, no two of their pieces share a turn", async () => {
  const seen: number[] = [];
  let turn = 0;
  const count = () => {
    turn += 1;
    if (seen.length < 50) setImmediate(count);
  };
  setImmediate(count);
  const request = async () => {
    for (let piece = 0; piece < 5; piece += 1) {
      await nextTurn();
      seen.push(turn);
    }
  };
  await Promise.all(Array.from({ length: 10 }, request));
  expect(new Set(seen).size).toBe(50);
});
