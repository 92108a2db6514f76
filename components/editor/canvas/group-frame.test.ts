import { expect, test } from "vitest";
import { drawFlow } from "#components/canvas/flow-graph.ts";
import { draftOf, nodeOf, testTypes } from "#components/editor/testing/draft-of.ts";
import { hiddenBy } from "../draft/canvas-settings.ts";
import { groupBoxes, wireOutside } from "./group-frame.tsx";

const draft = draftOf({ nodes: [nodeOf("a"), nodeOf("b"), nodeOf("c")] });
const graph = drawFlow(draft, testTypes);
const places = new Map([
  ["a", { x: 0, y: 0 }],
  ["b", { x: 300, y: 100 }],
]);
const group = (collapsed: boolean) => ({ id: "group:1", name: "G", nodeIds: ["a", "b"], collapsed });
const wire = (source: string, target: string) => ({ id: `${source}${target}`, source, target, handle: null });

test("a frame surrounds its nodes, and a collapsed group replaces them", () => {
  expect(groupBoxes([group(false)], graph, places)).toMatchObject([{ x: -20, y: -40, width: 580 }]);
  expect(groupBoxes([group(true)], graph, places)).toMatchObject([{ x: 0, y: 0, width: 240, height: 60 }]);
});

test("wires of hidden nodes lead to the group that hides them; those within it are not drawn", () => {
  const hidden = hiddenBy([group(true)]);
  expect(wireOutside(wire("b", "c"), hidden)).toEqual({ source: "group:1", target: "c" });
  expect(wireOutside(wire("a", "b"), hidden)).toBeNull();
  expect(hiddenBy([group(false)]).size).toBe(0);
});
