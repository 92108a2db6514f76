import { describe, expect, test } from "vitest";
import { settleBranches } from "./branches.ts";
import type { FlowEdge } from "./flow.ts";
import { definitionOf, edge, node, testTypes } from "./testing/flows.ts";

/** The handles of the edges that leave the if-else node `if`, in their order, and whether they were ambiguous. */
function settled(...edges: (string | FlowEdge)[]) {
  const { nodes, edges: list } = definitionOf([node("if", "if-else"), "a", "b", "c"], edges);
  const { handles, ambiguous } = settleBranches(nodes, list, testTypes.traits);
  return { handles, isAmbiguous: ambiguous.includes("if") };
}

const labelled = (label: string, target = "a") => edge(`if -> ${target}`, { label });

describe("plain edges of an if-else", () => {
  test.each<[string, (string | FlowEdge)[], (string | null)[], boolean]>([
    ["one plain edge alone is the true branch", ["if -> a"], ["true"], false],
    ["of two, the first is true and the second false", ["if -> a", "if -> b"], ["true", "false"], false],
    ["a third is false too, and ambiguous", ["if -> a", "if -> b", "if -> c"], ["true", "false", "false"], true],
    ["handles are taken as they are", ["if:false -> a", "if:true -> b"], ["false", "true"], false],
    ["a plain edge takes what a handle left: false", ["if:true -> a", "if -> b"], ["true", "false"], false],
    ["a plain edge takes what a handle left: true", ["if:false -> a", "if -> b"], ["false", "true"], false],
    ["also when the handle comes later in the list", ["if -> a", "if:true -> b"], ["false", "true"], false],
    [
      "both taken: a plain edge is false, and ambiguous",
      ["if:true -> a", "if:false -> b", "if -> c"],
      ["true", "false", "false"],
      true,
    ],
    ["two edges of one handle are both followed", ["if:true -> a", "if:true -> b"], ["true", "true"], false],
    ["the error handle is no branch", ["if:error -> a", "if -> b", "if -> c"], ["error", "true", "false"], false],
    ["labels tell as handles do", [labelled("No"), labelled("yes", "b")], ["false", "true"], false],
    ["a label that tells leaves the other branch", [labelled("else"), "if -> b"], ["false", "true"], false],
    ["a label that tells nothing is a plain edge", [labelled("maybe"), "if -> b"], ["true", "false"], false],
    ["a handle wins over a label", [edge("if:true -> a", { label: "false" })], ["true"], false],
    ["an empty handle is none", [edge("if -> a", { sourceHandle: "", label: "false" })], ["false"], false],
  ])("%s", (_, edges, handles, isAmbiguous) => {
    expect(settled(...edges)).toEqual({ handles, isAmbiguous });
  });

  test.each(["true", "yes", "then", " TRUE ", "Yes"])("the label %j is the true branch", (label) => {
    expect(settled(labelled(label)).handles).toEqual(["true"]);
  });

  test.each(["false", "no", "else", " Else"])("the label %j is the false branch", (label) => {
    expect(settled(labelled(label)).handles).toEqual(["false"]);
  });
});

describe("other edges", () => {
  test("edges of other types stay plain, whatever their label", () => {
    const { nodes, edges } = definitionOf(["a", "b"], [edge("a -> b", { label: "no" }), "trigger -> a"]);
    expect(settleBranches(nodes, edges, testTypes.traits)).toEqual({ handles: [null, null], ambiguous: [] });
  });

  test("edges of a disabled node stay plain: it chooses nothing", () => {
    const off = [node("p", "if-else"), node("q", "wait")].map((item) => ({ ...item, disabled: true }));
    const { nodes, edges } = definitionOf([...off, "a", "b"], ["p -> a", "p:false -> b", "p -> b", "q -> a"]);
    expect(settleBranches(nodes, edges, testTypes.traits)).toEqual({
      handles: [null, "false", null, null],
      ambiguous: [],
    });
  });

  test("a label of a disabled node's edge names its branch, as a handle does", () => {
    const nodes = [{ ...node("p", "if-else"), disabled: true }, "a", "b", "c"];
    const edges = [edge("p -> a", { label: "yes" }), edge("p -> b", { label: "No" }), edge("p -> c", { label: "on" })];
    const { nodes: list, edges: all } = definitionOf(nodes, edges);
    expect(settleBranches(list, all, testTypes.traits)).toEqual({ handles: ["true", "false", null], ambiguous: [] });
  });

  // Proves edge.as-sent, graph.settled
  test("each if-else is settled by itself, and the edges stay in their order", () => {
    const nodes = [node("p", "if-else"), node("q", "if-else"), "a", "b"];
    const { nodes: list, edges } = definitionOf(nodes, ["p -> a", "q -> a", "p -> b", "q -> b"]);
    expect(settleBranches(list, edges, testTypes.traits)).toEqual({
      handles: ["true", "true", "false", "false"],
      ambiguous: [],
    });
  });
});
