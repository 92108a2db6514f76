import { expect, test } from "vitest";
import { draftOf, nodeOf } from "#components/editor/testing/draft-of.ts";
import { configPathOf, placeProblem, problemsOn, readProblems } from "./read-problems.ts";

const inner = { nodes: [{ id: "deep", type: "log" }] };
const body = {
  nodes: [
    { id: "first", type: "log" },
    { id: "lines", type: "loop", config: { body: inner } },
  ],
  edges: [{ source: "first", target: "lines" }],
};
const flow = draftOf({
  nodes: [nodeOf("send", { config: { body: { nodes: [{ id: "data" }] } } }), nodeOf("each", { config: { body } })],
});
const at = (path: string, nodeId?: string) =>
  placeProblem({ path, message: "is required", ...(nodeId !== undefined && { nodeId }) }, flow);

test("a problem in a body is its node's, with the loops around it and the field's own path", () => {
  const deep = at("nodes[1].config.body.nodes[1].config.body.nodes[0].config.message", "deep");
  expect(deep).toMatchObject({ nodeId: "deep", within: ["each", "lines"] });
  expect(configPathOf(deep)).toBe("message");
  expect(at("nodes[1].config.body.edges[0].source")).toMatchObject({ nodeId: "lines", within: ["each"] });
  const own = at("nodes[1].config.body", "each");
  expect(own).not.toHaveProperty("within");
  expect(configPathOf(own)).toBe("body");
});

test("what looks like a body in a node's own data is not one", () => {
  const problem = at("nodes[0].config.body.nodes[0].config.url", "send");
  expect(problem).toMatchObject({ nodeId: "send" });
  expect(configPathOf(problem)).toBe("body.nodes[0].config.url");
});

test("a card counts the problems of its body too", () => {
  const problems = readProblems(
    { "nodes[1].config.body.nodes[0].config.message": "is required", "nodes[1].config.items": "is wrong", x: "y" },
    flow,
  );
  expect([problemsOn(problems, "each"), problemsOn(problems, "first"), problemsOn(problems, "send")]).toEqual([
    2, 1, 0,
  ]);
  expect(readProblems({ "trigger.config.method": "?" }, flow)[0]?.nodeId).toBe("trigger");
});
