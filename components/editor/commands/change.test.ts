import { expect, test } from "vitest";
import { draftOf, nodeOf } from "#components/editor/testing/draft-of.ts";
import { changeConfig, changeNode, setDisabled } from "./change.ts";

const draft = draftOf({
  nodes: [nodeOf("way", { type: "switch", config: { cases: [{ id: "eu" }, { id: "us" }] } }), nodeOf("a")],
  edges: [
    { source: "way", target: "a", sourceHandle: "eu" },
    { source: "way", target: "a", sourceHandle: "us" },
    { source: "way", target: "a", sourceHandle: "default" },
    { source: "way", target: "a", sourceHandle: "error" },
  ],
});
const handles = (of: typeof draft) => of.edges.map((edge) => edge.sourceHandle);

test("changing a node leaves the others as they are", () => {
  const renamed = changeNode("a", { name: "Other" })(draft);
  expect(renamed.nodes[1]?.name).toBe("Other");
  expect(renamed.nodes[0]).toBe(draft.nodes[0]);
  expect(changeNode("nobody", { name: "x" })(draft)).toBe(draft);
});

test("nodes are disabled and enabled again, and no others change", () => {
  const off = setDisabled(new Set(["a"]), true)(draft);
  expect(off.nodes.map(({ disabled }) => disabled)).toEqual([undefined, true]);
  expect(off.nodes[0]).toBe(draft.nodes[0]);
  expect(setDisabled(new Set(["a", "way"]), false)(off).nodes).toEqual(draft.nodes);
});

test("a renamed case keeps its edges", () => {
  const changed = changeConfig(
    "way",
    { cases: [{ id: "europe" }, { id: "us" }] },
    ["europe", "us", "default"],
    new Map([["eu", "europe"]]),
  )(draft);
  expect(handles(changed)).toEqual(["europe", "us", "default", "error"]);
});

test("a removed case removes its edges, and the error edge stays", () => {
  const changed = changeConfig("way", { cases: [{ id: "us" }] }, ["us", "default"])(draft);
  expect(handles(changed)).toEqual(["us", "default", "error"]);
});

test("a change that affects no handle keeps the list of edges", () => {
  expect(changeConfig("way", { cases: [{ id: "us" }, { id: "eu" }] }, ["us", "eu", "default"])(draft).edges).toBe(
    draft.edges,
  );
});
