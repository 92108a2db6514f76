import { expect, test } from "vitest";
import { draftOf, nodeOf, testTypes } from "../testing/draft-of.ts";
import { placeDraft } from "./place-draft.ts";

const at = (id: string, x: number, y: number) => nodeOf(id, { position: { x, y } });
const placesOf = (...nodes: ReturnType<typeof nodeOf>[]) =>
  placeDraft(draftOf({ nodes }), testTypes).nodes.map(({ position: { x, y } }) => [x, y]);

test("a node that covers another is moved aside, and the others stay where somebody has put them", () => {
  expect(placesOf(at("a", 0, 0), at("b", 500, 70), at("c", 900, 30), at("d", 900, 30))).toEqual([
    [0, 0],
    [500, 70],
    [900, 30],
    [900, 150],
  ]);
});

test("nodes that nobody has placed are laid out", () => {
  const places = placesOf(at("a", 0, 0), at("b", 0, 0), at("c", 0, 0));
  expect(new Set(places.map(String)).size).toBe(3);
});
