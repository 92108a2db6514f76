import { expect, test } from "vitest";
import { draftOf, nodeOf } from "#components/editor/testing/draft-of.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { nodeManifests } from "#lib/nodes/registry.ts";
import { outcomesOf } from "./outcomes-of.ts";

const types = nodeManifests() as readonly NodeType[];
const flow = draftOf({
  nodes: [nodeOf("check", { type: "if-else", config: { condition: "true" } }), nodeOf("yes"), nodeOf("no")],
  edges: [
    { source: "check", target: "yes", sourceHandle: "true" },
    { source: "check", target: "no", sourceHandle: "false" },
  ],
});
const side = (status: "completed" | "skipped" | "unknown") => ({ status, output: null, request: null, error: null });
const node = (nodeId: string, before: Parameters<typeof side>[0], after: Parameters<typeof side>[0]) => ({
  nodeId,
  before: side(before),
  after: side(after),
});

test("each side takes its own path, and an unknown outcome has no status", () => {
  const nodes = [
    node("check", "completed", "completed"),
    node("yes", "completed", "skipped"),
    node("no", "skipped", "unknown"),
  ];
  const before = outcomesOf(nodes, "before", flow, types);
  expect(before.runs.get("check")).toMatchObject({ status: "completed", handle: "true" });
  expect(before.runs.get("no")?.status).toBe("skipped");
  expect(before.unknown.size).toBe(0);
  const after = outcomesOf(nodes, "after", flow, types);
  expect(after.runs.get("yes")?.status).toBe("skipped");
  expect([...after.unknown]).toEqual(["no"]);
  expect(after.runs.has("no")).toBe(false);
});
