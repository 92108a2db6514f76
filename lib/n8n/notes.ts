import { toStorableText } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import type { N8nNode } from "./document.ts";

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
