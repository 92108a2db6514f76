import { triggerSource } from "#lib/engine/flow.ts";
import type { Card, FlowGraph } from "./flow-graph.ts";

export const cardSize = { width: 240, head: 60, branch: 26 } as const;
const gap = { trigger: 72, columns: 88, rows: 32 } as const;

export interface Place {
  readonly x: number;
  readonly y: number;
}

export function cardHeight(card: Pick<Card, "branches">): number {
  return cardSize.head + (card.branches.length === 0 ? 0 : card.branches.length * cardSize.branch + 6);
}

/** Where each card stands: as it is stored, or in columns by depth when nobody has placed them. */
export function placeCards(graph: FlowGraph): ReadonlyMap<string, Place> {
  const nodes = graph.cards.filter((card) => card.id !== triggerSource);
  if (nodes.length === 0 || overlap(nodes)) return placeInColumns(graph);
  const places = new Map(nodes.map((card): [string, Place] => [card.id, card.stored ?? { x: 0, y: 0 }]));
  const starts = graph.wires.flatMap((wire) => (wire.source === triggerSource ? (places.get(wire.target) ?? []) : []));
  const leftmost = Math.min(...[...places.values()].map((place) => place.x));
  const y = starts.reduce((sum, place) => sum + place.y, 0) / Math.max(1, starts.length);
  return places.set(triggerSource, { x: leftmost - cardSize.width - gap.trigger, y });
}

function overlap(cards: readonly Card[]): boolean {
  const boxes = cards.map((card) => ({ ...(card.stored ?? { x: 0, y: 0 }), height: cardHeight(card) }));
  return boxes.some((a, index) =>
    boxes
      .slice(index + 1)
      .some((b) => Math.abs(a.x - b.x) < cardSize.width && a.y < b.y + b.height && b.y < a.y + a.height),
  );
}

/** Columns by the longest way from the trigger; in a column, in the order of what leads there. */
function placeInColumns(graph: FlowGraph): ReadonlyMap<string, Place> {
  const depth = depths(graph);
  const columns = Map.groupBy(graph.cards, (card) => depth.get(card.id) ?? 0);
  const middles = new Map<string, number>();
  const places = new Map<string, Place>();
  for (const rank of [...columns.keys()].sort((a, b) => a - b)) {
    const wanted = (card: Card) => wantedMiddle(card, graph, middles);
    const column = [...(columns.get(rank) ?? [])].sort((a, b) => wanted(a) - wanted(b));
    let floor = Number.NEGATIVE_INFINITY;
    const tops = column.map((card) => {
      const top = Math.max(floor, wanted(card) - cardHeight(card) / 2);
      floor = top + cardHeight(card) + gap.rows;
      return top;
    });
    const drift = column.reduce((sum, card, i) => sum + (tops[i] ?? 0) + cardHeight(card) / 2 - wanted(card), 0);
    column.forEach((card, i) => {
      const y = Math.round((tops[i] ?? 0) - drift / column.length);
      places.set(card.id, { x: rank * (cardSize.width + gap.columns), y });
      middles.set(card.id, y + cardHeight(card) / 2);
    });
  }
  return places;
}

/** The middle of what leads here; a branch further down its card pulls further down. */
function wantedMiddle(card: Card, graph: FlowGraph, middles: ReadonlyMap<string, number>): number {
  const incoming = graph.wires.filter((wire) => wire.target === card.id);
  const pulls = incoming.map((wire) => {
    const source = graph.cards.find((candidate) => candidate.id === wire.source);
    const rank = source?.branches.indexOf(wire.handle ?? "") ?? -1;
    const spread = rank < 0 ? 0 : (rank - ((source?.branches.length ?? 1) - 1) / 2) * 2;
    return (middles.get(wire.source) ?? 0) + spread;
  });
  return pulls.length === 0 ? 0 : pulls.reduce((sum, pull) => sum + pull, 0) / pulls.length;
}

function depths(graph: FlowGraph): ReadonlyMap<string, number> {
  const found = new Map<string, number>(graph.cards.map((card) => [card.id, 0]));
  for (let round = 0; round < graph.cards.length; round += 1) {
    let moved = false;
    for (const { source, target } of graph.wires) {
      const depth = (found.get(source) ?? 0) + 1;
      if (depth <= (found.get(target) ?? 0)) continue;
      found.set(target, depth);
      moved = true;
    }
    if (!moved) break;
  }
  return found;
}
