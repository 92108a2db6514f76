import { expect, test } from "vitest";
import { diffDrafts } from "#lib/engine/changes/diff-drafts.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
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

test("a rewiring between nodes of one name is a difference, on every level", () => {
  const twins = [nodeOf("a", { name: "Log" }), nodeOf("b", { name: "Log" }), nodeOf("c", { name: "Log" })];
  const wired = (source: string, target: string) => draftOf({ nodes: twins, edges: [{ source, target }] });
  const kinds = ([first, second]: FlowDraft[]) =>
    first === undefined || second === undefined ? [] : diffDrafts(first, second).map(({ kind, what }) => [kind, what]);
  expect(kinds([wired("a", "b"), wired("a", "c")])).toEqual([
    ["added", "Log → Log"],
    ["removed", "Log → Log"],
  ]);
  const inLoop = ({ nodes, edges }: FlowDraft) =>
    draftOf({
      nodes: [nodeOf("each", { type: "loop", config: JSON.parse(JSON.stringify({ body: { nodes, edges } })) })],
    });
  expect(kinds([inLoop(wired("a", "b")), inLoop(wired("b", "a"))])).toEqual([
    ["added", "each › Log → Log"],
    ["removed", "each › Log → Log"],
  ]);
});

test("the trigger and the variables are compared too", () => {
  const after = { ...before, trigger: { type: "manual" as const, config: {} }, variables: { x: 1 } };
  expect(diffDrafts(before, after).map((change) => change.what)).toEqual(["The trigger", "The variables"]);
});

test("a loop's body is compared part by part, at any depth, and moving in it is no difference", () => {
  const loopWith = (message: string, x: number, edges: readonly object[]) => {
    const lines = { nodes: [{ id: "line", type: "log", name: "Line", config: { message } }] };
    const nodes = [
      { id: "price", type: "log", position: { x, y: 0 } },
      { id: "lines", type: "loop", name: "Lines", config: { body: lines } },
    ];
    return draftOf({
      nodes: [
        nodeOf("each", { name: "Each", type: "loop", config: JSON.parse(JSON.stringify({ body: { nodes, edges } })) }),
      ],
    });
  };
  const edge = { source: "price", target: "lines" };
  const changes = diffDrafts(loopWith("old", 0, []), loopWith("new", 50, [edge]));
  expect(changes.map(({ kind, what, nodeId }) => [kind, what, nodeId])).toEqual([
    ["changed", "Each › Lines › Line", "each"],
    ["added", "Each › price → Lines", "each"],
  ]);
  expect(changes[0]?.fields).toEqual([{ path: "config.message", before: "old", after: "new" }]);
  expect(diffDrafts(loopWith("old", 0, [edge]), loopWith("old", 9, [{ ...edge, id: "any" }]))).toEqual([]);
});
