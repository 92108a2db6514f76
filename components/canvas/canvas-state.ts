import { createContext } from "react";
import type { NodeRuns } from "./taken-way.ts";

export type CardMark = "added" | "removed" | "changed";

/** What changes while the cards stay: kept out of the canvas's own list of nodes, which is measured once. */
export interface CanvasState {
  readonly selectedId: string | null;
  readonly onSelect: (id: string | null) => void;
  /** Null where no run is shown. */
  readonly runs: NodeRuns | null;
  readonly live: boolean;
  /** Only a picture: its cards are no buttons. */
  readonly bare: boolean;
  /** What became of nodes between two versions, where these are compared. */
  readonly marks: ReadonlyMap<string, CardMark>;
}

export const CanvasStateContext = createContext<CanvasState>({
  selectedId: null,
  onSelect: () => {},
  runs: null,
  live: false,
  bare: false,
  marks: new Map(),
});
