import { describe, expect, test } from "vitest";
import { Batcher, type BatcherOptions } from "./batcher.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));
const turns = async (count: number) => {
  for (let index = 0; index < count; index += 1) await turn();
};
/** Enough turns to send every pending batch. */
const manyTurns = 10;

function batcherOf(options: Partial<BatcherOptions<number, string>> = {}) {
  const batches: (readonly number[])[] = [];
  const gates: (() => void)[] = [];
  const batcher = new Batcher<number, string>({
    handle: async (items) => {
      batches.push(items);
      return items.map((item) => `did ${item}`);
    },
    itemsMax: 100,
    batchesMax: 1,
    tryAlone: () => true,
    ...options,
  });
  /** A handler that waits for its gate. */
  const gated = async (items: readonly number[]) => {
    batches.push(items);
    await new Promise<void>((resolve) => gates.push(resolve));
    return items.map((item) => `did ${item}`);
  };
  return { batcher, batches, gates, gated };
}

describe("batches", () => {
  test("items that arrive in one turn are sent together, each with its own result", async () => {
    const { batcher, batches } = batcherOf();
    expect(await Promise.all([batcher.add(1), batcher.add(2), batcher.add(3)])).toEqual(["did 1", "did 2", "did 3"]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  test("wait for the next turn while each turn adds items, at most four turns", async () => {
    const { batcher, batches } = batcherOf();
    const all: Promise<string>[] = [];
    for (let item = 1; item <= 6; item += 1) {
      all.push(batcher.add(item));
      await turn();
    }
    await Promise.all(all);
    expect(batches).toEqual([
      [1, 2, 3, 4],
      [5, 6],
    ]);
  });

  test("of a single item leave at once if no other can come, unless one is under way", async () => {
    const made = batcherOf();
    const batcher = new Batcher<number, string>({
      handle: made.gated,
      itemsMax: 100,
      batchesMax: 2,
      isAlone: () => true,
      tryAlone: () => true,
    });
    const first = batcher.add(1);
    expect(made.batches).toEqual([[1]]);
    const others = [batcher.add(2), batcher.add(3)];
    expect(made.batches).toEqual([[1]]);
    await turns(manyTurns);
    expect(made.batches).toEqual([[1], [2, 3]]);
    for (const open of made.gates) open();
    expect(await Promise.all([first, ...others])).toEqual(["did 1", "did 2", "did 3"]);
  });

  test("have at most `itemsMax` items, in order of arrival", async () => {
    const { batcher, batches } = batcherOf({ itemsMax: 2 });
    await Promise.all([1, 2, 3, 4, 5].map((item) => batcher.add(item)));
    expect(batches).toEqual([[1, 2], [3, 4], [5]]);
  });

  test("have at most 8 MiB, or one larger item", async () => {
    const mib = 1_048_576;
    const { batcher, batches } = batcherOf({ bytesOf: (item) => item * mib });
    await Promise.all([4, 4, 1, 7, 9, 8, 1].map((item) => batcher.add(item)));
    expect(batches).toEqual([[4, 4], [1, 7], [9], [8], [1]]);
  });

  test("of large items do not delay small ones", async () => {
    const mib = 1_048_576;
    const made = batcherOf();
    const batcher = new Batcher<number, string>({
      handle: made.gated,
      itemsMax: 100,
      bytesOf: (item) => item * mib,
      batchesMax: 2,
      tryAlone: () => true,
    });
    const large = [1, 1, 1, 3, 1].map((item) => batcher.add(item));
    await turns(manyTurns);
    expect(made.batches).toEqual([[1, 1], [1]]);
    const small = [0.01, 0.02].map((item) => batcher.add(item));
    await turns(manyTurns);
    expect(made.batches.slice(2)).toEqual([[0.01, 0.02]]);
    made.gates[2]?.();
    expect(await Promise.all(small)).toEqual(["did 0.01", "did 0.02"]);
    made.gates[0]?.();
    await turns(manyTurns);
    expect(made.batches.slice(3)).toEqual([[3]]);
    for (const open of made.gates) open();
    await turns(manyTurns);
    for (const open of made.gates) open();
    expect(await Promise.all(large)).toHaveLength(5);
  });

  test("are sent at once when large enough, if another may be in flight", async () => {
    const { batches, gates, gated } = batcherOf();
    const batcher = new Batcher<number, string>({
      handle: gated,
      itemsMax: 100,
      batchItemsMin: 2,
      batchesMax: 2,
      tryAlone: () => true,
    });
    const all = [1, 2, 3, 4, 5, 6, 7].map((item) => batcher.add(item));
    const first = [
      [1, 2],
      [3, 4],
    ];
    expect(batches).toEqual(first);
    await turns(manyTurns);
    expect(batches).toEqual(first);
    gates[0]?.();
    await turns(manyTurns);
    expect(batches).toEqual([...first, [5, 6, 7]]);
    for (const open of gates) open();
    expect(await Promise.all(all)).toHaveLength(7);
  });

  test("that are too small wait while as many as allowed for them are in flight", async () => {
    const { batches, gates, gated } = batcherOf();
    const batcher = new Batcher<number, string>({
      handle: gated,
      itemsMax: 100,
      batchItemsMin: 3,
      batchesMax: 2,
      smallBatchesMax: 1,
      tryAlone: () => true,
    });
    const all = [batcher.add(1)];
    await turns(manyTurns);
    all.push(batcher.add(2), batcher.add(3));
    await turns(manyTurns);
    expect(batches).toEqual([[1]]);
    all.push(batcher.add(4), batcher.add(5), batcher.add(6), batcher.add(7));
    expect(batches).toEqual([[1], [2, 3, 4]]);
    gates[0]?.();
    await turns(manyTurns);
    expect(batches.slice(2)).toEqual([[5, 6, 7]]);
    all.push(batcher.add(8));
    gates[1]?.();
    await turns(manyTurns);
    expect(batches).toHaveLength(3);
    gates[2]?.();
    await turns(manyTurns);
    expect(batches.slice(3)).toEqual([[8]]);
    gates[3]?.();
    expect(await Promise.all(all)).toHaveLength(8);
  });

  test("of large items are never too small to be in flight beside another", async () => {
    const { batches, gates, gated } = batcherOf();
    const batcher = new Batcher<number, string>({
      handle: gated,
      itemsMax: 100,
      bytesOf: () => 1_500_000,
      batchItemsMin: 10,
      batchesMax: 2,
      smallBatchesMax: 1,
      tryAlone: () => true,
    });
    const all = [batcher.add(1), batcher.add(2)];
    await turns(manyTurns);
    expect(batches).toEqual([[1], [2]]);
    for (const open of gates) open();
    expect(await Promise.all(all)).toHaveLength(2);
  });

  test("fill up while one is in flight", async () => {
    const made = batcherOf();
    const { batches, gates } = made;
    const batcher = new Batcher<number, string>({
      handle: made.gated,
      itemsMax: 100,
      batchesMax: 1,
      tryAlone: () => true,
    });
    const all = [batcher.add(1)];
    await turns(manyTurns);
    all.push(batcher.add(2));
    await turns(manyTurns);
    all.push(batcher.add(3));
    await turns(manyTurns);
    expect(batches).toEqual([[1]]);
    gates[0]?.();
    await turns(manyTurns);
    expect(batches).toEqual([[1], [2, 3]]);
    gates[1]?.();
    expect(await Promise.all(all)).toEqual(["did 1", "did 2", "did 3"]);
  });

  test("never exceed the number allowed in flight", async () => {
    const made = batcherOf();
    const batcher = new Batcher<number, string>({
      handle: made.gated,
      itemsMax: 1,
      batchesMax: 2,
      tryAlone: () => true,
    });
    const all = [1, 2, 3].map((item) => batcher.add(item));
    await turns(manyTurns);
    expect(made.batches).toEqual([[1], [2]]);
    made.gates[1]?.();
    await turns(manyTurns);
    expect(made.batches).toEqual([[1], [2], [3]]);
    made.gates[0]?.();
    made.gates[2]?.();
    expect(await Promise.all(all)).toHaveLength(3);
  });
});

describe("failures", () => {
  const invalid = 3;
  const handleAll = (batches: (readonly number[])[]) => async (items: readonly number[]) => {
    batches.push(items);
    if (items.includes(invalid)) throw new Error("a bad item");
    return items.map((item) => `did ${item}`);
  };

  test("one bad item fails alone: the batch is halved until it is found, in the order of the items", async () => {
    const batches: (readonly number[])[] = [];
    const { batcher } = batcherOf({ handle: handleAll(batches) });
    const results = await Promise.allSettled([1, 2, invalid, 4].map((item) => batcher.add(item)));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(batches).toEqual([[1, 2, invalid, 4], [1, 2], [invalid, 4], [invalid], [4]]);
  });

  test("all items fail at once with the reason if retrying them alone would not help", async () => {
    const batches: (readonly number[])[] = [];
    const { batcher } = batcherOf({ handle: handleAll(batches), tryAlone: () => false });
    const results = await Promise.allSettled([1, invalid].map((item) => batcher.add(item)));
    expect(results.map((result) => result.status === "rejected" && result.reason.message)).toEqual(
      Array(2).fill("a bad item"),
    );
    expect(batches).toHaveLength(1);
  });

  test("the batcher continues after a failure", async () => {
    const { batcher } = batcherOf({ handle: handleAll([]) });
    await expect(batcher.add(invalid)).rejects.toThrow("a bad item");
    expect(await batcher.add(1)).toBe("did 1");
  });
});
