import type { Selection } from "#components/editor/commands/remove.ts";
import type { FlowAdvice } from "#lib/contract/flows/checks.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import type { FlowStatus } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
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

/** New node ids by their old ones. */
type Renames = ReadonlyMap<string, string>;

/** A change: the flow before and after it. */
export interface Change {
  readonly before: FlowDraft;
  readonly after: FlowDraft;
  /** New ids, since then, of its nodes: old to new. */
  readonly renames: Renames;
}

interface HistoryEntry extends Change {
  readonly label: string;
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

const noRenames: Renames = new Map<string, string>();

/** Adds a change to the history. An unchanged draft adds nothing. */
export function record(history: History, label: string, draft: FlowDraft, gesture: string | null = null): History {
  if (draft === history.draft) return history;
  const { within, past } = history;
  const last = past.at(-1);
  const goesOn = gesture !== null && last?.gesture === gesture && last.after === history.draft;
  if (goesOn && history.future.length === 0) {
    return { ...history, draft, past: [...past.slice(0, -1), { ...last, after: draft }] };
  }
  const entry: HistoryEntry = { label, before: history.draft, after: draft, renames: noRenames, gesture, within };
  return { draft, within, past: [...past, entry].slice(-entriesMax), future: [] };
}

/** Ends the gesture: the next change is a separate entry. */
export function endGesture(history: History): History {
  const last = history.past.at(-1);
  if (last === undefined || last.gesture === null) return history;
  return { ...history, past: [...history.past.slice(0, -1), { ...last, gesture: null }] };
}

/**
 * Makes a change, or its reverse, in a flow that others have changed since: their changes stay. `renames`: ids that its
 * nodes get because others have taken theirs.
 */
export type Replay = (change: Change, now: FlowDraft) => { readonly draft: FlowDraft; readonly renames: Renames };

export function undo(history: History, replay: Replay): History {
  const last = history.past.at(-1);
  if (last === undefined) return history;
  const reverse = { ...last, before: last.after, after: last.before };
  const { draft, undone, past, future } = step(history, reverse, replay);
  const entry = { ...undone, before: draft, after: history.draft };
  return { draft, within: undone.within, past: past.slice(0, -1), future: [...future, entry] };
}

export function redo(history: History, replay: Replay): History {
  const next = history.future.at(-1);
  if (next === undefined) return history;
  const { draft, undone, past, future } = step(history, next, replay);
  const entry = { ...undone, before: history.draft, after: draft };
  return { draft, within: undone.within, past: [...past, entry], future: future.slice(0, -1) };
}

function step(history: History, entry: HistoryEntry, replay: Replay) {
  const isDirect = entry.before === history.draft;
  const { draft, renames } = isDirect ? { draft: entry.after, renames: noRenames } : replay(entry, history.draft);
  const undone = { ...renamed(entry, renames), renames: noRenames, gesture: null };
  return { ...renamedAll(history, renames), draft, undone };
}

/**
 * Applies a change from elsewhere below all local changes, so that undo does not revert it. The entries stay as they
 * are: undo and redo bring them up to date, each when it is its turn. `renames`: changed node ids, old to new.
 */
export function rebase(history: History, draft: FlowDraft, renames: Renames = noRenames): History {
  return { ...renamedAll(history, renames), draft };
}

/** All drafts of the history. */
export function draftsOf({ past, future }: History): FlowDraft[] {
  return [...past, ...future].flatMap(({ before, after }) => [before, after]);
}

function renamedAll(history: History, renames: Renames): History {
  if (renames.size === 0) return history;
  const { draft, within, past, future } = history;
  const each = (entry: HistoryEntry) => renamed(entry, renames);
  return { draft, within: follow(within, renames), past: past.map(each), future: future.map(each) };
}

function renamed(entry: HistoryEntry, renames: Renames): HistoryEntry {
  if (renames.size === 0) return entry;
  const known = [...entry.renames].map(([from, to]): [string, string] => [from, renames.get(to) ?? to]);
  return { ...entry, renames: new Map([...renames, ...known]), within: follow(entry.within, renames) };
}

function follow(path: readonly string[], renames: Renames): readonly string[] {
  return path.some((id) => renames.has(id)) ? path.map((id) => renames.get(id) ?? id) : path;
}
