import { createStore, type StoreApi } from "zustand";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { isDeepEqual } from "#lib/engine/changes/deep-equal.ts";
import type { Command, FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import type { Side } from "#lib/engine/changes/merge-drafts.ts";
import { type FlowStatus, triggerSource } from "#lib/engine/flow.ts";
import type { NodeTypes } from "#lib/engine/node-types.ts";
import type { Renames } from "#lib/expressions/expressions.ts";
import type { Selection } from "../commands/remove.ts";
import { canvasOf } from "../draft/canvas-settings.ts";
import { catalogueOf } from "../draft/catalogue.ts";
import { joinDrafts, sharedIds } from "../draft/separate-added.ts";
import {
  type AddTarget,
  type EditorState,
  endGesture,
  type Notice,
  nothingSelected,
  rebase,
  record,
  redo,
  type SideView,
  undo,
} from "./editor-state.ts";
import { hasChanges, type ServerFlow, type Stamp } from "./server-flow.ts";

const gesturePauseMs = 1_500;

export interface OpenedFlow extends ServerFlow {
  readonly id: string;
  readonly status: FlowStatus;
}

/** What is being edited and everything that can be done to it. Components read `store` and call the methods. */
export class Editor {
  readonly flowId: string;
  readonly types: readonly NodeType[];
  readonly catalogue: NodeTypes;
  readonly store: StoreApi<EditorState>;
  #lastChange = 0;
  #notices = 0;

  constructor(flow: OpenedFlow, types: readonly NodeType[]) {
    this.flowId = flow.id;
    this.types = types;
    this.catalogue = catalogueOf(types);
    this.store = createStore<EditorState>(() => ({
      draft: flow.draft,
      past: [],
      future: [],
      selection: nothingSelected,
      save: { kind: "saved" },
      status: flow.status,
      version: flow.version,
      copy: hasChanges(flow.copy) ? flow.copy : null,
      publishing: null,
      problems: [],
      notices: [],
      adding: null,
      side: "node",
      askingForInput: null,
      isDragging: false,
      isMapOpen: false,
      connectingFrom: null,
      writingOn: null,
    }));
  }

  /** This is what is published, and what is not yet. */
  learn({ version, copy: stored }: Stamp): void {
    const copy = hasChanges(stored) ? stored : null;
    // A dialog about changes that are gone must not open again with the next ones.
    this.store.setState({ version, copy, ...(copy === null && { publishing: null }) });
  }

  get draft(): FlowDraft {
    return this.store.getState().draft;
  }

  get selection(): Selection {
    return this.store.getState().selection;
  }

  typeOf(type: string): NodeType | undefined {
    return this.types.find((candidate) => candidate.type === type);
  }

  /**
   * Does something to the flow, as one entry of the history. Changes of the same `gesture` that follow each other
   * quickly are one entry.
   */
  change(label: string, command: Command, gesture: string | null = null): void {
    const now = Date.now();
    if (now - this.#lastChange > gesturePauseMs) this.endGesture();
    this.#lastChange = now;
    this.store.setState((state) => record(state, label, command(state.draft), gesture));
  }

  endGesture(): void {
    this.store.setState((state) => endGesture(state));
  }

  undo(): void {
    const label = this.store.getState().past.at(-1)?.label;
    if (label === undefined) return;
    this.store.setState((state) => undo(state));
    this.#dropLostSelection();
  }

  redo(): void {
    if (this.store.getState().future.length === 0) return;
    this.store.setState((state) => redo(state));
    this.#dropLostSelection();
  }

  /** Takes in what was changed elsewhere, below the history. `renames`: ids that nodes lose by it, and those they get. */
  rebase(onto: Command, renames: Renames = new Map<string, string>()): void {
    this.store.setState((state) => ({
      ...rebase(state, onto),
      selection: { ...state.selection, nodes: new Set([...state.selection.nodes].map((id) => renames.get(id) ?? id)) },
    }));
    this.#dropLostSelection();
  }

  /** Takes in what was changed elsewhere since `base`; `prefer` decides on clashes of what is shown now. */
  takeIn(base: FlowDraft, theirs: FlowDraft, prefer: (what: string) => Side): void {
    const { draft: now, types } = this;
    const join = (draft: FlowDraft) => {
      if (draft === base) return theirs;
      const joined = joinDrafts(base, draft, theirs, types, draft === now ? prefer : () => "theirs").draft;
      return draft === now && isDeepEqual(joined, theirs) ? theirs : joined;
    };
    this.rebase(join, sharedIds(base, now, theirs, types));
  }

  select(nodes: Iterable<string>, edges: Iterable<string> = []): void {
    const [nodeIds, edgeIds] = [new Set(nodes), new Set(edges)];
    const { selection } = this.store.getState();
    if (isSameSet(selection.nodes, nodeIds) && isSameSet(selection.edges, edgeIds)) return;
    this.store.setState({ selection: { nodes: nodeIds, edges: edgeIds }, side: "node", writingOn: null });
  }

  show(side: SideView): void {
    this.store.setState({ side, ...(side === "node" ? {} : { selection: nothingSelected }) });
  }

  /** Opens the text of a note or the name of a group to be written; null closes it. */
  write(writingOn: string | null): void {
    this.store.setState({ writingOn });
  }

  askWhatToAdd(adding: AddTarget | null): void {
    this.store.setState({ adding });
  }

  /** Says something for a few seconds, or until it is put away where there is something to do about it. */
  say(text: string, options: Partial<Pick<Notice, "tone" | "action">> = {}): void {
    this.#notices += 1;
    const notice: Notice = { id: this.#notices, text, tone: "plain", ...options };
    this.store.setState(({ notices }) => ({
      notices: [...notices.filter((other) => other.text !== text), notice].slice(-3),
    }));
    setTimeout(() => this.dismiss(notice.id), options.action === undefined ? 5_000 : 9_000);
  }

  dismiss(id: number): void {
    this.store.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) }));
  }

  #dropLostSelection(): void {
    const { draft, selection } = this.store.getState();
    const edges = new Set(draft.edges.map((edge) => edge.id));
    const there = new Set(draft.nodes.map((node) => node.id));
    const { notes, groups } = canvasOf(draft);
    for (const { id } of [...notes, ...groups, { id: triggerSource }]) there.add(id);
    const kept = [...selection.nodes].filter((id) => there.has(id));
    const next = { nodes: new Set(kept), edges: new Set([...selection.edges].filter((id) => edges.has(id))) };
    this.store.setState({ selection: next });
  }
}

function isSameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((item) => b.has(item));
}
