import { expect, test } from "vitest";
import { giveWay } from "./turns.ts";

/** Works on end for so long that others are due. */
function work(): void {
  const began = performance.now();
  while (performance.now() - began < 30);
}

test("work that goes on and on gives way to timers and sockets", async () => {
  let turns = 0;
  const beside = setInterval(() => {
    turns += 1;
  }, 1);
  for (let piece = 0; piece < 10; piece += 1) {
    work();
    await giveWay();
  }
  clearInterval(beside);
  expect(turns).toBeGreaterThan(5);
});

test("those that wait go on in their order, each in a turn of its own", async () => {
  const order: string[] = [];
  const piece = async (name: string) => {
    work();
    await giveWay();
    order.push(name);
    setImmediate(() => order.push(`after ${name}`));
  };
  await Promise.all(["a", "b", "c"].map(piece));
  expect(order.filter((entry) => !entry.startsWith("after"))).toEqual(["a", "b", "c"]);
  expect(order.indexOf("after a")).toBeLessThan(order.indexOf("c"));
});
