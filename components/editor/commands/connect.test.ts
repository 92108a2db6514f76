import { expect, test } from "vitest";
import { catalogueOf } from "../draft/catalogue.ts";
import { draftOf, nodeOf, testTypes } from "../testing/draft-of.ts";
import { connect, reconnect, refuseEdge } from "./connect.ts";

const types = catalogueOf(testTypes);
const chain = draftOf({
  nodes: [nodeOf("a", { name: "Ask" }), nodeOf("b"), nodeOf("c"), nodeOf("old", { type: "no-such-type" })],
  edges: [
    { source: "a", target: "b" },
    { source: "b", target: "c" },
  ],
});

test("an edge that would close a cycle is refused, and the reason names the nodes", () => {
  const reason = refuseEdge(chain, { source: "c", handle: null, target: "a" }, types);
  expect(reason).toContain("cycle");
  expect(reason).toContain("Ask → b → c → Ask");
});

test("an edge to itself, to the trigger, or twice the same is refused", () => {
  expect(refuseEdge(chain, { source: "a", handle: null, target: "a" }, types)).toContain("itself");
  expect(refuseEdge(chain, { source: "a", handle: null, target: "trigger" }, types)).toContain("trigger");
  expect(refuseEdge(chain, { source: "a", handle: null, target: "b" }, types)).toContain("already");
});

test("a node of an unknown type can be wired", () => {
  expect(refuseEdge(chain, { source: "c", handle: null, target: "old" }, types)).toBeNull();
});

test("connecting adds an edge with its handle; the same again changes nothing", () => {
  const joined = connect({ source: "a", handle: "error", target: "c" })(chain);
  expect(joined.edges.at(-1)).toMatchObject({ source: "a", sourceHandle: "error", target: "c" });
  expect(connect({ source: "a", handle: "error", target: "c" })(joined)).toBe(joined);
});

test("a reconnected edge keeps its place, and is no obstacle to itself", () => {
  const [first] = chain.edges;
  const newEdge = { source: "a", handle: null, target: "c" };
  expect(refuseEdge(chain, { source: "a", handle: null, target: "b" }, types, first?.id)).toBeNull();
  const moved = reconnect(first?.id ?? "", newEdge)(chain);
  expect(moved.edges.map((edge) => edge.target)).toEqual(["c", "c"]);
});
