import { expect, test } from "vitest";
import { firstView, moveIntoView } from "./canvas-view.ts";

const screen = { width: 800, height: 600 };
const view = { x: 0, y: 0, zoom: 1 };
const card = (x: number, y: number) => ({ x, y, width: 240, height: 60 });

test("a card in view moves nothing", () => {
  expect(moveIntoView(card(100, 100), view, screen, 24)).toBeNull();
});

test("a card beyond an edge moves in by its overhang plus the margin", () => {
  expect(moveIntoView(card(700, 100), view, screen, 24)).toEqual({ x: -164, y: 0, zoom: 1 });
  expect(moveIntoView(card(-50, 590), view, screen, 24)).toEqual({ x: 74, y: -74, zoom: 1 });
});

test("a card larger than the screen shows its start", () => {
  expect(moveIntoView(card(0, 100), { ...view, x: -40, zoom: 4 }, screen, 24)).toEqual({ x: 24, y: -64, zoom: 4 });
});

const fit = { minZoom: 0.15, maxZoom: 1, padding: 0.07 };
const flow = { x: 0, y: 0, width: 1600, height: 200 };
const trigger = { x: 0, y: 100, width: 240, height: 60 };
const boxes = { all: flow, trigger, focus: null };

test("a flow is zoomed out until it fits the canvas", () => {
  const options = { fit, whole: false, readable: 0 };
  const wide = firstView(boxes, { width: 1200, height: 400 }, options);
  const smaller = firstView(boxes, { width: 800, height: 400 }, options);
  expect(smaller.zoom).toBeLessThan(wide.zoom);
  for (const [view, width] of [
    [wide, 1200],
    [smaller, 800],
  ] as const) {
    expect(view.x).toBeGreaterThan(0);
    expect(view.x + flow.width * view.zoom).toBeLessThan(width);
  }
});

test("a narrow canvas shows all of a small flow, and the start or the focused node of a large one", () => {
  const options = { fit, whole: false, readable: 0 };
  const narrow = { width: 390, height: 320 };
  expect(firstView(boxes, narrow, options)).toEqual({ zoom: 0.8, x: 16, y: 56 });
  const small = { ...flow, width: 552 };
  expect(firstView({ ...boxes, all: small }, narrow, options).zoom).toBeGreaterThan(0.5);
  const focus = { x: 1000, y: 0, width: 240, height: 60 };
  expect(firstView({ ...boxes, focus }, narrow, options)).toEqual({ zoom: 0.8, x: 195 - 896, y: 136 });
  expect(firstView(boxes, narrow, { ...options, whole: true }).zoom).toBeLessThan(0.25);
});
