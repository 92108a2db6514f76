import { expect, test } from "vitest";
import { placeCards } from "./column-layout.ts";
import { cardHeight, cardSize, drawFlow } from "./flow-graph.ts";

const node = (id: string, x = 0, y = 0) => ({ id, type: "log", name: id, position: { x, y }, config: {} });
const edge = (source: string, target: string) => ({ source, target });
const trigger = { type: "manual", config: {} } as const;

test("cards that somebody placed stay where they are, and the trigger is placed before the first", () => {
  const graph = drawFlow({ trigger, nodes: [node("a", 400, 80), node("b", 720, 80)], edges: [edge("a", "b")] }, []);
  const { places } = placeCards(graph);
  expect(places.get("a")).toEqual({ x: 400, y: 80 });
  expect(places.get("b")).toEqual({ x: 720, y: 80 });
  expect(places.get("trigger")?.x).toBeLessThan(400 - cardSize.width);
});

test("cards without positions are placed in columns without overlap, and a long wire passes between them", () => {
  const nodes = ["a", "b", "c", "d", "end"].map((id) => node(id));
  const edges = [edge("a", "b"), edge("a", "c"), edge("b", "d"), edge("d", "end"), edge("c", "end")];
  const graph = drawFlow({ trigger, nodes, edges }, []);
  const { places, lanes } = placeCards(graph);
  const boxes = graph.cards.map((card) => ({ ...(places.get(card.id) ?? { x: 0, y: 0 }), height: cardHeight(card) }));
  for (const [index, a] of boxes.entries()) {
    for (const b of boxes.slice(index + 1)) {
      expect(a.x !== b.x || a.y + a.height <= b.y || b.y + b.height <= a.y).toBe(true);
    }
  }
  const [lane] = lanes.get("edge-4") ?? [];
  const passed = boxes.find((box) => box.x === lane?.x);
  expect(lane).toBeDefined();
  expect((lane?.y ?? 0) < (passed?.y ?? 0) || (lane?.y ?? 0) > (passed?.y ?? 0) + (passed?.height ?? 0)).toBe(true);
});
