import { expect, test } from "vitest";
import { type FlowGraph, itemStart } from "#components/canvas/flow-graph.ts";
import { draftOf, nodeOf, testTypes } from "#components/editor/testing/draft-of.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import { drawDraft, openHandles } from "./canvas-cards.ts";

const nodes = [nodeOf("if", { type: "if-else" }), nodeOf("yes"), nodeOf("last")];
const edges = [
  { source: "if", target: "yes", sourceHandle: "true" },
  { source: "yes", target: "last" },
];

test("handles that lead nowhere are open, error handles aside", () => {
  const openIn = ({ cards, wires }: FlowGraph) => {
    const open = openHandles(wires);
    return Object.fromEntries(cards.map((card) => [card.id, open(card)]));
  };
  expect(openIn(drawDraft(draftOf({ nodes, edges }), testTypes, null))).toEqual({
    trigger: [],
    if: ["false"],
    yes: [],
    last: ["plain"],
  });
  expect(openIn(drawDraft(draftOf(), testTypes, null))).toEqual({ trigger: ["plain"] });
});

test("a loop's body starts with its items, and unchanged cards stay the same objects", () => {
  const loop = nodeOf("each", { type: "loop" });
  const draft = draftOf({ nodes, edges });
  const graph = drawDraft(draft, testTypes, null, loop);
  expect(graph.cards[0]).toMatchObject({ id: "trigger", type: itemStart, name: "Each item" });
  const again = drawDraft({ ...draft }, testTypes, graph, loop);
  expect(again.cards).toBe(graph.cards);
  expect(again.wires).toBe(graph.wires);
});

test("a change redraws its own card, and so does a wire that gives it another handle", () => {
  const draft = draftOf({ nodes, edges });
  const graph = drawDraft(draft, testTypes, null);
  const redrawn = (changed: Partial<FlowDraft>) => {
    const { cards } = drawDraft({ ...draft, ...changed }, testTypes, graph);
    return cards.filter((card) => !graph.cards.includes(card)).map(({ id }) => id);
  };
  const changeYes = (change: Partial<FlowNode>) => ({
    nodes: draft.nodes.map((node) => (node.id === "yes" ? { ...node, ...change } : node)),
  });
  expect(redrawn(changeYes({ name: "Other" }))).toEqual(["yes"]);
  expect(redrawn(changeYes({ position: { x: 700, y: 0 } }))).toEqual([]);
  expect(redrawn(changeYes({ disabled: true }))).toEqual(["yes"]);
  const toError = { id: "e", source: "yes", target: "last", sourceHandle: "error" };
  expect(redrawn({ edges: [...draft.edges, toError] })).toEqual(["yes"]);
});
