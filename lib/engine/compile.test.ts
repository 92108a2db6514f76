import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ancestorsOf, descendantsOf } from "./compile.ts";
import { graphOf } from "./testing/flows.ts";

describe("a compiled graph", () => {
  test("nodes come after those they depend on, and know their position in the flow", () => {
    const graph = graphOf(["c", "b", "a"], ["a -> b", "b -> c", "trigger -> b"]);
    expect(graph.order.map(({ node }) => node.id)).toEqual(["a", "b", "c"]);
    expect(graph.order.map(({ index }) => index)).toEqual([2, 1, 0]);
  });

  test("a node catches its failure if an edge leaves by its error handle", () => {
    const graph = graphOf(["a", "b", "c"], ["a:error -> b", "b -> c"]);
    expect([...graph.byId.values()].map(({ catches }) => catches)).toEqual([true, false, false]);
  });

  test("ancestors are all nodes that a node depends on, nearest first", () => {
    const graph = graphOf(["a", "b", "c", "d", "other"], ["trigger -> a", "a -> b", "b -> c", "a -> c", "c -> d"]);
    expect(ancestorsOf(graph, "d")).toEqual(["c", "b", "a"]);
    expect(ancestorsOf(graph, "a")).toEqual([]);
  });

  test("descendants are the node and everything that follows it", () => {
    const graph = graphOf(["a", "b", "c", "d"], ["a -> b", "b -> c", "d -> c"]);
    expect([...descendantsOf(graph, "b")].sort()).toEqual(["b", "c"]);
  });

  test("whatever the graph: every node once, after its parents; ancestors mirror descendants", () => {
    const arrows = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 25 });
    const property = fc.property(
      arrows,
      fc.shuffledSubarray([...Array(10).keys()], { minLength: 10 }),
      (pairs, ids) => {
        const edges = pairs.filter(([a, b]) => a < b).map(([a, b]) => `n${a} -> n${b}`);
        const graph = graphOf(
          ids.map((id) => `n${id}`),
          edges,
        );
        const places = new Map(graph.order.map(({ node }, index) => [node.id, index]));
        expect(places.size).toBe(10);
        for (const { node, incoming } of graph.order) {
          for (const { source } of incoming) expect(places.get(source)).toBeLessThan(places.get(node.id) ?? -1);
          for (const id of ancestorsOf(graph, node.id)) expect(descendantsOf(graph, id).has(node.id)).toBe(true);
        }
      },
    );
    fc.assert(property, { numRuns: 200 });
  });
});
