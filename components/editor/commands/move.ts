import { canvasOf, withCanvas } from "#components/editor/draft/canvas-settings.ts";
import type { Command } from "#lib/engine/changes/flow-draft.ts";
import { triggerSource } from "#lib/engine/flow.ts";

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Moves cards and notes to positions, by their ids on the canvas. */
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

export interface Box extends Place {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

export const alignments = ["left", "middle", "right", "top", "center", "bottom"] as const;
type Alignment = (typeof alignments)[number];

/** Positions of boxes aligned on a side of their common bounding box. */
export function align(boxes: readonly Box[], how: Alignment): Map<string, Place> {
  const left = Math.min(...boxes.map((box) => box.x));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const top = Math.min(...boxes.map((box) => box.y));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  const placeOf = (box: Box): Place => {
    if (how === "left") return { x: left, y: box.y };
    if (how === "right") return { x: right - box.width, y: box.y };
    if (how === "middle") return { x: (left + right - box.width) / 2, y: box.y };
    if (how === "top") return { x: box.x, y: top };
    if (how === "bottom") return { x: box.x, y: bottom - box.height };
    return { x: box.x, y: (top + bottom - box.height) / 2 };
  };
  return new Map(boxes.map((box) => [box.id, placeOf(box)]));
}

/** Positions of boxes with equal gaps between neighbours; the first and the last stay. */
export function distribute(boxes: readonly Box[], axis: "x" | "y"): Map<string, Place> {
  const size = axis === "x" ? "width" : "height";
  const sorted = boxes.toSorted((a, b) => a[axis] - b[axis]);
  const [first] = sorted;
  const last = sorted.at(-1);
  if (first === undefined || last === undefined || sorted.length < 3) return new Map();
  const room = last[axis] + last[size] - first[axis] - sorted.reduce((sum, box) => sum + box[size], 0);
  const gap = room / (sorted.length - 1);
  let at = first[axis];
  const places = new Map<string, Place>();
  for (const box of sorted) {
    places.set(box.id, axis === "x" ? { x: Math.round(at), y: box.y } : { x: box.x, y: Math.round(at) });
    at += box[size] + gap;
  }
  return places;
}
