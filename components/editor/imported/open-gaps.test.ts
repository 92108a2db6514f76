import { expect, test } from "vitest";
import { draftOf, nodeOf, testTypes } from "../testing/draft-of.ts";
import { openGaps } from "./import-bar.tsx";

test("a gap closes with the deletion of its node, also in a loop's body", () => {
  const gapOf = (nodeId: string | null) => ({ node: String(nodeId), type: "n8n", reason: "Not converted", nodeId });
  const settings = {
    canvas: { imported: { from: "n8n", gaps: ["trigger", "kept", "deep", "gone", null].map(gapOf) } },
  };
  const body = { nodes: [{ id: "deep", type: "log" }], edges: [] };
  const nodes = [nodeOf("kept"), nodeOf("each", { type: "loop", config: { body } })];
  const open = openGaps(draftOf({ nodes, settings }), testTypes).map(({ nodeId }) => nodeId);
  expect(open).toEqual(["trigger", "kept", "deep", null]);
  expect(openGaps(draftOf({ nodes }), testTypes)).toEqual([]);
});
