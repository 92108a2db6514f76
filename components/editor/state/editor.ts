import { createStore, type StoreApi } from "zustand";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { isDeepEqual } from "#lib/engine/changes/deep-equal.ts";
import type { Command, FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import type { Side } from "#lib/engine/changes/merge-drafts.ts";
import { type FlowNode, type FlowStatus, triggerSource } from "#lib/engine/flow.ts";
import type { NodeTypes } from "#lib/engine/node-types.ts";
import type { Selection } from "../commands/remove.ts";
import { canvasOf } from "../draft/canvas-settings.ts";
import { catalogueOf } from "../draft/catalogue.ts";
import { takenIds } from "../draft/node-ids.ts";
import { keepTrigger } from "../draft/place-draft.ts";
import { joinDrafts, renameNodes, sharedIds } from "../draft/separate-added.ts";
import { existingPath, levelAt, pathTo, withLevel, withoutLostBodies } from "../levels/level.ts";
import {
  type AddTarget,
  draftsOf,
  type EditorState,
  endGesture,
  type Notice,
  nothingSelected,
  type Replay,
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

/** What is being edited, and every operation on it. Components read `store` and call the methods. */
export class Editor {
  readonly flowId: string;
  readonly types: readonly NodeType[];
  readonly catalogue: NodeTypes;
  readonly store: StoreApi<EditorState>;
  #lastChange = 0;
  #notices = 0;
  /** The flow that was last taken in from the server. */
  #stored: FlowDraft | null = null;

  constructor(flow: OpenedFlow, types: readonly NodeType[]) {
    this.flowId = flow.id;
    this.types = types;
    this.catalogue = catalogueOf(types);
    this.store = createStore<EditorState>(() => ({
      draft: flow.draft,
      within: [],
      past: [],
      future: [],
      selection: nothingSelected,
      save: { kind: "saved" },
      status: flow.status,
      url: flow.url ?? null,
      version: flow.version,
      copy: hasChanges(flow.copy) ? flow.copy : null,
      publishing: null,
      isBacktesting: false,
      problems: [],
      checked: null,
      notices: [],
      adding: null,
      side: "node",
      askingForInput: null,
      isDragging: false,
      isMapOpen: false,
      newNodes: new Map(),
      checkedAsNew: new Set(),
      hoveredCard: null,
      hoveredWire: null,
      dropInto: null,
      isShowingKeys: false,
      isStarting: false,
      connectingFrom: null,
      isMoving: false,
      writingOn: null,
    }));
  }

  /** Sets the published version and the unpublished changes. */
  learn({ version, url, copy: stored }: Stamp): void {
    const copy = hasChanges(stored) ? stored : null;
    // A dialog about discarded changes must not reopen with the next ones.
    this.store.setState({
      version,
      copy,
      ...(url !== undefined && { url }),
      ...(copy === null && { publishing: null }),
    });
  }

  /** The whole flow. */
  get draft(): FlowDraft {
    return this.store.getState().draft;
  }

  /** The level on the canvas, as a flow: the flow itself, or a loop's body. */
  get level(): FlowDraft {
    return this.levelOf(this.store.getState());
  }

  levelOf({ draft, within }: Pick<EditorState, "draft" | "within">): FlowDraft {
    return levelAt(draft, within, this.types);
  }

  /** The ids that are taken, at all levels. */
  get takenIds(): ReadonlySet<string> {
    return takenIds(this.draft.nodes, this.types);
  }

  get selection(): Selection {
    return this.store.getState().selection;
  }

  typeOf(type: string): NodeType | undefined {
    return this.types.find((candidate) => candidate.type === type);
  }

  /** Changes the level on the canvas, as one entry of the history: `changeFlow` for one level. */
  change(label: string, command: Command, gesture: string | null = null): void {
    const { within } = this.store.getState();
    const onLevel: Command = (draft) =>
      withLevel(draft, within, keepTrigger(command)(levelAt(draft, within, this.types)), this.types);
    this.changeFlow(label, onLevel, gesture);
  }

  /**
   * Changes the whole flow, as one entry of the history. Changes of the same `gesture` in quick succession
   * are one entry.
   */
  changeFlow(label: string, command: Command, gesture: string | null = null): void {
    const now = Date.now();
    if (now - this.#lastChange > gesturePauseMs) this.endGesture();
    this.#lastChange = now;
    this.store.setState((state) => {
      const next = command(state.draft);
      const draft = next.nodes === state.draft.nodes ? next : withoutLostBodies(next, this.types);
      return record(state, label, draft, gesture);
    });
    this.#leaveLostLevel();
  }

  /** Shows another level; an empty path for the flow itself. */
  enter(within: readonly string[]): void {
    const path = existingPath(this.draft, within, this.types);
    this.endGesture();
    this.store.setState({
      within: path,
      selection: nothingSelected,
      side: "node",
      adding: null,
      writingOn: null,
      hoveredCard: null,
      hoveredWire: null,
    });
  }

  /** Shows the level that has this node, and selects the node. False if no level has it. */
  reveal(id: string): boolean {
    if (id !== triggerSource) {
      const path = pathTo(this.draft.nodes, id, this.types);
      if (path === null) return false;
      if (!isSamePath(path, this.store.getState().within)) this.enter(path);
    } else if (this.store.getState().within.length > 0) this.enter([]);
    this.select([id]);
    return true;
  }

  endGesture(): void {
    this.store.setState((state) => endGesture(state));
  }

  undo(): void {
    const label = this.store.getState().past.at(-1)?.label;
    if (label === undefined) return;
    this.store.setState((state) => undo(state, this.#replay));
    this.#dropLostSelection();
  }

  /** Undoes changes until the history has this many entries. */
  undoTo(entries: number): void {
    while (this.store.getState().past.length > entries) this.undo();
  }

  redo(): void {
    if (this.store.getState().future.length === 0) return;
    this.store.setState((state) => redo(state, this.#replay));
    this.#dropLostSelection();
  }

  /** Merges changes made elsewhere since `base`, below the history; where both changed the same, `prefer` decides. */
  takeIn(base: FlowDraft, theirs: FlowDraft, prefer: (key: string) => Side): void {
    const { draft: now, types } = this;
    const renames = sharedIds(base, now, theirs, types, () => draftsOf(this.store.getState()));
    this.#stored = theirs;
    const joined = now === base ? theirs : joinDrafts(base, now, theirs, types, prefer, renames).draft;
    this.store.setState((state) => ({
      ...rebase(state, this.#asStored(joined), renames),
      selection: { ...state.selection, nodes: new Set([...state.selection.nodes].map((id) => renames.get(id) ?? id)) },
    }));
    this.#dropLostSelection();
  }

  readonly #replay: Replay = (change, now) => {
    const named = (draft: FlowDraft) => renameNodes(draft, change.renames, this.types);
    const [before, after] = [named(change.before), named(change.after)];
    const renames = sharedIds(before, after, now, this.types, () => draftsOf(this.store.getState()));
    // What others have changed since stays.
    const { draft } = joinDrafts(before, after, now, this.types, () => "theirs", renames);
    return { draft: this.#asStored(draft), renames };
  };

  /** A draft that equals the server's is that draft: nothing is left to save. */
  #asStored(draft: FlowDraft): FlowDraft {
    return this.#stored !== null && isDeepEqual(draft, this.#stored) ? this.#stored : draft;
  }

  select(nodes: Iterable<string>, edges: Iterable<string> = []): void {
    const [nodeIds, edgeIds] = [new Set(nodes), new Set(edges)];
    const { selection } = this.store.getState();
    if (isSameSet(selection.nodes, nodeIds) && isSameSet(selection.edges, edgeIds)) return;
    this.store.setState({ selection: { nodes: nodeIds, edges: edgeIds }, side: "node", writingOn: null });
  }

  /** Marks a node as just added. */
  welcome({ id, config }: Pick<FlowNode, "id" | "config">): void {
    this.store.setState(({ newNodes }) => ({ newNodes: new Map([...newNodes, [id, config]]) }));
  }

  /** Shows all missing fields, because the flow is about to be published. */
  showMissing(): void {
    this.store.setState({ newNodes: new Map() });
  }

  show(side: SideView): void {
    if (side === "problems") this.showMissing();
    this.store.setState({ side, ...(side === "node" ? {} : { selection: nothingSelected }) });
  }

  /** Edits a note's text or a group's name; null ends editing. */
  write(writingOn: string | null): void {
    this.store.setState({ writingOn });
  }

  askWhatToAdd(adding: AddTarget | null): void {
    this.store.setState({ adding });
  }

  /** Shows a message for a few seconds or, if it has an action, until it is dismissed. */
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

  /** If the open level was deleted or is no longer a graph, shows the surrounding one. */
  #leaveLostLevel(): void {
    const { draft, within } = this.store.getState();
    const path = existingPath(draft, within, this.types);
    if (path.length < within.length) this.enter(path);
  }

  #dropLostSelection(): void {
    this.#leaveLostLevel();
    const { selection } = this.store.getState();
    const draft = this.level;
    const edges = new Set(draft.edges.map((edge) => edge.id));
    const there = new Set(draft.nodes.map((node) => node.id));
    const { notes, groups } = canvasOf(draft);
    for (const { id } of [...notes, ...groups, { id: triggerSource }]) there.add(id);
    const nodes = [...selection.nodes].filter((id) => there.has(id));
    const next = { nodes: new Set(nodes), edges: new Set([...selection.edges].filter((id) => edges.has(id))) };
    this.store.setState({ selection: next });
  }
}

function isSamePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}

function isSameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((item) => b.has(item));
}
