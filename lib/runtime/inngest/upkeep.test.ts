import { expect, test } from "vitest";
import { keepUp } from "./upkeep.ts";

/** Inngest's tools, with steps and sleeps that resolve immediately. */
function tools() {
  const [ids, sleeps]: [string[], number[]] = [[], []];
  const made = {
    run: async (step: { id: string }, work: () => Promise<unknown>) => {
      ids.push(step.id);
      return await work();
    },
    sleep: async (step: { id: string }, ms: number) => {
      ids.push(step.id);
      sleeps.push(ms);
    },
  };
  return { made: made as unknown as Parameters<typeof keepUp>[0], ids, sleeps };
}

/** Consecutive polls that find the next item due in this many milliseconds. */
function dueTimes(...due: (number | null)[]): () => Promise<number | null> {
  return async () => due.shift() ?? null;
}

test("work that is due later is slept for, each time under a new id", async () => {
  const { made, ids, sleeps } = tools();
  expect(await keepUp(made, "Look", dueTimes(15_000, 30_000, null))).toBe(3);
  expect(ids).toEqual(["Look 1", "Until the next is due 1", "Look 2", "Until the next is due 2", "Look 3"]);
  expect(sleeps[0]).toBeGreaterThan(10_000);
});

test("work that is due in a moment is awaited in the same step", async () => {
  const { made, ids } = tools();
  expect(await keepUp(made, "Look", dueTimes(20, 20, null))).toBe(1);
  expect(ids).toEqual(["Look 1"]);
});

test("work that is due after the minute is left to the next one", async () => {
  const { made, sleeps } = tools();
  expect(await keepUp(made, "Look", dueTimes(90_000))).toBe(1);
  expect(sleeps).toEqual([]);
});
