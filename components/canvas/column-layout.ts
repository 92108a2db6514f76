import { triggerSource } from "#lib/engine/flow.ts";
import { type Card, cardHeight, cardSize, type FlowGraph, type Wire } from "./flow-graph.ts";

const gap = { columns: 88, rows: 32 } as const;
const laneHeight = 20;
const triggerGap = 72;

export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  /** The upper left corner of each card. */
  readonly places: ReadonlyMap<string, Place>;
  /** Where a wire crosses the columns between its ends: the left end of each stretch. */
  readonly lanes: ReadonlyMap<string, readonly Place[]>;
}

/** Something that takes room in a column: a card, or a wire on its way to a later column. */
interface Slot {
  readonly id: string;
  readonly height: number;
  readonly rank: number;
}

interface Link {
  readonly source: string;
  readonly target: string;
  /** A lower branch of a card pulls its target down. */
  readonly pull: number;
}

/** Positions of all cards: as stored, or in columns by depth if nobody has placed them. */
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

/** Columns by the longest path from the trigger; within a column, in the order of the sources. */
export function layOutInColumns(graph: FlowGraph): Layout {
  const depth = findDepths(graph);
  const rankOf = (id: string) => depth.get(id) ?? 0;
  const slots: Slot[] = graph.cards.map((card) => ({ id: card.id, height: cardHeight(card), rank: rankOf(card.id) }));
  const links: Link[] = [];
  for (const wire of graph.wires) {
    const between = range(rankOf(wire.source) + 1, rankOf(wire.target));
    slots.push(...between.map((rank) => ({ id: laneId(wire, rank), height: laneHeight, rank })));
    const stops = [wire.source, ...between.map((rank) => laneId(wire, rank)), wire.target];
    stops.slice(1).forEach((target, index) => {
      links.push({
        source: stops[index] ?? wire.source,
        target,
        pull: index === 0 ? branchPull(wire, graph.cards) : 0,
      });
    });
  }
  const middles = placeColumns(slots, links);
  const left = (rank: number) => rank * (cardSize.width + gap.columns);
  const places = graph.cards.map((card): [string, Place] => {
    const y = Math.round((middles.get(card.id) ?? 0) - cardHeight(card) / 2);
    return [card.id, { x: left(rankOf(card.id)), y }];
  });
  const lanes = graph.wires.map((wire): [string, Place[]] => {
    const between = range(rankOf(wire.source) + 1, rankOf(wire.target));
    return [wire.id, between.map((rank) => ({ x: left(rank), y: middles.get(laneId(wire, rank)) ?? 0 }))];
  });
  return { places: new Map(places), lanes: new Map(lanes) };
}

/** The middle of every slot, column by column, as close as possible to the middle of its sources. */
function placeColumns(slots: readonly Slot[], links: readonly Link[]): ReadonlyMap<string, number> {
  const middles = new Map<string, number>();
  const incoming = Map.groupBy(links, (link) => link.target);
  const preferredY = (slot: Slot) => {
    const pulls = (incoming.get(slot.id) ?? []).map(({ source, pull }) => (middles.get(source) ?? 0) + pull);
    return pulls.length === 0 ? 0 : pulls.reduce((sum, pull) => sum + pull, 0) / pulls.length;
  };
  const columns = Map.groupBy(slots, (slot) => slot.rank);
  for (const rank of [...columns.keys()].sort((a, b) => a - b)) {
    const column = (columns.get(rank) ?? []).toSorted((a, b) => preferredY(a) - preferredY(b));
    let floor = Number.NEGATIVE_INFINITY;
    const placed = column.map((slot) => {
      const middle = Math.max(floor + slot.height / 2, preferredY(slot));
      floor = middle + slot.height / 2 + gap.rows;
      return { slot, middle, drift: middle - preferredY(slot) };
    });
    const drift = placed.reduce((sum, item) => sum + item.drift, 0) / placed.length;
    for (const { slot, middle } of placed) middles.set(slot.id, middle - drift);
  }
  return middles;
}

function branchPull(wire: Wire, cards: readonly Card[]): number {
  const branches = cards.find((card) => card.id === wire.source)?.branches ?? [];
  const rank = branches.indexOf(wire.handle ?? "");
  return rank < 0 ? 0 : (rank - (branches.length - 1) / 2) * 2;
}

function findDepths(graph: FlowGraph): ReadonlyMap<string, number> {
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

function laneId(wire: Wire, rank: number): string {
  return `${wire.id} at ${rank}`;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
