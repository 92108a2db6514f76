import type { Selection } from "#components/editor/commands/remove.ts";
import type { FlowAdvice } from "#lib/contract/flows/checks.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import type { FlowStatus } from "#lib/engine/flow.ts";
import type { Problem } from "#lib/engine/graph.ts";
import type { SaveState } from "./save-state.ts";
import type { WorkingCopy } from "./server-flow.ts";

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
export type SideView = "node" | "flow" | "history" | "problems" | "tests";

export interface EditorState extends History {
  readonly selection: Selection;
  readonly save: SaveState;
  readonly status: FlowStatus;
  /** Of the flow as it is published. */
  readonly version: number;
  /** What of a live flow is not published yet; null without such changes. */
  readonly copy: WorkingCopy | null;
  /** What is being done with it, in a dialog. */
  readonly publishing: "review" | "publish" | "discard" | null;
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

const entriesMax = 200;

/** One thing the user did: what it is called, and the flow before it. */
interface HistoryEntry {
  readonly label: string;
  readonly draft: FlowDraft;
  /** Changes of the same gesture make one entry: typing in a field, dragging. Null: an entry of its own. */
  readonly gesture: string | null;
}

export interface History {
  readonly draft: FlowDraft;
  readonly past: readonly HistoryEntry[];
  readonly future: readonly HistoryEntry[];
}

/** Takes a change into the history. The same draft changes nothing. */
export function record(history: History, label: string, draft: FlowDraft, gesture: string | null = null): History {
  if (draft === history.draft) return history;
  const last = history.past.at(-1);
  const goesOn = gesture !== null && last?.gesture === gesture && history.future.length === 0;
  if (goesOn) return { ...history, draft };
  return { draft, past: [...history.past, { label, draft: history.draft, gesture }].slice(-entriesMax), future: [] };
}

/** What comes next is an entry of its own, even if it is of the same kind. */
export function endGesture(history: History): History {
  const last = history.past.at(-1);
  if (last === undefined || last.gesture === null) return history;
  return { ...history, past: [...history.past.slice(0, -1), { ...last, gesture: null }] };
}

export function undo(history: History): History {
  const last = history.past.at(-1);
  if (last === undefined) return history;
  const { label, draft } = last;
  return {
    draft,
    past: history.past.slice(0, -1),
    future: [...history.future, { label, draft: history.draft, gesture: null }],
  };
}

export function redo(history: History): History {
  const next = history.future.at(-1);
  if (next === undefined) return history;
  const { label, draft } = next;
  return {
    draft,
    past: [...history.past, { label, draft: history.draft, gesture: null }],
    future: history.future.slice(0, -1),
  };
}

/** Puts a change from elsewhere under everything that was done here, so that undoing does not take it back too. */
export function rebase(history: History, onto: (draft: FlowDraft) => FlowDraft): History {
  const moved = (entry: HistoryEntry): HistoryEntry => ({ ...entry, draft: onto(entry.draft) });
  return { draft: onto(history.draft), past: history.past.map(moved), future: history.future.map(moved) };
}
