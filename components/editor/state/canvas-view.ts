import type { Place } from "../commands/move.ts";

/** What actions can do with the mounted canvas. */
export interface CanvasPort {
  zoomIn(): void;
  zoomOut(): void;
  zoomTo(zoom: number): void;
  fit(ids?: readonly string[]): void;
  /** Brings a card into view and focuses it. */
  focus(id: string): void;
  /** The focused card, if any. */
  focused(): string | null;
  /** Converts screen to canvas coordinates. */
  toCanvas(point: Place): Place;
  /** The middle of the visible area. */
  middle(): Place;
  /** Converts canvas to screen coordinates. */
  toScreen(point: Place): Place;
}

/** The canvas as actions see it: absent until it is mounted. */
export class CanvasView {
  port: CanvasPort | null = null;
  /** The pointer's last screen position, where pasted nodes go. */
  pointer: Place | null = null;
  /** The card before the last removed one, from which arrow keys go on. */
  beforeRemoved: string | null = null;
  /** The wire at a screen position while the flow is zoomed out and wires are only lines; null otherwise. */
  farWireAt: ((point: Place) => string | null) | null = null;
}
