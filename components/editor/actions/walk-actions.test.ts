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
