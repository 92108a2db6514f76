import { expect, test } from "vitest";
import { draftOf, nodeOf, testTypes } from "#components/editor/testing/draft-of.ts";
import { readableFrom } from "./nodes-before.ts";

const lines = { nodes: [{ id: "line", type: "log" }] };
const body = {
  nodes: [
    { id: "price", type: "log" },
    { id: "lines", type: "loop", config: { body: lines } },
  ],
  edges: [{ source: "price", target: "lines" }],
};
const flow = draftOf({
  nodes: [nodeOf("ask"), nodeOf("each", { type: "loop", config: { body } }), nodeOf("after")],
  edges: [
    { source: "ask", target: "each" },
    { source: "each", target: "after" },
  ],
});

test("a node in a body reads those before it there and before the loops around it; the first one's $node is the item", () => {
  expect(readableFrom(flow, [], "after", testTypes)).toEqual({
    before: "each",
    ancestors: ["each", "ask"],
    inBodies: [],
  });
  expect(readableFrom(flow, ["each"], "price", testTypes)).toEqual({
    before: "each",
    ancestors: ["ask"],
    inBodies: ["each"],
  });
  expect(readableFrom(flow, ["each"], "lines", testTypes)).toEqual({
    before: "price",
    ancestors: ["price", "ask"],
    inBodies: ["price", "each"],
  });
  expect(readableFrom(flow, ["each", "lines"], "line", testTypes)).toEqual({
    before: "lines",
    ancestors: ["price", "ask"],
    inBodies: ["price", "lines"],
  });
});
