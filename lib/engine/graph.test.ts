import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findGraphProblems, handleOf } from "./graph.ts";
import type { NodeTypes } from "./node-types.ts";
import { definitionOf, edge, node, testTypes } from "./testing/flows.ts";

function problemsOf(...given: Parameters<typeof definitionOf>) {
  const { nodes, edges } = definitionOf(...given);
  return findGraphProblems(nodes, edges, testTypes);
}

const pathsOf = (...given: Parameters<typeof definitionOf>) => problemsOf(...given).map(({ path }) => path);

describe("what is refused", () => {
  test("a valid graph has no problems", () => {
    const nodes = ["a", node("if", "if-else"), node("sw", "switch", { cases: [{ id: "home" }] })];
    const arrows = [
      "trigger -> a",
      "a -> if",
      "if:true -> sw",
      "sw:home -> end",
      "sw:default -> end",
      "a:error -> end",
    ];
    expect(problemsOf([...nodes, "end"], arrows)).toEqual([]);
  });

  test("an empty graph has no problems", () => {
    expect(problemsOf([], [])).toEqual([]);
  });

  test.each<[string, Parameters<typeof definitionOf>, string, RegExp]>([
    ["an id used twice", [["a", "a"], []], "nodes[1].id", /id "a" is used by another node/],
    ["the trigger's name as an id", [["trigger"], []], "nodes[0].id", /reserved/],
    ["an unknown type", [[node("a", "nope")], []], "nodes[0].type", /unknown.*"nope".*known are step, if-else, switch/],
    ["an edge from nowhere", [["a"], ["x -> a"]], "edges[0].source", /there is no node "x"/],
    ["an edge to nowhere", [["a"], ["a -> x"]], "edges[0].target", /there is no node "x"/],
    ["an edge to the trigger", [["a"], ["a -> trigger"]], "edges[0].target", /there is no node "trigger"/],
    ["a node that leads to itself", [["a"], ["a -> a"]], "edges[0].target", /leads to itself/],
    [
      "a handle the type lacks",
      [["a", "b"], ["a:true -> b"]],
      "edges[0].sourceHandle",
      /no handle "true"; it has error/,
    ],
    [
      "a case that is not there",
      [[node("s", "switch", { cases: [{ id: "home" }] }), "b"], ["s:eu -> b"]],
      "edges[0].sourceHandle",
      /no handle "eu"; it has home, default, error/,
    ],
    ["a name every object has", [["a"], ["constructor -> a"]], "edges[0].source", /there is no node/],
    [
      "two nodes in a circle",
      [
        ["a", "b"],
        ["a -> b", "b -> a"],
      ],
      "edges[1]",
      /cycle: a → b → a$/,
    ],
    [
      "a circle behind other nodes",
      [
        ["a", "b", "c", "d"],
        ["a -> b", "b -> c", "c -> d", "d -> b"],
      ],
      "edges[3]",
      /cycle: b → c → d → b$/,
    ],
  ])("%s", (_, given, path, message) => {
    expect(problemsOf(...given)).toEqual([expect.objectContaining({ path, message: expect.stringMatching(message) })]);
  });

  test("all problems are reported at once, each with its path", () => {
    const nodes = ["a", "a", "trigger", node("b", "nope")];
    expect(pathsOf(nodes, ["x -> y", "a -> a", "a:false -> b"])).toEqual([
      "nodes[1].id",
      "nodes[2].id",
      "nodes[3].type",
      "edges[0].source",
      "edges[0].target",
      "edges[1].target",
      "edges[2].sourceHandle",
    ]);
  });

  test("an empty handle is the plain one", () => {
    const plain = edge("a -> b", { sourceHandle: "" });
    expect(pathsOf(["a", "b"], [plain])).toEqual([]);
    expect([plain, edge("a -> b", { sourceHandle: null }), edge("a -> b")].map(handleOf)).toEqual([null, null, null]);
  });

  test("a diamond is not a cycle", () => {
    expect(pathsOf(["a", "b", "c", "d"], ["a -> b", "a -> c", "b -> d", "c -> d"])).toEqual([]);
  });
});

describe("size", () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `n${index}`);

  test("1,000 nodes in a chain with 5,000 edges, with more paths than could be walked, are valid", () => {
    const edges = Array.from({ length: 5_000 }, (_, index) => {
      const from = index % 999;
      return edge(`n${from} -> n${Math.min(999, from + 1 + Math.floor(index / 999))}`);
    });
    const { nodes } = definitionOf(ids, []);
    expect(findGraphProblems(nodes, edges, testTypes)).toEqual([]);
  });

  test("a cycle of 1,000 nodes is found without deep recursion", () => {
    const arrows = ids.map((id, index) => `${id} -> n${(index + 1) % 1_000}`);
    expect(problemsOf(ids, arrows)[0]?.message).toMatch(/^the edges form a cycle: n0 → n1 → .* → n999 → n0$/);
  });

  test("a type's handles are computed once per node, and messages do not repeat a long list for every edge", () => {
    let calls = 0;
    const types: NodeTypes = {
      known: () => ["many"],
      traits: testTypes.traits,
      handles: () => {
        calls += 1;
        return Array.from({ length: 50_000 }, (_, index) => `case-${index}`);
      },
    };
    const { nodes } = definitionOf([node("a", "many"), node("b", "many")], []);
    const edges = Array.from({ length: 5_000 }, () => edge("a:nope -> b"));
    const problems = findGraphProblems(nodes, edges, types);
    expect(calls).toBe(2);
    expect(problems).toHaveLength(5_000);
    expect(problems[0]?.message.length).toBeLessThan(1_000);
  });
});

describe("random graphs", () => {
  /** Removes nodes without incoming edges until there are none: what remains is in a cycle or after one. */
  function hasCycle(size: number, arrows: readonly (readonly [number, number])[]): boolean {
    let left = new Set(Array.from({ length: size }, (_, index) => index));
    for (let before = -1; before !== left.size; ) {
      before = left.size;
      const targets = new Set(arrows.filter(([from]) => left.has(from)).map(([, to]) => to));
      left = new Set([...left].filter((index) => targets.has(index)));
    }
    return left.size > 0;
  }

  // Proves edge.no-cycle
  test("a cycle is found exactly if there is one, and the named nodes form one", () => {
    const graph = fc
      .integer({ min: 1, max: 12 })
      .chain((size) =>
        fc.tuple(fc.constant(size), fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 24 })),
      );
    const property = fc.property(graph, ([size, pairs]) => {
      const arrows = pairs.filter(([from, to]) => from !== to);
      const { nodes, edges } = definitionOf(
        Array.from({ length: size }, (_, index) => `n${index}`),
        arrows.map(([from, to]) => `n${from} -> n${to}`),
      );
      const problems = findGraphProblems(nodes, edges, testTypes);
      expect(problems.length > 0).toBe(hasCycle(size, arrows));
      const [problem] = problems;
      if (problem === undefined) return;
      const circle = problem.message.replace("the edges form a cycle: ", "").split(" → ");
      expect(circle[0]).toBe(circle.at(-1));
      for (const [index, from] of circle.slice(0, -1).entries()) {
        expect(edges.some((item) => item.source === from && item.target === circle[index + 1])).toBe(true);
      }
      const closing = edges[Number(/\d+/.exec(problem.path)?.[0])];
      expect([closing?.source, closing?.target]).toEqual(circle.slice(-2));
    });
    fc.assert(property, { numRuns: 500 });
  });
});

test("a message quotes only the beginning of a long type or handle, because each edge may have its own message", () => {
  const long = "x".repeat(100_000);
  const cases = Array.from({ length: 20 }, (_, index) => ({ id: `${index}${long}` }));
  const nodes = [node("odd", long), node("sw", "switch", { cases }), "end"];
  const problems = problemsOf(nodes, ["odd:no -> end", "sw:no -> end"]);
  expect(problems.map(({ path }) => path)).toContain("edges[1].sourceHandle");
  for (const { message } of problems) expect(message.length).toBeLessThan(2_000);
});
