import { expect, test } from "vitest";
import type { FlowEdge, FlowNode } from "#lib/engine/flow.ts";
import { node } from "#lib/engine/testing/flows.ts";
import { stillTrue } from "./types-still-true.ts";
import { noShapes, shapeOfNode } from "./version-types.ts";

const computed = (id: string, text = "1") => node(id, "transform", { transform: text });
const edge = (source: string, target: string, sourceHandle?: string): FlowEdge =>
  ({ id: `${source}-${target}`, source, target, ...(sourceHandle && { sourceHandle }) }) as FlowEdge;

function stillTrueIds(nodes: readonly FlowNode[], edges: readonly FlowEdge[], before = nodes): string[] {
  const shapes = noShapes();
  for (const { id } of nodes) shapeOfNode(shapes, id);
  const trigger = { type: "manual", config: {} } as never;
  const now = { trigger, nodes: [...nodes], edges: [...edges] };
  return stillTrue(now, { ...now, nodes: [...before] }, shapes).map(([id]) => id);
}

test("types hold behind a branch whose handle has spaces", () => {
  const nodes = [computed("a"), computed("b")];
  expect(stillTrueIds(nodes, [edge("a", "b", "gold customers")])).toEqual(["a", "b"]);
});

test("types hold where two paths join, in whatever order they are written", () => {
  const nodes = ["end", "x", "y", "start"].map((id) => computed(id));
  const edges = [edge("x", "end"), edge("y", "end"), edge("x", "y"), edge("start", "x"), edge("start", "y")];
  for (const order of [edges, edges.toReversed()])
    expect(stillTrueIds(nodes, order)).toEqual(["end", "x", "y", "start"]);
  const changed = nodes.map((item) => (item.id === "x" ? computed("x", "2") : item));
  expect(stillTrueIds(nodes, edges, changed)).toEqual(["start"]);
});

test("types in a cycle do not hold", () => {
  const nodes = ["a", "b", "c"].map((id) => computed(id));
  expect(stillTrueIds(nodes, [edge("a", "b"), edge("b", "a"), edge("b", "c")])).toEqual([]);
});
