import { triggerSource } from "#lib/engine/flow.ts";
import { type Layout, layOutInColumns, type Place } from "./column-layout.ts";
import { type Card, cardHeight, cardSize, type FlowGraph } from "./flow-graph.ts";

const triggerGap = 72;

/** Where everything stands: as it is stored, or in columns by depth when nobody has placed it. */
export function placeCards(graph: FlowGraph): Layout {
  const nodes = graph.cards.filter((card) => card.id !== triggerSource);
  if (nodes.length === 0 || overlap(nodes)) return layOutInColumns(graph);
  const places = new Map(nodes.map((card): [string, Place] => [card.id, card.stored ?? { x: 0, y: 0 }]));
  const starts = graph.wires.flatMap((wire) => (wire.source === triggerSource ? (places.get(wire.target) ?? []) : []));
  const leftmost = Math.min(...[...places.values()].map((place) => place.x));
  const y = starts.reduce((sum, place) => sum + place.y, 0) / Math.max(1, starts.length);
  places.set(triggerSource, { x: leftmost - cardSize.width - triggerGap, y });
  return { places, lanes: new Map() };
}

function overlap(cards: readonly Card[]): boolean {
  const boxes = cards.map((card) => ({ ...(card.stored ?? { x: 0, y: 0 }), height: cardHeight(card) }));
  return boxes.some((a, index) =>
    boxes
      .slice(index + 1)
      .some((b) => Math.abs(a.x - b.x) < cardSize.width && a.y < b.y + b.height && b.y < a.y + a.height),
  );
}
