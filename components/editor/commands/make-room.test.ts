import { expect, test } from "vitest";
import { cardHeight } from "#components/canvas/flow-graph.ts";
import { freePlace } from "../draft/place-draft.ts";
import { draftOf, nodeOf, testTypes } from "../testing/draft-of.ts";
import { placeBetween, roomBefore } from "./connect.ts";

const at = (id: string, x: number, y = 0) => nodeOf(id, { position: { x, y } });
const edges = [
  { source: "a", target: "b" },
  { source: "b", target: "c" },
];
const wire = { source: "a", target: "b" };

test("between close cards a new one goes beside the first, and the following ones make room", () => {
  const draft = draftOf({ nodes: [at("a", 0), at("b", 300, 50), at("c", 600), at("else", 640)], edges });
  const place = placeBetween(draft, wire, { x: 150, y: 400 }, testTypes);
  expect(place).toEqual({ x: 328, y: 50 });
  expect([...roomBefore(draft, "b", place)]).toEqual([
    ["b", { x: 656, y: 50 }],
    ["c", { x: 956, y: 0 }],
  ]);
});

test("if there is room, the new card stays where it was dropped, and nothing moves", () => {
  const draft = draftOf({ nodes: [at("a", 0), at("b", 700), at("c", 1000)], edges });
  const place = placeBetween(draft, wire, { x: 340, y: 30 }, testTypes);
  expect(place).toEqual({ x: 340, y: 30 });
  expect(roomBefore(draft, "b", place).size).toBe(0);
});

test("a card before the first node moves that one and leaves the trigger in place", () => {
  const draft = draftOf({ nodes: [at("a", 328)] });
  const place = placeBetween(draft, { source: "trigger", target: "a" }, { x: 200, y: 0 }, testTypes);
  expect(place).toEqual({ x: 328, y: 0 });
  expect([...roomBefore(draft, "a", place)]).toEqual([["a", { x: 656, y: 0 }]]);
});

test("a card added below one with branches does not overlap it", () => {
  const draft = draftOf({ nodes: [nodeOf("check", { type: "if-else", position: { x: 328, y: 0 } })] });
  const place = freePlace(draft, { x: 328, y: 0 }, testTypes);
  expect(place.y).toBeGreaterThanOrEqual(cardHeight({ branches: ["true", "false"] }) + 40);
});
