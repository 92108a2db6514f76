import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { inLargeSlot, nextTurn, yieldAfter, yieldTurn } from "./turns.ts";

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  await nextTurn();
});
afterEach(() => vi.useRealTimers());

/** Computes without a break for longer than a turn. */
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
  for (let index = 0; index < 10; index += 1) await yieldTurn();
  await yieldAfter(1_000);
  expect(turns()).toBe(0);
  const others = countTurns();
  for (let index = 0; index < 10; index += 1) {
    work();
    await yieldTurn();
    await yieldAfter(1_000_000);
  }
  expect(others()).toBeGreaterThanOrEqual(10);
});

test("waiting callers resume in order, each in its own turn", async () => {
  const order: string[] = [];
  const index = async (name: string) => {
    work();
    await yieldTurn();
    order.push(name);
    setImmediate(() => order.push(`after ${name}`));
  };
  await Promise.all(["a", "b", "c"].map(index));
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
    for (let index = 0; index < 5; index += 1) {
      await nextTurn();
      seen.push(turn);
    }
  };
  await Promise.all(Array.from({ length: 10 }, request));
  expect(new Set(seen).size).toBe(50);
});

test("at most two pieces of large work run at once, smallest first, and none starves", async () => {
  const order: number[] = [];
  let [running, max] = [0, 0];
  const large = (size: number) =>
    inLargeSlot(size, async () => {
      order.push(size);
      running += 1;
      max = Math.max(max, running);
      await nextTurn();
      running -= 1;
    });
  const sizes = [9, 8, 100, 7, 6, 5, 4, 3, 2, 1];
  await Promise.all(sizes.map(large));
  expect(max).toBe(2);
  expect(order.slice(0, 4)).toEqual([9, 8, 1, 2]);
  expect(order.indexOf(100)).toBeLessThan(sizes.length - 1);
  expect(order.toSorted()).toEqual(sizes.toSorted());
});

test("large work that fails makes room for the next", async () => {
  const refused = Array.from({ length: 5 }, () => inLargeSlot(1, () => Promise.reject(new Error("no"))));
  expect((await Promise.allSettled(refused)).map(({ status }) => status)).toEqual(Array(5).fill("rejected"));
  expect(await inLargeSlot(1, async () => "made")).toBe("made");
});
