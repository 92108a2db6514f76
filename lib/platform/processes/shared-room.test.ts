import { expect, test } from "vitest";
import { SharedRoom } from "./shared-room.ts";

const limits = { max: 10, ofOwnerMax: 6, uncounted: 1 };

/** Enters in order; `entered` lists those that are in, or have been. */
function entering(room: SharedRoom) {
  const entered: string[] = [];
  const enter = (name: string, amount: number) => {
    const [owner = ""] = name;
    return room.enter(owner, amount).then((leave) => {
      entered.push(name);
      return leave;
    });
  };
  return { entered, enter };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("an owner has at most its share, and the one that has taken the least comes next", async () => {
  const { entered, enter } = entering(new SharedRoom(limits));
  const first = enter("a1", 5);
  void enter("a2", 3);
  void enter("a3", 2);
  void enter("b1", 4);
  void enter("c1", 3);
  await settled();
  expect(entered).toEqual(["a1", "b1"]);
  (await first)();
  await settled();
  expect(entered).toEqual(["a1", "b1", "a2", "c1"]);
});

test("an amount above the limits enters alone, and small ones are not counted", async () => {
  const { entered, enter } = entering(new SharedRoom(limits));
  const large = enter("a1", 20);
  void enter("b1", 2);
  void enter("c1", 1);
  await settled();
  expect(entered.toSorted()).toEqual(["a1", "c1"]);
  (await large)();
  await settled();
  expect(entered.at(-1)).toBe("b1");
});
