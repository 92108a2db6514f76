import { type FlowNode, toStorableText } from "#lib/engine/flow.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import type { N8nNode } from "./document.ts";

interface Place {
  readonly x: number;
  readonly y: number;
}

/** The distance between cards: wider than in n8n, where cards are icons. Closer rows overlap. */
const [columnPx, rowPx] = [320, 100];
/**
 * A card this far to the right is in another column. Edges to it lead forward, from up to this many pixels above or
 * below.
 */
const [nextPx, wiredPx] = [100, 3 * rowPx];
/** How many earlier cards to compare with: more are rarely in one place. */
const lookBackMax = 200;

interface SpacedOut {
  readonly places: readonly Place[];
  /** The new x coordinate for an old one. */
  readonly toX: (x: number) => number;
}

/** Moves cards to the right just enough that none covers another; everything further right moves along. */
export function spaceOut(cards: readonly Place[]): SpacedOut {
  const order = cards.map((_, index) => index).toSorted((a, b) => (cards[a]?.x ?? 0) - (cards[b]?.x ?? 0));
  const places: Place[] = [];
  const placed: (Place & { readonly from: number })[] = [];
  const shifts: { readonly from: number; readonly by: number }[] = [];
  let by = 0;
  for (const index of order) {
    const card = cards[index] ?? { x: 0, y: 0 };
    const close = placed
      .slice(-lookBackMax)
      .filter(({ from, y }) => Math.abs(y - card.y) < (card.x - from < nextPx ? rowPx : wiredPx));
    const x = Math.max(card.x + by, ...close.map((other) => other.x + columnPx));
    by = x - card.x;
    shifts.push({ from: card.x, by });
    places[index] = { x, y: card.y };
    placed.push({ from: card.x, x, y: card.y });
  }
  return { places, toX: (x) => x + (shifts.findLast(({ from }) => from <= x)?.by ?? 0) };
}

/** Spreads the nodes of a body and of the loops in it, each level separately. */
export function spaceOutWithin<Node extends { readonly config: FlowNode["config"] }>(nodes: readonly Node[]): Node[] {
  return nodes.map((node) => {
    const { body } = node.config;
    if (!isJsonObject(body) || !Array.isArray(body.nodes) || !body.nodes.every(isPlaced)) return node;
    const inside = spaceOutWithin(body.nodes);
    const { places } = spaceOut(inside.map(({ position }) => position));
    const moved = inside.map((node, index) => ({ ...node, position: places[index] ?? node.position }));
    return { ...node, config: { ...node.config, body: { ...body, nodes: moved as unknown as Json } } };
  });
}

function isPlaced(node: Json | undefined): node is { config: FlowNode["config"]; position: { x: number; y: number } } {
  if (!isJsonObject(node ?? null)) return false;
  const { config, position } = node as { [key: string]: Json };
  return (
    isJsonObject(config ?? null) &&
    isJsonObject(position) &&
    typeof position.x === "number" &&
    typeof position.y === "number"
  );
}

/** n8n's colours by number: the nearest of ours. */
const colors = ["yellow", "yellow", "yellow", "pink", "green", "blue", "pink", "yellow"];
const textCharactersMax = 5_000;
const notesMax = 200;

export const isNote = ({ type }: N8nNode) => type === "stickyNote";

/**
 * Sticky notes as notes on the canvas. `toX` maps old to new x coordinates, so that a note still surrounds the same
 * cards.
 */
export function notesOf(nodes: readonly N8nNode[], toX: (x: number) => number): JsonObject[] {
  return nodes
    .filter(isNote)
    .slice(0, notesMax)
    .map(({ parameters: { content, width, height, color }, position }, index) => ({
      id: `note-${index + 1}`,
      x: toX(position.x),
      y: position.y,
      width: toX(position.x + sizeOf(width, 240)) - toX(position.x),
      height: sizeOf(height, 160),
      text: typeof content === "string" ? toStorableText(content.slice(0, textCharactersMax)).toWellFormed() : "",
      color: colors[typeof color === "number" ? color : 0] ?? "yellow",
    }));
}

function sizeOf(given: unknown, otherwise: number): number {
  const size = Number(given);
  return size >= 60 && size <= 10_000 ? Math.round(size) : otherwise;
}
