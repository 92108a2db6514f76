import type { Place } from "./move.ts";

export interface Box extends Place {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

export const alignments = ["left", "middle", "right", "top", "center", "bottom"] as const;
export type Alignment = (typeof alignments)[number];

/** Where boxes stand when they are lined up on the side of all of them together. */
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

/** Where boxes stand with the same gap between neighbours; the first and the last stay. */
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
