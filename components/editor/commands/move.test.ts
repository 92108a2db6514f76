import { expect, test } from "vitest";
import { draftOf, nodeOf } from "#components/editor/testing/draft-of.ts";
import { align, distribute, move } from "./move.ts";

const boxes = [
  { id: "a", x: 0, y: 0, width: 10, height: 10 },
  { id: "b", x: 100, y: 40, width: 20, height: 10 },
  { id: "c", x: 30, y: 90, width: 10, height: 10 },
];

test("boxes are aligned on the side of their common bounding box", () => {
  expect([...align(boxes, "right").values()].map((place) => place.x)).toEqual([110, 100, 110]);
  expect([...align(boxes, "middle").values()].map((place) => place.x)).toEqual([55, 50, 55]);
  expect([...align(boxes, "bottom").values()].map((place) => place.y)).toEqual([90, 90, 90]);
});

test("distributed boxes have equal gaps, and the outer ones stay", () => {
  const places = distribute(boxes, "x");
  expect([places.get("a")?.x, places.get("c")?.x, places.get("b")?.x]).toEqual([0, 50, 100]);
});

test("moving keeps what stays where it is as the same object, and places the trigger", () => {
  const draft = draftOf({ nodes: [nodeOf("a"), nodeOf("b")] });
  const moved = move(
    new Map([
      ["a", { x: 5, y: 6 }],
      ["trigger", { x: -9, y: 0 }],
    ]),
  )(draft);
  expect(moved.nodes[0]?.position).toEqual({ x: 5, y: 6 });
  expect(moved.nodes[1]).toBe(draft.nodes[1]);
  expect(moved.settings.canvas).toMatchObject({ trigger: { x: -9, y: 0 } });
  expect(move(new Map())(draft)).toBe(draft);
});
