import type { Selection } from "#components/editor/commands/remove.ts";
import type { FlowAdvice } from "#lib/contract/flows/checks.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import type { FlowStatus } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import type { Renames } from "#lib/expressions/expressions.ts";
import type { PlacedProblem } from "../draft/read-problems.ts";
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

/** What is wrong with the flow. Without `severity`, a problem keeps the flow from being active; with it, it is advice. */
export interface FoundProblem extends PlacedProblem {
  readonly severity?: FlowAdvice["severity"];
  readonly code?: FlowAdvice["code"];
  readonly fix?: FlowAdvice["fix"];
}

/** What of a flow is checked. */
export type CheckedDraft = Pick<FlowDraft, "trigger" | "nodes" | "edges">;

/** What is open beside the canvas. */
export type SideView = "node" | "flow" | "history" | "problems" | "tests" | "imported";

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
  /** Set while the flow is compared with its past runs, in a dialog. */
  readonly isBacktesting: boolean;
  /** Why the flow could not be activated as it is, and likely mistakes; from the server. */
  readonly problems: readonly FoundProblem[];
  /** What they were found in; null before the first check. A fix is for exactly this. */
  readonly checked: CheckedDraft | null;
  readonly notices: readonly Notice[];
  readonly adding: AddTarget | null;
  readonly side: SideView;
  /** Set while cards are dragged: the panel does not open over the place that they are dragged to. */
  readonly isDragging: boolean;
  readonly isMapOpen: boolean;
  /** Nodes that were just added, with the settings they got: until those change, nothing is said to be missing. */
  readonly newNodes: ReadonlyMap<string, JsonObject>;
  /** The card under the pointer, or under that of its toolbar. */
  readonly hoveredCard: string | null;
  /** The wire under the pointer. */
  readonly hoveredWire: string | null;
  /** Where dragged cards move to when they are dropped: a loop's body, or a level around the one that is open. */
  readonly dropInto: { readonly loopId: string } | { readonly depth: number } | null;
  /** Set while the list of shortcuts is open. */
  readonly isShowingKeys: boolean;
  /** The note or group whose text is being written. */
  readonly writingOn: string | null;
  /** The node that is being connected by keyboard. */
  readonly connectingFrom: string | null;
  /** Set while the dialog is open that asks into which loop the selected nodes are moved. */
  readonly isMoving: boolean;
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
  /** The level that it was done on, which undo and redo show again. */
  readonly within: readonly string[];
}

export interface History {
  /** The whole flow. */
  readonly draft: FlowDraft;
  /** The level on the canvas: the loops around it, from the outermost on. Empty for the flow's own. */
  readonly within: readonly string[];
  readonly past: readonly HistoryEntry[];
  readonly future: readonly HistoryEntry[];
}

/** The nodes that were just added and not touched yet: of those, what is missing is not shown as a problem. */
export function untouched({ newNodes }: Pick<EditorState, "newNodes">, level: FlowDraft): string[] {
  if (newNodes.size === 0) return [];
  return level.nodes.filter(({ id, config }) => newNodes.get(id) === config).map(({ id }) => id);
}

/** Takes a change into the history. The same draft changes nothing. */
export function record(history: History, label: string, draft: FlowDraft, gesture: string | null = null): History {
  if (draft === history.draft) return history;
  const { within } = history;
  const last = history.past.at(-1);
  const goesOn = gesture !== null && last?.gesture === gesture && history.future.length === 0;
  if (goesOn) return { ...history, draft };
  const entry: HistoryEntry = { label, draft: history.draft, gesture, within };
  return { draft, within, past: [...history.past, entry].slice(-entriesMax), future: [] };
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
 * Puts a change from elsewhere under everything that was done here, so that undoing does not take it back too.
 * `renames`: ids that nodes lose by it, and those they get.
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
