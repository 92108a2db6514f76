import type { FlowAdvice } from "#lib/contract/flow-check.ts";
import type { FlowStatus } from "#lib/engine/flow.ts";
import type { Problem } from "#lib/engine/graph.ts";
import type { Selection } from "../commands/remove.ts";
import type { History } from "./history.ts";
import type { SaveState } from "./save-state.ts";

/** A short message over the canvas; `action` is what can be done about it. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: "plain" | "problem";
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Where something new is to be put: on the canvas, after a handle, into an edge. */
export interface AddTarget {
  /** On the screen, for the menu. */
  readonly screen: { readonly x: number; readonly y: number };
  /** On the canvas, for the node; null lets the editor choose. */
  readonly at: { readonly x: number; readonly y: number } | null;
  readonly after?: { readonly source: string; readonly handle: string | null };
  readonly before?: string;
  readonly intoEdge?: string | { readonly source: string; readonly target: string };
}

/** What is wrong with the flow. `severity`: of advice; without it, a problem keeps the flow from being active. */
export interface FoundProblem extends Problem {
  readonly severity?: FlowAdvice["severity"];
}

/** What is open beside the canvas. */
export type SideView = "node" | "flow" | "history" | "problems";

export interface EditorState extends History {
  readonly selection: Selection;
  readonly save: SaveState;
  readonly status: FlowStatus;
  /** Of the stored flow. */
  readonly version: number;
  /** Why the flow could not be activated as it is, and what is probably a mistake; told by the server. */
  readonly problems: readonly FoundProblem[];
  readonly notices: readonly Notice[];
  readonly adding: AddTarget | null;
  readonly side: SideView;
  /** Set while cards are dragged: the panel does not open over the place that they are dragged to. */
  readonly isDragging: boolean;
  readonly isMapOpen: boolean;
  /** The note or group whose text is being written. */
  readonly writingOn: string | null;
  /** The node that is being connected by keyboard. */
  readonly connectingFrom: string | null;
  /** Set while the dialog that asks what to run with is open. */
  readonly askingForInput: { readonly untilNode: string | null } | null;
}

export const nothingSelected: Selection = { nodes: new Set(), edges: new Set() };
