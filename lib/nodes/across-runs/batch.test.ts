import { describe, expect, test } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { asNode, runNodeAlone } from "../testing/run-alone.ts";
import { batch } from "./batch.ts";

/** The node's output. `seenKeys`: keys that earlier runs have seen. */
async function outputOf(config: object, seenKeys: readonly string[] = []) {
  const lookups: { keys: readonly string[]; windowMs: number }[] = [];
  const areNew = async (keys: readonly string[], windowMs: number) => {
    lookups.push({ keys, windowMs });
    return keys.map((key) => !seenKeys.includes(key));
  };
  const { output } = await runNodeAlone(asNode(batch), config, null, { areNew });
  return { output, lookups };
}

const items = [
  { id: 1, land: "ch" },
  { id: 2, land: "de" },
  { id: 3, land: "ch" },
  { id: 4, land: "ch" },
];

describe("a batch", () => {
  test.each<[string, object, unknown[][]]>([
    ["of all items", {}, [[null, [1, 2, 3, 4]]]],
    [
      "of so many at most",
      { size: 3 },
      [
        [null, [1, 2, 3]],
        [null, [4]],
      ],
    ],
    [
      "for each value of a field",
      { by: "land" },
      [
        ["ch", [1, 3, 4]],
        ["de", [2]],
      ],
    ],
    [
      "for each value, of so many",
      { by: "land", size: 2 },
      [
        ["ch", [1, 3]],
        ["de", [2]],
        ["ch", [4]],
      ],
    ],
    [
      "for each value of a list",
      { by: [1, 2, 2, 1] },
      [
        [1, [1, 4]],
        [2, [2, 3]],
      ],
    ],
    ["of items without the field", { by: "no.such" }, [[null, [1, 2, 3, 4]]]],
    [
      "for each object, whatever its members' order",
      { by: [{ a: 1, b: 2 }, { b: 2, a: 1 }, [], {}] },
      [
        [{ a: 1, b: 2 }, [1, 2]],
        [[], [3]],
        [{}, [4]],
      ],
    ],
  ])("is %s", async (_, config, expected) => {
    const { output, lookups } = await outputOf({ items, ...config });
    const { batches } = output as { batches: { key: unknown; items: { id: number }[] }[] };
    expect(batches.map(({ key, items: own }) => [key, own.map(({ id }) => id)])).toEqual(expected);
    expect(lookups).toEqual([]);
  });

  test("of an empty list is empty", async () => {
    expect((await outputOf({ items: [], by: "id" })).output).toEqual({ batches: [] });
  });

  test.each([
    [{ items: { a: 1 } }, "items"],
    [{ items: [1, 2], by: [1] }, "by"],
    [{ items: [1, 2], by: 7 }, "by"],
    [{ items: [1], dedupe: { key: "" } }, "dedupe.key"],
    [{ items: Array.from({ length: 10_001 }, () => 1) }, "items"],
  ])("refuses %j", async (config, field) => {
    await expect(outputOf(config)).rejects.toMatchObject({ field });
  });

  test("reads no inherited members", async () => {
    const { output } = await outputOf({ items: [{ a: 1 }], by: "constructor.name" });
    expect(output).toEqual({ batches: [{ key: null, items: [{ a: 1 }] }] });
  });
});

describe("dropping repeated items", () => {
  test("separates fresh items from seen ones by their key", async () => {
    const { output, lookups } = await outputOf({ items, by: "land", dedupe: { key: "id", window: 5_000 } }, ["2", "4"]);
    const [first, second, third, fourth] = items;
    expect(output).toEqual({
      fresh: [first, third],
      seen: [second, fourth],
      batches: [{ key: "ch", items: [first, third] }],
    });
    expect(lookups).toEqual([{ keys: ["1", "2", "3", "4"], windowMs: 5_000 }]);
  });

  test("identifies items by their whole content without a key, for 30 days", async () => {
    const { lookups } = await outputOf({ items: [{ b: 1, a: [2] }, { a: [2], b: 1 }, "1", 1], dedupe: {} });
    expect(new Set(lookups[0]?.keys)).toHaveProperty("size", 3);
    expect(lookups[0]?.windowMs).toBe(2_592_000_000);
  });
});

test("keys of large items are made in turns", async () => {
  const list = Array.from({ length: 20 }, (_, at) => ({ at, text: `text ${at}`, more: [1, 2, 3] }));
  const many = Array.from({ length: 10_000 }, (_, id) => ({ id, list }));
  const longest = await longestTurn(async () => {
    const { lookups } = await outputOf({ items: many, dedupe: { window: 1_000 } });
    expect(new Set(lookups[0]?.keys).size).toBe(10_000);
  });
  expect(longest).toBeLessThan(100);
});
