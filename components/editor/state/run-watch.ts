import { createStore, type StoreApi } from "zustand";
import type { Api } from "#components/api/use-api.ts";
import {
  followRun,
  isAboutWaiting,
  type RunEvent,
  withWaiting,
  withWaitingOf,
} from "#components/executions/follow-run.ts";
import { isLive } from "#components/status/run-status.tsx";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import type { ShownLogEntry } from "#lib/contract/executions/logs.ts";

export interface RunWatchState {
  /** The run on the canvas; null for none. Its nodes and logs are kept beside it. */
  readonly run: ShownExecution | null;
  readonly nodes: ReadonlyMap<string, ShownNodeExecution>;
  /** The nodes at an earlier moment, while that is shown; null for the run as it is. */
  readonly scrubbed: ReadonlyMap<string, ShownNodeExecution> | null;
  readonly logs: readonly ShownLogEntry[];
  /** The node whose data the drawer shows. */
  readonly shownNode: string | null;
  readonly listening: boolean;
  /** The items that somebody chose to see, by their loop's id; counted from 0. */
  readonly chosenItems: ReadonlyMap<string, number>;
  /** What is shown of the open loop; null while no body is on the canvas. */
  readonly item: ShownItem | null;
}

/** One item of the loop whose body is on the canvas. */
export interface ShownItem {
  readonly runId: string;
  /** Its place for the API: `3`, or `3.0` in a nested loop. Null while the loop has not begun any. */
  readonly iteration: string | null;
  /** The same as numbers, for each loop around it, from the outermost on. */
  readonly turns: readonly number[];
  /** What the nodes of the open loops did in it, with their inputs and outputs. */
  readonly nodes: ReadonlyMap<string, ShownNodeExecution>;
}

/** What the nodes on the canvas did in the displayed run, up to the moment shown. */
export function nodesOnCanvas(state: RunWatchState): ReadonlyMap<string, ShownNodeExecution> {
  const { run, nodes, scrubbed, item } = state;
  if (item === null) return scrubbed ?? nodes;
  return item.runId === run?.id ? item.nodes : nobody;
}

const nobody: ReadonlyMap<string, ShownNodeExecution> = new Map();

const listenMs = 1_000;
const nothing: Omit<RunWatchState, "item"> = {
  run: null,
  nodes: new Map(),
  scrubbed: null,
  logs: [],
  shownNode: null,
  listening: false,
  chosenItems: new Map(),
};

/**
 * The run being watched during editing. It has its own store, so that no run data is in the canvas's state. Nodes'
 * inputs and outputs are not in it either: they may be large, and are read on demand.
 */
export class RunWatch {
  readonly store: StoreApi<RunWatchState> = createStore(() => ({ ...nothing, item: null }));
  readonly #api: Api;
  readonly #flowId: string;
  #unfollow: () => void = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Stream updates since the last frame, applied together so that a burst is one change. */
  #pending: Partial<RunWatchState> = {};
  #frame = 0;

  constructor(api: Api, flowId: string) {
    this.#api = api;
    this.#flowId = flowId;
  }

  /** Shows a run and follows it until it has ended. */
  watch(executionId: string): void {
    this.#close();
    this.store.setState({ ...nothing, shownNode: this.store.getState().shownNode });
    this.#unfollow = followRun(this.#api, executionId, (event) => this.#hear(event));
  }

  /** Shows the nodes as they were at a moment; null: as they are. */
  scrub(scrubbed: RunWatchState["scrubbed"]): void {
    this.store.setState({ scrubbed });
  }

  #hear(event: RunEvent): void {
    const { nodes, logs } = this.#current();
    if (event.event === "execution" && event.data.flowId !== this.#flowId) {
      // The page's address may name a run of another flow.
      this.clear();
    } else if (event.event === "execution") {
      this.#tell({ run: event.data, nodes: new Map(event.data.nodes.map((node) => [node.nodeId, node])) });
    } else if (event.event === "node") {
      const node = withWaiting(event.data, nodes.get(event.data.nodeId));
      this.#tell({ nodes: new Map([...nodes, [node.nodeId, node]]) });
    } else if (!logs.some(({ id }) => id === event.data.id)) {
      this.#tell({ logs: [...logs, event.data] });
      if (isAboutWaiting(event.data)) void this.#readWaiting();
    }
  }

  /** Reads what the run waits for: events only tell that it does. Without an answer, the next event tells. */
  async #readWaiting(): Promise<void> {
    const { run } = this.#current();
    if (run === null) return;
    const read = await this.#api.call("readExecution", { params: { id: run.id }, query: {} }).catch(() => null);
    const { run: shown, nodes: known } = this.#current();
    if (read === null || shown?.id !== read.id || !isLive(shown.status)) return;
    const { nodes, waitingFor } = withWaitingOf({ nodes: [...known.values()] }, read);
    this.#tell({ run: { ...shown, waitingFor }, nodes: new Map(nodes.map((node) => [node.nodeId, node])) });
  }

  /** Shows the next run that something else starts: a call of the trigger URL. */
  async listen(): Promise<void> {
    this.clear();
    const before = await this.latestId();
    this.store.setState({ listening: true });
    const look = async () => {
      const id = await this.latestId().catch(() => before);
      if (!this.store.getState().listening) return;
      if (id !== null && id !== before) this.watch(id);
      else this.#timer = setTimeout(() => void look(), listenMs);
    };
    this.#timer = setTimeout(() => void look(), listenMs);
  }

  showNode(id: string | null): void {
    this.store.setState({ shownNode: id });
  }

  /** Shows another item of a loop. */
  chooseItem(loopId: string, index: number): void {
    this.store.setState(({ chosenItems }) => ({ chosenItems: new Map([...chosenItems, [loopId, index]]) }));
  }

  /** What the canvas shows of a loop's items; null once no body is open. */
  showItem(item: ShownItem | null): void {
    this.store.setState({ item });
  }

  /** Stops showing a run. */
  clear(): void {
    this.#close();
    this.store.setState(nothing);
  }

  stop(): void {
    this.#close();
  }

  /** The flow's latest run; null before the first one. */
  async latestId(): Promise<string | null> {
    const { items } = await this.#api.callList("listExecutions", { query: { flowId: this.#flowId, limit: 1 } });
    return items[0]?.id ?? null;
  }

  #close(): void {
    this.#unfollow();
    this.#unfollow = () => {};
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#pending = {};
  }

  #current(): RunWatchState {
    return { ...this.store.getState(), ...this.#pending };
  }

  #tell(changes: Partial<RunWatchState>): void {
    this.#pending = { ...this.#pending, ...changes };
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const pending = this.#pending;
      this.#pending = {};
      this.store.setState(pending);
    });
  }
}
