import { createContext } from "react";
import type { NodeRuns } from "./wire-data.ts";

export type CardMark = "added" | "removed" | "changed";

/** State that changes without moving cards: kept out of React Flow's node list, which is measured once. */
interface CanvasState {
  readonly selectedId: string | null;
  readonly onSelect: (id: string | null) => void;
  /** Null if no run is shown. */
  readonly runs: NodeRuns | null;
  /** Nodes that may or may not have run. */
  readonly unknown: ReadonlySet<string>;
  readonly live: boolean;
  /** A static picture: its cards are not buttons. */
  readonly bare: boolean;
  /** How nodes differ between two compared versions. */
  readonly marks: ReadonlyMap<string, CardMark>;
}

export const CanvasStateContext = createContext<CanvasState>({
  selectedId: null,
  onSelect: () => {},
  runs: null,
  unknown: new Set(),
  live: false,
  bare: false,
  marks: new Map(),
});
