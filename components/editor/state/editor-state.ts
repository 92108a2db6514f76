import type { Selection } from "#components/editor/commands/remove.ts";
import type { FlowAdvice } from "#lib/contract/flows/checks.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import type { FlowStatus } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import type { Renames } from "#lib/expressions/expressions.ts";
import type { PlacedProblem } from "../draft/read-problems.ts";
import type { SaveState } from "./save-state.ts";
import type { WorkingCopy } from "./server-flow.ts";

/** A short message over the canvas, with an optional action. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: "plain" | "problem";
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Where to add something: on the canvas, after a handle, or into an edge. */
export interface AddTarget {
  /** The menu's screen position. */
  readonly screen: { readonly x: number; readonly y: number };
  /** The node's canvas position; null lets the editor choose. */
  readonly at: { readonly x: number; readonly y: number } | null;
  readonly after?: { readonly source: string; readonly handle: string | null };
  readonly before?: string;
  readonly intoEdge?: string | { readonly source: string; readonly target: string };
}

/** A finding. Without `severity`, it is a problem that keeps the flow from going live; with it, it is advice. */
export interface FoundProblem extends PlacedProblem {
  readonly severity?: FlowAdvice["severity"];
  readonly code?: FlowAdvice["code"];
  readonly fix?: FlowAdvice["fix"];
}

/** The parts of a flow that are checked. */
export type CheckedDraft = Pick<FlowDraft, "trigger" | "nodes" | "edges">;

/** What is open beside the canvas. */
export type SideView = "node" | "flow" | "history" | "problems" | "tests" | "imported";

export interface EditorState extends History {
  readonly selection: Selection;
  readonly save: SaveState;
  readonly status: FlowStatus;
  /** The trigger URL; null for a flow that never had one. */
  readonly url: string | null;
  /** The published flow's. */
  readonly version: number;
  /** A live flow's unpublished changes; null if there are none. */
  readonly copy: WorkingCopy | null;
  /** The open dialog about them. */
  readonly publishing: "review" | "publish" | "discard" | null;
  /** Set while the backtest dialog is open. */
  readonly isBacktesting: boolean;
  /** Problems that keep the flow from going live, and advice; from the server. */
  readonly problems: readonly FoundProblem[];
  /** The draft that was checked; null before the first check. A fix applies to exactly this draft. */
  readonly checked: CheckedDraft | null;
  readonly notices: readonly Notice[];
  readonly adding: AddTarget | null;
  readonly side: SideView;
  /** Set while cards are dragged, so that the panel does not open over the drop target. */
  readonly isDragging: boolean;
  readonly isMapOpen: boolean;
  /** Nodes that were just added, with their initial config: until it changes, they show no missing fields. */
  readonly newNodes: ReadonlyMap<string, JsonObject>;
  /** Those of them that were untouched when the problems were found. */
  readonly checkedAsNew: ReadonlySet<string>;
  /** The hovered card, also while the pointer is on its toolbar. */
  readonly hoveredCard: string | null;
  /** The hovered wire. */
  readonly hoveredWire: string | null;
  /** Where dragged cards would move on drop: a loop's body, or a surrounding level. */
  readonly dropInto: { readonly loopId: string } | { readonly depth: number } | null;
  /** Set while a run is being started: on a slow network, that takes a moment. */
  readonly isStarting: boolean;
  /** Set while the list of shortcuts is open. */
  readonly isShowingKeys: boolean;
  /** The note or group whose text is being edited. */
  readonly writingOn: string | null;
  /** The node being connected by keyboard. */
  readonly connectingFrom: string | null;
  /** Set while the dialog is open that asks which loop the selected nodes should move into. */
  readonly isMoving: boolean;
  /** Set while the dialog for a run's input is open. */
  readonly askingForInput: { readonly untilNode: string | null } | null;
}

export const nothingSelected: Selection = { nodes: new Set(), edges: new Set() };

const entriesMax = 200;

/** An entry of the history: its label, and the flow before it. */
interface HistoryEntry {
  readonly label: string;
  readonly draft: FlowDraft;
  /** Changes of the same gesture, such as typing in a field or dragging, make one entry. Null: always a separate entry. */
  readonly gesture: string | null;
  /** The level on which it was made, which undo and redo show again. */
  readonly within: readonly string[];
}

export interface History {
  /** The whole flow. */
  readonly draft: FlowDraft;
  /** The level on the canvas: the loops around it, outermost first. Empty for the flow's own. */
  readonly within: readonly string[];
  readonly past: readonly HistoryEntry[];
  readonly future: readonly HistoryEntry[];
}

/** Nodes that were just added and are untouched: their missing fields are not shown as problems. */
export function untouched(
  { newNodes, checkedAsNew }: Pick<EditorState, "newNodes" | "checkedAsNew">,
  level: Pick<FlowDraft, "nodes">,
): string[] {
  if (newNodes.size === 0) return [];
  return level.nodes
    .filter(({ id, config }) => newNodes.has(id) && (newNodes.get(id) === config || checkedAsNew.has(id)))
    .map(({ id }) => id);
}

/** Adds a change to the history. An unchanged draft adds nothing. */
export function record(history: History, label: string, draft: FlowDraft, gesture: string | null = null): History {
  if (draft === history.draft) return history;
  const { within } = history;
  const last = history.past.at(-1);
  const goesOn = gesture !== null && last?.gesture === gesture && history.future.length === 0;
  if (goesOn) return { ...history, draft };
  const entry: HistoryEntry = { label, draft: history.draft, gesture, within };
  return { draft, within, past: [...history.past, entry].slice(-entriesMax), future: [] };
}

/** Ends the gesture: the next change is a separate entry. */
export function endGesture(history: History): History {
  const last = history.past.at(-1);
  if (last === undefined || last.gesture === null) return history;
  return { ...history, past: [...history.past.slice(0, -1), { ...last, gesture: null }] };
}

export function undo(history: History): History {
  const last = history.past.at(-1);
  if (last === undefined) return history;
  const { label, draft, within } = last;
  return {
    draft,
    within,
    past: history.past.slice(0, -1),
    future: [...history.future, { label, draft: history.draft, gesture: null, within }],
  };
}

export function redo(history: History): History {
  const next = history.future.at(-1);
  if (next === undefined) return history;
  const { label, draft, within } = next;
  return {
    draft,
    within,
    past: [...history.past, { label, draft: history.draft, gesture: null, within }],
    future: history.future.slice(0, -1),
  };
}

/**
 * Applies a change from elsewhere below all local changes, so that undo does not revert it.
 * `renames`: changed node ids, old to new.
 */
export function rebase(
  { draft, within, past, future }: History,
  onto: (draft: FlowDraft) => FlowDraft,
  renames: Renames = new Map<string, string>(),
): History {
  const follow = (path: readonly string[]) =>
    path.some((id) => renames.has(id)) ? path.map((id) => renames.get(id) ?? id) : path;
  const moved = (entry: HistoryEntry): HistoryEntry => {
    return { ...entry, draft: onto(entry.draft), within: follow(entry.within) };
  };
  return { draft: onto(draft), within: follow(within), past: past.map(moved), future: future.map(moved) };
}
