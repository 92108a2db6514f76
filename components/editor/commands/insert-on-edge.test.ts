import { expect, test } from "vitest";
import { draftOf, nodeOf } from "../testing/draft-of.ts";
import { insertOnEdge } from "./connect.ts";

const draft = draftOf({
  nodes: [nodeOf("check", { type: "if-else" }), nodeOf("a"), nodeOf("b")],
  edges: [
    { source: "check", target: "a", sourceHandle: "true" },
    { source: "check", target: "b", sourceHandle: "false" },
  ],
});
const ends = (edges: typeof draft.edges) =>
  edges.map(({ source, sourceHandle, target }) => [source, sourceHandle ?? null, target]);

test("a node inserted on an edge takes its branch and leads on to its target, and the other edges keep their order", () => {
  const inserted = insertOnEdge(nodeOf("new"), draft.edges[0]?.id ?? "", null)(draft);
  expect(ends(inserted.edges)).toEqual([
    ["check", "true", "new"],
    ["new", null, "a"],
    ["check", "false", "b"],
  ]);
  expect(inserted.nodes.at(-1)?.id).toBe("new");
});

test("a node inserted between the trigger and a first node leads to it", () => {
  const inserted = insertOnEdge(nodeOf("new"), { source: "trigger", target: "check" }, null)(draft);
  expect(ends(inserted.edges).at(-1)).toEqual(["new", null, "check"]);
});

test("an edge removed meanwhile leaves the node unconnected", () => {
  expect(insertOnEdge(nodeOf("new"), "no such edge", null)(draft).edges).toBe(draft.edges);
});
