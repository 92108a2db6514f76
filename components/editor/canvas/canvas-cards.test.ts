import { expect, test } from "vitest";
import { itemStart } from "#components/canvas/flow-graph.ts";
import { draftOf, nodeOf, testTypes } from "#components/editor/testing/draft-of.ts";
import { drawDraft, openHandles } from "./canvas-cards.ts";

const nodes = [nodeOf("if", { type: "if-else" }), nodeOf("yes"), nodeOf("last")];
const edges = [
  { source: "if", target: "yes", sourceHandle: "true" },
  { source: "yes", target: "last" },
];

test("handles that lead nowhere are open, error handles aside", () => {
  const open = openHandles(drawDraft(draftOf({ nodes, edges }), testTypes, null));
  expect(Object.fromEntries(open)).toEqual({ trigger: [], if: ["false"], yes: [], last: ["plain"] });
  expect(openHandles(drawDraft(draftOf(), testTypes, null)).get("trigger")).toEqual(["plain"]);
});

test("a loop's body starts with its items, and unchanged cards stay the same objects", () => {
  const loop = nodeOf("each", { type: "loop" });
  const draft = draftOf({ nodes, edges });
  const graph = drawDraft(draft, testTypes, null, loop);
  expect(graph.cards[0]).toMatchObject({ id: "trigger", type: itemStart, name: "Each item" });
  const again = drawDraft({ ...draft }, testTypes, graph, loop);
  expect(again.cards.every((card, index) => card === graph.cards[index])).toBe(true);
});
