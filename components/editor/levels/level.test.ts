import { describe, expect, test } from "vitest";
import { draftOf, nodeOf, testTypes } from "#components/editor/testing/draft-of.ts";
import { changeCanvas, changeNode } from "../commands/change.ts";
import { canvasOf } from "../draft/canvas-settings.ts";
import { allPlaced, existingPath, levelAt, pathTo, withLevel, withoutLostBodies } from "./level.ts";

const inner = { nodes: [{ id: "deep", type: "log", config: { message: "x" } }] };
const body = {
  kept: "as it is",
  nodes: [
    { id: "first", type: "log" },
    { id: "lines", type: "loop", config: { items: "$item.lines", body: inner } },
  ],
  edges: [{ source: "first", target: "lines" }],
};
const flow = draftOf({
  nodes: [nodeOf("ask"), nodeOf("each", { type: "loop", config: { items: "$node.output", body } })],
  edges: [{ source: "ask", target: "each" }],
  settings: { canvas: { notes: [], samples: [{ name: "One", data: 1 }], own: true } },
});
const ids = (draft: typeof flow) => draft.nodes.map(({ id }) => id);

describe("a loop's body is a level of the flow", () => {
  test("it is shown as a flow of its own, with the rest of the flow around it", () => {
    const level = levelAt(flow, ["each"], testTypes);
    expect(ids(level)).toEqual(["first", "lines"]);
    expect(level.edges).toEqual([{ id: "first→lines", source: "first", target: "lines" }]);
    expect(level.trigger).toBe(flow.trigger);
    expect(canvasOf(level).samples).toEqual([{ name: "One", data: 1 }]);
    expect(ids(levelAt(flow, ["each", "lines"], testTypes))).toEqual(["deep"]);
    expect(levelAt(flow, [], testTypes)).toBe(flow);
  });

  test("the same flow and path give the same objects, and an unchanged body the same nodes", () => {
    const path = ["each"];
    expect(levelAt(flow, path, testTypes)).toBe(levelAt(flow, path, testTypes));
    const renamed = changeNode("ask", { name: "Other" })(flow);
    expect(levelAt(renamed, path, testTypes).nodes).toBe(levelAt(flow, path, testTypes).nodes);
  });

  test("nodes without positions are placed side by side", () => {
    const places = levelAt(flow, ["each"], testTypes).nodes.map(({ position }) => position.x);
    expect(new Set(places).size).toBe(2);
  });

  test("what is not there shows the level around it: removed loops, bodies that are no graph, loops that run a flow", () => {
    expect(existingPath(flow, ["each", "gone", "lines"], testTypes)).toEqual(["each"]);
    const broken = changeNode("each", { config: { body: { nodes: "none" } } })(flow);
    expect(existingPath(broken, ["each"], testTypes)).toEqual([]);
    expect(levelAt(broken, ["each"], testTypes)).toBe(broken);
    const other = changeNode("each", { config: { flowId: "flow_1" } })(flow);
    expect(existingPath(other, ["each"], testTypes)).toEqual([]);
    expect(existingPath(changeNode("each", { config: {} })(flow), ["each"], testTypes)).toEqual(["each"]);
  });

  test("nodes are found at any depth", () => {
    expect(pathTo(flow.nodes, "deep", testTypes)).toEqual(["each", "lines"]);
    expect(pathTo(flow.nodes, "ask", testTypes)).toEqual([]);
    expect(pathTo(flow.nodes, "nobody", testTypes)).toBe(null);
    expect(allPlaced(flow.nodes, testTypes).map(({ node }) => node.id)).toEqual([
      "ask",
      "each",
      "first",
      "lines",
      "deep",
    ]);
  });
});

describe("a change of a level", () => {
  const path = ["each", "lines"];
  const change = (command: (level: typeof flow) => typeof flow) =>
    withLevel(flow, path, command(levelAt(flow, path, testTypes)), testTypes);

  test("is a change of the flow, in the body alone", () => {
    const changed = change(changeNode("deep", { name: "Deepest" }));
    expect(changed.nodes[0]).toBe(flow.nodes[0]);
    expect(changed.edges).toBe(flow.edges);
    expect(changed.settings).toBe(flow.settings);
    expect(levelAt(changed, path, testTypes).nodes[0]?.name).toBe("Deepest");
    expect(changed.nodes[1]?.config).toMatchObject({ items: "$node.output", body: { kept: "as it is" } });
    expect(JSON.parse(JSON.stringify(changed))).toEqual(changed);
  });

  test("nothing changed is the same flow", () => {
    expect(change((level) => level)).toBe(flow);
  });

  test("its notes are the level's, and samples and pins the flow's", () => {
    const note = { id: "note:note", x: 0, y: 0, width: 10, height: 10, text: "Here", color: "blue" as const };
    const noted = change(changeCanvas({ notes: [note], samples: [] }));
    expect(canvasOf(noted)).toMatchObject({ notes: [], samples: [], bodies: { lines: { notes: [note] } } });
    expect(noted.settings.canvas?.own).toBe(true);
    expect(canvasOf(levelAt(noted, path, testTypes)).notes).toEqual([note]);
    expect(canvasOf(levelAt(noted, ["each"], testTypes)).notes).toEqual([]);
    expect(noted.nodes).toBe(flow.nodes);

    const withoutLoop = { ...noted, nodes: noted.nodes.slice(0, 1) };
    expect(canvasOf(withoutLostBodies(withoutLoop, testTypes)).bodies).toEqual({});
    expect(withoutLostBodies(noted, testTypes)).toBe(noted);
  });

  test("the flow's name is changed on any level", () => {
    expect(change((level) => ({ ...level, name: "Renamed" })).name).toBe("Renamed");
  });

  test("fifteen loops in one another are as many levels, which is as deep as the API takes them", () => {
    let nested: Record<string, unknown> = { nodes: [{ id: "end", type: "log" }] };
    for (let depth = 15; depth >= 1; depth -= 1) {
      nested = { nodes: [{ id: `loop-${depth}`, type: "loop", config: { body: nested } }] };
    }
    const [first = nodeOf("none")] = levelAt(
      draftOf({ nodes: [nodeOf("top", { type: "loop", config: JSON.parse(JSON.stringify({ body: nested })) })] }),
      ["top"],
      testTypes,
    ).nodes;
    const deep = draftOf({ nodes: [first] });
    const path = pathTo(deep.nodes, "end", testTypes) ?? [];
    expect(path).toHaveLength(15);
    const changed = withLevel(deep, path, changeNode("end", { name: "x" })(levelAt(deep, path, testTypes)), testTypes);
    expect(levelAt(changed, path, testTypes).nodes[0]?.name).toBe("x");
  });
});
