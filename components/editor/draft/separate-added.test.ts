import { expect, test } from "vitest";
import { draftOf, nodeOf, testTypes } from "../testing/draft-of.ts";
import { canvasOf } from "./canvas-settings.ts";
import { idsWithin } from "./node-ids.ts";
import { joinDrafts, sharedIds } from "./separate-added.ts";

const loopWith = (...nodes: readonly object[]) => {
  const config = JSON.parse(JSON.stringify({ body: { nodes, edges: [] } }));
  return nodeOf("each", { type: "loop", config });
};
const log = (id: string, message: string) => ({ id, type: "log", config: { message } });
const base = draftOf({ nodes: [loopWith(log("a", "old"))] });

test("nodes that both added under one id are two, also where one of them is in a loop's body", () => {
  const mine = draftOf({
    nodes: [loopWith(log("a", "old"), log("log", "mine"), log("next", "{{ $nodes.log.output }}"))],
  });
  const theirs = draftOf({ nodes: [...base.nodes, nodeOf("log")] });
  const { draft, clashes } = joinDrafts(base, mine, theirs, testTypes);
  expect(clashes).toEqual([]);
  expect(idsWithin(draft.nodes, testTypes)).toEqual(["each", "a", "log-2", "next", "log"]);
  expect(JSON.stringify(draft.nodes[0]?.config)).toContain("$nodes['log-2'].output");
});

test("nodes that both have alike stay one", () => {
  const both = draftOf({ nodes: [loopWith(log("a", "old"), log("log", "same"))] });
  expect(sharedIds(base, both, both, testTypes)).toEqual(new Map());
});

test("what the canvas keeps of a renamed loop's body follows it", () => {
  const group = { id: "group:1", name: "Both", nodeIds: ["in"], collapsed: false };
  const canvas = { bodies: { loop: { notes: [], groups: [group], trigger: null } } };
  const added = nodeOf("loop", { type: "loop", config: { body: { nodes: [{ id: "in", type: "log" }] } } });
  const mine = draftOf({ nodes: [...base.nodes, added], settings: { canvas: JSON.parse(JSON.stringify(canvas)) } });
  const theirs = draftOf({ nodes: [...base.nodes, nodeOf("loop"), nodeOf("in")] });
  const { draft } = joinDrafts(base, mine, theirs, testTypes);
  expect(Object.keys(canvasOf(draft).bodies)).toEqual(["loop-2"]);
  expect(canvasOf(draft).bodies["loop-2"]?.groups[0]?.nodeIds).toEqual(["in-2"]);
});
