import { expect, test } from "vitest";
import { draftOf, nodeOf } from "../testing/draft-of.ts";
import { neighbourOf } from "./walk-actions.ts";

const draft = draftOf({
  nodes: [
    nodeOf("check", { position: { x: 300, y: 100 } }),
    nodeOf("yes", { position: { x: 600, y: 0 } }),
    nodeOf("no", { position: { x: 600, y: 200 } }),
  ],
  edges: [
    { source: "check", target: "yes" },
    { source: "check", target: "no" },
  ],
});

test("right and left follow the wires, including the trigger's", () => {
  expect(neighbourOf(draft, "trigger", "right")).toBe("check");
  expect(neighbourOf(draft, "check", "right")).toBe("yes");
  expect(neighbourOf(draft, "no", "left")).toBe("check");
  expect(neighbourOf(draft, "yes", "right")).toBeNull();
});

test("up and down go to the nearest card in that direction", () => {
  expect(neighbourOf(draft, "yes", "down")).toBe("no");
  expect(neighbourOf(draft, "no", "up")).toBe("yes");
});

const withGroup = (collapsed: boolean) => ({
  ...draft,
  settings: {
    canvas: {
      groups: [{ id: "group:1", name: "Both", nodeIds: ["yes", "no"], collapsed }],
      notes: [{ id: "note:1", x: 310, y: 400, width: 240, height: 140, text: "", color: "yellow" }],
    },
  },
});

test("arrows lead from a note and from a group's frame to the nearest card in that direction", () => {
  expect(neighbourOf(withGroup(false), "note:1", "up")).toBe("check");
  expect(neighbourOf(withGroup(false), "note:1", "right")).toBe("no");
  expect(neighbourOf(withGroup(false), "note:1", "down")).toBeNull();
  expect(neighbourOf(withGroup(false), "group:1", "right")).toBe("yes");
  expect(neighbourOf(withGroup(false), "group:1", "left")).toBe("check");
});

test("a collapsed group is a step of the way in place of its nodes", () => {
  const collapsed = withGroup(true);
  expect(neighbourOf(collapsed, "check", "right")).toBe("group:1");
  expect(neighbourOf(collapsed, "group:1", "left")).toBe("check");
  expect(neighbourOf(collapsed, "group:1", "right")).toBeNull();
  expect(neighbourOf(collapsed, "check", "up")).toBe("group:1");
  expect(neighbourOf(collapsed, "note:1", "right")).toBe("group:1");
});
