import { expect, test } from "vitest";
import { FirstPicture } from "./first-picture.tsx";

const node = (_: unknown, index: number) => ({
  id: `n${index}`,
  type: "log",
  name: `n${index}`,
  position: { x: 0, y: 0 },
  config: {},
});
const picture = (nodes: number, edges: number) =>
  FirstPicture({
    flow: {
      trigger: { type: "manual", config: {} },
      nodes: Array.from({ length: nodes }, node),
      edges: Array.from({ length: edges }, (_, index) => ({
        source: `n${index % (nodes - 1)}`,
        target: `n${nodes - 1}`,
      })),
    },
    types: [],
    runs: new Map(),
    live: false,
  });

test("a flow that fits is drawn, and one too large to read or with very many wires is not", () => {
  expect(picture(5, 4)).not.toBeNull();
  expect(picture(5, 160)).not.toBeNull();
  expect(picture(5, 161)).toBeNull();
  expect(picture(40, 39)).toBeNull();
  expect(picture(41, 40)).toBeNull();
});
