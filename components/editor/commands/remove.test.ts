import { expect, test } from "vitest";
import { canvasOf, withCanvas } from "../draft/canvas-settings.ts";
import { draftOf, nodeOf } from "../testing/draft-of.ts";
import { remove, removeAndJoin } from "./remove.ts";

const chain = draftOf({
  nodes: [nodeOf("a"), nodeOf("b"), nodeOf("c")],
  edges: [
    { source: "a", target: "b" },
    { source: "b", target: "c" },
  ],
});
const none = new Set<string>();
const ids = (items: readonly { readonly id: string }[]) => items.map((item) => item.id);

test("a removed node takes its edges with it", () => {
  const left = remove({ nodes: new Set(["b"]), edges: none })(chain);
  expect([ids(left.nodes), left.edges]).toEqual([["a", "c"], []]);
});

test("the trigger is not removed", () => {
  expect(remove({ nodes: new Set(["trigger"]), edges: none })(chain)).toBe(chain);
});

test("a removed node leaves its groups and its pin; an empty group is removed", () => {
  const group = (id: string, nodeIds: string[]) => ({ id, name: id, nodeIds, collapsed: false });
  const drawn = withCanvas(chain, { groups: [group("one", ["b"]), group("two", ["a", "b"])], pins: { b: 1, a: 2 } });
  const canvas = canvasOf(remove({ nodes: new Set(["b"]), edges: none })(drawn));
  expect(canvas.groups.map(({ id, nodeIds }) => [id, nodeIds])).toEqual([["two", ["a"]]]);
  expect(canvas.pins).toEqual({ a: 2 });
});

test("a removed group takes its contents along", () => {
  const groups = [{ id: "group:one", name: "One", nodeIds: ["a", "b"], collapsed: true }];
  const left = remove({ nodes: new Set(["group:one"]), edges: none })(withCanvas(chain, { groups }));
  expect([ids(left.nodes), left.edges, canvasOf(left).groups]).toEqual([["c"], [], []]);
});

test("removing a link of a chain can join its neighbours", () => {
  const left = removeAndJoin(new Set(["b"]))(chain);
  expect(left.edges.map(({ source, target }) => [source, target])).toEqual([["a", "c"]]);
});
