import Elk from "elkjs/lib/elk.bundled.js";
import { expect, test } from "vitest";
import { drawFlow } from "#components/canvas/flow-graph.ts";
import { draftOf, nodeOf, testTypes } from "#components/editor/testing/draft-of.ts";
import { elkGraphOf } from "./lay-out-actions.ts";

test("the layout runs from left to right, and branches keep the order of their handles", async () => {
  const draft = draftOf({
    nodes: [nodeOf("no"), nodeOf("check", { type: "if-else" }), nodeOf("yes")],
    edges: [
      { source: "check", target: "no", sourceHandle: "false" },
      { source: "check", target: "yes", sourceHandle: "true" },
    ],
  });
  const { children = [] } = await new Elk().layout(elkGraphOf(drawFlow(draft, testTypes)));
  const at = (id: string) => children.find((child) => child.id === id);
  expect(at("trigger")?.x).toBeLessThan(at("check")?.x ?? 0);
  expect(at("check")?.x).toBeLessThan(at("yes")?.x ?? 0);
  expect(at("yes")?.y).toBeLessThan(at("no")?.y ?? 0);
});
