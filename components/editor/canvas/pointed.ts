import type { Place } from "../commands/move.ts";
import type { CanvasView } from "../state/canvas-view.ts";

/** Where an event happened, on the screen. */
export function pointOf(event: MouseEvent | TouchEvent): Place {
  const point = "changedTouches" in event ? event.changedTouches[0] : event;
  return { x: point?.clientX ?? 0, y: point?.clientY ?? 0 };
}

/** The id of the card at a point of the screen; notes and the frames of groups are none. */
export function nodeAt(point: Place): string | null {
  return idAt(point, ".react-flow__node-card, .react-flow__node-trigger");
}

/** The id of the wire at a point of the screen, also where a card lies over it. */
export function edgeAt({ farWireAt }: CanvasView, point: Place): string | null {
  return farWireAt === null ? idAt(point, ".react-flow__edge") : farWireAt(point);
}

function idAt({ x, y }: Place, selector: string): string | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const id = element.closest<HTMLElement | SVGElement>(selector)?.dataset.id;
    if (id !== undefined) return id;
  }
  return null;
}
