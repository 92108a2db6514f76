import { expect, test } from "vitest";
import { draftOf, nodeOf } from "#components/editor/testing/draft-of.ts";
import { applyFix } from "./apply-fix.ts";

test("a fix replaces what it changes, keeps every other object, and what is not checked", () => {
  const draft = draftOf({
    nodes: [nodeOf("ask", { config: { message: "a" } }), nodeOf("lost")],
    edges: [{ source: "trigger", target: "ask" }],
  });
  const [ask] = draft.nodes;
  const definition = { trigger: draft.trigger, nodes: [ask], edges: [...draft.edges] };
  const fixed = applyFix({ title: "Remove it", definition }, [])(draft);
  expect(fixed.nodes).toEqual([ask]);
  expect(fixed.nodes[0]).toBe(ask);
  expect(fixed.edges).toBe(draft.edges);
  expect(fixed.trigger).toBe(draft.trigger);
  expect(fixed.settings).toBe(draft.settings);
});
