import { expect, test } from "vitest";
import { canvasOf } from "./canvas-settings.ts";

const note = { id: "n1", x: 0, y: 0, width: 240, height: 160, text: "Hi", color: "blue" };
const group = { id: "g1", name: "Pay", nodeIds: ["a"], collapsed: false };
const gap = { node: "A", type: "set", reason: "Not converted", nodeId: null };

test("one thing on the canvas that cannot be read does not take the others with it", () => {
  const canvas = {
    notes: [{ ...note, width: "wide" }, note, null, { ...note, id: "n2", color: "#ff0000" }],
    groups: [{ id: "g0" }, group],
    samples: [{ data: 1 }, { name: "One", data: 1 }],
    bodies: { loop: { notes: [7, note], groups: "none" }, broken: 7 },
    imported: { from: "n8n", gaps: [{}, gap] },
  };
  expect(canvasOf({ settings: { canvas } })).toEqual({
    notes: [note, { ...note, id: "n2", color: "yellow" }],
    groups: [group],
    trigger: null,
    samples: [{ name: "One", data: 1 }],
    bodies: { loop: { notes: [note], groups: [], trigger: null }, broken: { notes: [], groups: [], trigger: null } },
    pins: {},
    imported: { from: "n8n", gaps: [gap] },
  });
});
