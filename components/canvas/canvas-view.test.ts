import { expect, test } from "vitest";
import { moveIntoView } from "./canvas-view.ts";

const screen = { width: 800, height: 600 };
const view = { x: 0, y: 0, zoom: 1 };
const card = (x: number, y: number) => ({ x, y, width: 240, height: 60 });

test("a card in view moves nothing", () => {
  expect(moveIntoView(card(100, 100), view, screen, 24)).toBeNull();
});

test("a card beyond an edge moves in by as much as it was out, plus the margin", () => {
  expect(moveIntoView(card(700, 100), view, screen, 24)).toEqual({ x: -164, y: 0, zoom: 1 });
  expect(moveIntoView(card(-50, 590), view, screen, 24)).toEqual({ x: 74, y: -74, zoom: 1 });
});

test("of a card larger than the screen, the beginning is shown", () => {
  expect(moveIntoView(card(0, 100), { ...view, x: -40, zoom: 4 }, screen, 24)).toEqual({ x: 24, y: -64, zoom: 4 });
});
