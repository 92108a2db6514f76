import { expect, test } from "vitest";
import { draftOf, nodeOf, testTypes } from "#components/editor/testing/draft-of.ts";
import { itemValues } from "./use-item-values.ts";

const lines = { nodes: [{ id: "line", type: "log" }] };
const flowWith = (items: unknown) =>
  draftOf({
    nodes: [
      nodeOf("each", {
        type: "loop",
        config: JSON.parse(
          JSON.stringify({ items, body: { nodes: [{ id: "lines", type: "loop", config: { body: lines } }] } }),
        ),
      }),
    ],
  });

test("an item is taken from the list that the run resolved", () => {
  const nodes = new Map([["each", { input: { items: ["a", "b"] } }]]);
  expect(itemValues(flowWith("$vars.list"), ["each"], testTypes, { item: { turns: [1] }, nodes, body: {} })).toEqual([
    { loopId: "each", index: 1, value: "b" },
  ]);
});

test("a written list, the input of the loop, and the item around an inner loop are read in their place", () => {
  const nodes = new Map();
  const at = (turns: number[], items: unknown, body: unknown) =>
    itemValues(flowWith(items), ["each", "lines"], testTypes, { item: { turns }, nodes, body }).map(
      ({ value }) => value,
    );
  expect(at([0, 1], [["x", "y"]], {})).toEqual([["x", "y"], "y"]);
  expect(at([1, 0], undefined, [[1], [2]])).toEqual([[2], 2]);
  expect(at([7, 0], undefined, "no list")).toEqual([undefined, undefined]);
});
