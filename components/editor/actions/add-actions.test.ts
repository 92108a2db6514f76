import { expect, test } from "vitest";
import { createStore } from "zustand";
import type { Editor } from "../state/editor.ts";
import { draftOf, nodeOf } from "../testing/draft-of.ts";
import { wireForNewNode } from "./add-actions.ts";

const level = draftOf({
  nodes: ["a", "b", "c", "d"].map((id) => nodeOf(id)),
  edges: [
    { source: "a", target: "b" },
    { source: "b", target: "c" },
    { source: "b", target: "d" },
  ],
});

function targetFor(nodes: readonly string[], edges: readonly string[] = [], hoveredWire: string | null = null) {
  const store = createStore(() => ({ hoveredWire })) as unknown as Editor["store"];
  return wireForNewNode({ level, selection: { nodes: new Set(nodes), edges: new Set(edges) }, store });
}

test("a new node goes into the selected wire, else the one under the pointer, else the only one after the node", () => {
  expect(targetFor(["a"], ["b→d"], "b→c")).toBe("b→d");
  expect(targetFor(["a"], [], "b→c")).toBe("b→c");
  expect(targetFor(["a"])).toBe("a→b");
  expect(targetFor(["trigger"])).toEqual({ source: "trigger", target: "a" });
  expect(targetFor([], [], "start-a")).toEqual({ source: "trigger", target: "a" });
});

test("none of several wires after a node is meant", () => {
  expect([targetFor(["b"]), targetFor(["c"]), targetFor([])]).toEqual([null, null, null]);
});
