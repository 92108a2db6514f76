import type { Place } from "../commands/move.ts";

/** What the canvas can be asked while it is there. */
export interface CanvasPort {
  zoomIn(): void;
  zoomOut(): void;
  zoomTo(zoom: number): void;
  fit(ids?: readonly string[]): void;
  /** Brings a card into view and the keyboard's focus onto it. */
  focus(id: string): void;
  /** A point of the screen as a point of the canvas. */
  toCanvas(point: Place): Place;
  /** The middle of what is seen. */
  middle(): Place;
  /** A point of the canvas on the screen. */
  toScreen(point: Place): Place;
}

/** The canvas as actions reach it: there is none before it is drawn. */
export class CanvasView {
  port: CanvasPort | null = null;
  /** Where the pointer was last, on the screen: what is pasted comes there. */
  pointer: Place | null = null;
  /** The wire at a point of the screen, while the flow is seen from so far that wires are only lines; null otherwise. */
  farWireAt: ((point: Place) => string | null) | null = null;
}
