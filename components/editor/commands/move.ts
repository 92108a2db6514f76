import { triggerSource } from "#lib/engine/flow.ts";
import { canvasOf, withCanvas } from "../draft/canvas-settings.ts";
import type { Command } from "../draft/flow-draft.ts";

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Moves cards and notes to places, by their ids on the canvas. */
export function move(places: ReadonlyMap<string, Place>): Command {
  return (draft) => {
    const nodes = draft.nodes.map((node) => {
      const to = places.get(node.id);
      const stays = to === undefined || (to.x === node.position.x && to.y === node.position.y);
      return stays ? node : { ...node, position: { x: to.x, y: to.y } };
    });
    const moved = nodes.some((node, index) => node !== draft.nodes[index]) ? { ...draft, nodes } : draft;
    const canvas = canvasOf(draft);
    const trigger = places.get(triggerSource);
    const isNoteMoved = canvas.notes.some((note) => places.has(note.id));
    if (trigger === undefined && !isNoteMoved) return moved;
    return withCanvas(moved, {
      ...(trigger === undefined ? {} : { trigger: { x: trigger.x, y: trigger.y } }),
      ...(isNoteMoved ? { notes: canvas.notes.map((note) => ({ ...note, ...places.get(note.id) })) } : {}),
    });
  };
}
