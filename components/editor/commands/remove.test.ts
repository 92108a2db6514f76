import { expect, test } from "vitest";
import { canvasOf, withCanvas } from "../draft/canvas-settings.ts";
import { draftOf, nodeOf } from "../testing/draft-of.ts";
import { remove, removeAndJoin } from "./remove.ts";

const chain = draftOf({
  nodes: [nodeOf("a"), nodeOf("b"), nodeOf("c")],
  edges: [
    { source: "a", target: "b" },
    { source: "b", target: "c" },
  ],
});
const none = new Set<string>();
const ids = (items: readonly { readonly id: string }[]) => items.map((item) => item.id);

test("a removed node takes its edges with it", () => {
  const left = remove({ nodes: new Set(["b"]), edges: none })(chain);
  expect([ids(left.nodes), left.edges]).toEqual([["a", "c"], []]);
});

test("the trigger is not removed", () => {
  expect(remove({ nodes: new Set(["trigger"]), edges: none })(chain)).toBe(chain);
});

test("a removed node leaves its groups and its pin; an empty group is removed", () => {
  const group = (id: string, nodeIds: string[]) => ({ id, name: id, nodeIds, collapsed: false });
  const drawn = withCanvas(chain, { groups: [group("one", ["b"]), group("two", ["a", "b"])], pins: { b: 1, a: 2 } });
  const canvas = canvasOf(remove({ nodes: new Set(["b"]), edges: none })(drawn));
  expect(canvas.groups.map(({ id, nodeIds }) => [id, nodeIds])).toEqual([["two", ["a"]]]);
  expect(canvas.pins).toEqual({ a: 2 });
});

test("a removed group takes its contents along", () => {
  const groups = [{ id: "group:one", name: "One", nodeIds: ["a", "b"], collapsed: true }];
  const left = remove({ nodes: new Set(["group:one"]), edges: none })(withCanvas(chain, { groups }));
  expect([ids(left.nodes), left.edges, canvasOf(left).groups]).toEqual([["c"], [], []]);
});

const wires = ({ edges }: Pick<typeof chain, "edges">) =>
  edges.map(({ source, sourceHandle, target }) => `${source}${sourceHandle ? `.${sourceHandle}` : ""} ${target}`);
const removed = (ids: readonly string[], ...edges: readonly string[]) => {
  const nodes = [...new Set(edges.flatMap((edge) => edge.replace(/\.\w+/, "").split(" ")))];
  const draft = draftOf({
    nodes: nodes.map((id) => nodeOf(id, id === "if" ? { type: "if-else" } : {})),
    edges: edges.map((edge) => {
      const [source = "", target = ""] = edge.split(" ");
      const [id = "", sourceHandle] = source.split(".");
      return { source: id, target, ...(sourceHandle !== undefined && { sourceHandle }) };
    }),
  });
  return wires(removeAndJoin({ nodes: new Set(ids), edges: none })(draft));
};

test("removing nodes of a chain joins their neighbours, by the handle that led to them", () => {
  expect(removed(["b"], "a b", "b c")).toEqual(["a c"]);
  expect(removed(["b", "c"], "a b", "b c", "c d")).toEqual(["a d"]);
  expect(removed(["b", "d"], "a b", "b c", "c d", "d e")).toEqual(["a c", "c e"]);
  expect(removed(["b"], "if.false b", "b c")).toEqual(["if.false c"]);
  expect(removed(["b"], "a.error b", "b c")).toEqual(["a.error c"]);
  expect(removed(["b"], "a b", "x b", "b c")).toEqual(["a c", "x c"]);
  expect(removed(["b"], "a b", "b c", "a c")).toEqual(["a c"]);
});

test("nothing is joined at the ends of a chain, between several nodes, or past an error", () => {
  expect(removed(["a"], "a b", "b c")).toEqual(["b c"]);
  expect(removed(["c"], "a b", "b c")).toEqual(["a b"]);
  expect(removed(["if"], "a if", "if.true b", "if.false c")).toEqual([]);
  expect(removed(["b"], "a b", "b.error c")).toEqual([]);
  expect(removed(["b"], "a b", "b c", "b.error d")).toEqual(["a c"]);
});

test("a wire that is removed with its node is not joined", () => {
  const [first] = chain.edges;
  const left = removeAndJoin({ nodes: new Set(["b"]), edges: new Set([first?.id ?? ""]) })(chain);
  expect(wires(left)).toEqual([]);
});
