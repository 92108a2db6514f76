import { expect, test } from "vitest";
import { diffDrafts } from "#lib/engine/changes/diff-drafts.ts";
import { draftOf, nodeOf } from "../testing/draft-of.ts";

const before = draftOf({
  nodes: [nodeOf("a"), nodeOf("b", { config: { retry: { times: 1 }, url: "x" } })],
  edges: [{ source: "a", target: "b" }],
});

test("added, removed and changed nodes are distinguished, with the fields that changed", () => {
  const after = draftOf({ nodes: [nodeOf("b", { config: { retry: { times: 2 }, url: "x" } }), nodeOf("c")] });
  const changes = diffDrafts(before, after);
  expect(changes.map(({ kind, what }) => [kind, what])).toEqual([
    ["changed", "b"],
    ["added", "c"],
    ["removed", "a"],
    ["removed", "a → b"],
  ]);
  expect(changes[0]?.fields).toEqual([{ path: "config.retry.times", before: 1, after: 2 }]);
});

test("moving a node is no difference", () => {
  const moved = { ...before, nodes: before.nodes.map((node) => ({ ...node, position: { x: 9, y: 9 } })) };
  expect(diffDrafts(before, moved)).toEqual([]);
});

test("the trigger and the variables are compared too", () => {
  const after = { ...before, trigger: { type: "manual" as const, config: {} }, variables: { x: 1 } };
  expect(diffDrafts(before, after).map((change) => change.what)).toEqual(["The trigger", "The variables"]);
});
