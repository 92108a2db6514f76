import { expect, test } from "vitest";
import { cardSize } from "#components/canvas/flow-graph.ts";
import { catalogueOf } from "#components/editor/draft/catalogue.ts";
import { draftOf, nodeOf, testTypes } from "#components/editor/testing/draft-of.ts";
import { canvasOf, withCanvas } from "../draft/canvas-settings.ts";
import { levelAt } from "../levels/level.ts";
import { moveInto, moveOut, refuseMoveInto, refuseMoveOut } from "./move-between.ts";

const loop = nodeOf("each", {
  type: "loop",
  position: { x: 300, y: 0 },
  config: { body: { nodes: [{ id: "in", type: "log", position: { x: 0, y: 0 } }] } },
});
const flow = draftOf({
  nodes: [nodeOf("a"), loop, nodeOf("b", { position: { x: 700, y: 0 } }), nodeOf("c"), nodeOf("d")],
  edges: [
    { source: "a", target: "each" },
    { source: "each", target: "b" },
    { source: "b", target: "c" },
    { source: "c", target: "d" },
  ],
  settings: {
    canvas: { groups: [{ id: "group:1", name: "Both", nodeIds: ["b", "c"], collapsed: false }], pins: { b: 1, d: 2 } },
  },
});
const wires = ({ edges }: Pick<typeof flow, "edges">) => edges.map(({ id }) => id);
const moved = moveInto([], new Set(["b", "c", "each"]), "each", testTypes)(flow);

test("nodes moved into a loop keep their ids and the wires between them, and the flow around stays connected", () => {
  expect(moved.nodes.map(({ id }) => id)).toEqual(["a", "each", "d"]);
  expect(wires(moved)).toEqual(["a→each", "each→d"]);
  const body = levelAt(moved, ["each"], testTypes);
  expect(body.nodes.map(({ id }) => id)).toEqual(["in", "b", "c"]);
  expect(wires(body)).toEqual(["b→c"]);
  // Below the existing nodes, and not connected to them.
  const places = body.nodes.slice(1).map(({ position }) => position);
  expect(Math.min(...places.map(({ x }) => x))).toBe(0);
  expect(Math.min(...places.map(({ y }) => y))).toBeGreaterThan(cardSize.head + 2 * cardSize.branch);
});

test("a group moves with its nodes, and pins, which bodies have none of, are dropped", () => {
  expect(canvasOf(moved)).toMatchObject({ groups: [], pins: { d: 2 } });
  expect(canvasOf(levelAt(moved, ["each"], testTypes)).groups[0]?.nodeIds).toEqual(["b", "c"]);
});

test("nodes moved out of a loop run after it, wired as they were", () => {
  const out = moveOut(["each"], new Set(["b", "c"]), testTypes)(moved);
  expect(out.nodes.map(({ id }) => id)).toEqual(["a", "each", "d", "b", "c"]);
  expect(wires(out)).toEqual(["a→each", "each→d", "b→c", "each→b"]);
  expect(levelAt(out, ["each"], testTypes).nodes.map(({ id }) => id)).toEqual(["in"]);
  expect(moveOut([], new Set(["a"]), testTypes)(flow)).toBe(flow);
});

test("what led to a moved node leads only to what could be reached from it", () => {
  const lanes = draftOf({
    nodes: ["a", "b", "c", "x", "y", "z"].map((id) => nodeOf(id)).concat(loop),
    edges: [
      { source: "a", target: "b" },
      { source: "b", target: "c" },
      { source: "x", target: "y" },
      { source: "y", target: "z" },
    ],
  });
  expect(wires(moveInto([], new Set(["b", "y"]), "each", testTypes)(lanes))).toEqual(["a→c", "x→z"]);
});

test("notes and groups get ids that are free where they are moved to", () => {
  const note = { id: "note:1", x: 0, y: 0, width: 240, height: 140, text: "", color: "yellow" as const };
  const group = { id: "group:1", name: "Own", nodeIds: ["in"], collapsed: false };
  const noted = withCanvas(flow, {
    notes: [note],
    bodies: { each: { notes: [note], groups: [group], trigger: null } },
  });
  const into = moveInto([], new Set(["b", "c", "note:1"]), "each", testTypes)(noted);
  const { notes, groups } = canvasOf(levelAt(into, ["each"], testTypes));
  expect([new Set(notes.map(({ id }) => id)).size, new Set(groups.map(({ id }) => id)).size]).toEqual([2, 2]);
});

test("nodes with another one between them do not move, and the one between is named", () => {
  const types = catalogueOf(testTypes);
  const refused = (ids: readonly string[]) => refuseMoveInto(flow, new Set(ids), "each", types);
  expect(refused(["b", "d"])).toBe("“c” runs between the selected nodes. Select it too, or move them one by one.");
  expect(refused(["a", "b"])).toContain("“each” runs between");
  expect([refused(["b", "c", "each"]), refused(["d"]), refused(["a"])]).toEqual([null, null, null]);
  const line = { nodes: ["x", "y", "z"].map((id) => nodeOf(id)), edges: ["x→y", "y→z"] };
  const body = draftOf({
    nodes: line.nodes,
    edges: line.edges.map((edge) => ({ source: edge[0] ?? "", target: edge[2] ?? "" })),
  });
  expect(refuseMoveOut(body, flow, new Set(["x", "z"]), "each", types)).toContain("“y” runs between");
  expect(refuseMoveOut(body, flow, new Set(["y", "z"]), "each", types)).toBeNull();
});

test("nodes do not move where what leads to them cannot lead on", () => {
  const types = catalogueOf(testTypes);
  // By a handle that the node lacks.
  const broken = {
    ...flow,
    edges: flow.edges.map((edge) => (edge.target === "c" ? { ...edge, sourceHandle: "gone" } : edge)),
  };
  expect(refuseMoveInto(broken, new Set(["c"]), "each", types)).toContain("gone");
});
