import type { FlowDraft } from "../draft/flow-draft.ts";

const entriesMax = 200;

/** One thing the user did: what it is called, and the flow before it. */
export interface HistoryEntry {
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
