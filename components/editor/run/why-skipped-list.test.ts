import { expect, test } from "vitest";
import { draftOf, nodeOf } from "#components/editor/testing/draft-of.ts";
import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { whySkipped } from "./why-skipped-list.tsx";

const draft = draftOf({
  nodes: [
    nodeOf("check", { type: "if-else", config: { condition: "$trigger.body.total > 100" } }),
    nodeOf("ask"),
    nodeOf("tell"),
  ],
  edges: [
    { source: "check", target: "ask", sourceHandle: "true" },
    { source: "ask", target: "tell" },
  ],
});
const run = (
  nodeId: string,
  status: ShownNodeExecution["status"],
  more: Partial<ShownNodeExecution> = {},
): [string, ShownNodeExecution] => [
  nodeId,
  { nodeId, nodeName: nodeId, type: "log", status, startedAt: null, completedAt: null, duration: null, ...more },
];

test("a skipped node is explained by the condition that went the other way, however far back", () => {
  const nodes = new Map([
    run("check", "completed", { handle: "false" }),
    run("ask", "skipped"),
    run("tell", "skipped"),
  ]);
  expect(whySkipped(draft, nodes, "tell")).toEqual([
    { nodeId: "check", what: "it left by false, not by true", condition: "$trigger.body.total > 100" },
  ]);
});

test("a node after a failed one is explained by the failure", () => {
  const nodes = new Map([run("check", "completed", { handle: "true" }), run("ask", "failed"), run("tell", "skipped")]);
  expect(whySkipped(draft, nodes, "tell").map((decision) => [decision.nodeId, decision.what])).toEqual([
    ["ask", "it failed"],
  ]);
});
