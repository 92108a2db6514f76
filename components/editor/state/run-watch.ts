import { createStore, type StoreApi } from "zustand";
import type { Api } from "#components/api/use-api.ts";
import { followRun, isAboutWaiting, type RunEvent, withWaitingOf } from "#components/executions/follow-run.ts";
import { isLive } from "#components/status/run-status.tsx";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import type { ShownLogEntry } from "#lib/contract/executions/logs.ts";

export interface RunWatchState {
  /** The run on the canvas; null for none. Its nodes and logs are kept separately. */
  readonly run: ShownExecution | null;
  readonly nodes: ReadonlyMap<string, ShownNodeExecution>;
  /** The nodes at an earlier moment, while one is shown; null for the current state. */
  readonly scrubbed: ReadonlyMap<string, ShownNodeExecution> | null;
  readonly logs: readonly ShownLogEntry[];
  /** The node whose data the drawer shows. */
  readonly shownNode: string | null;
  readonly listening: boolean;
  /** The items that the user has selected, by loop id; counted from 0. */
  readonly chosenItems: ReadonlyMap<string, number>;
  /** The shown item of the open loop; null while no body is on the canvas. */
  readonly item: ShownItem | null;
}

/** An item of the loop whose body is on the canvas. */
export interface ShownItem {
  readonly runId: string;
  /** Its key for the API: `3`, or `3.0` in a nested loop. Null until the loop starts an item. */
  readonly iteration: string | null;
  /** The same as numbers, one per surrounding loop, outermost first. */
  readonly turns: readonly number[];
  /** What the open loops' nodes did in it, with inputs and outputs. */
  readonly nodes: ReadonlyMap<string, ShownNodeExecution>;
}

/** What the canvas's nodes did in the displayed run, up to the moment shown. */
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
 * The run being watched while editing. It has its own store, so that the canvas's state contains no run data. Nodes'
 * inputs and outputs are not in it, because they may be large; they are loaded on demand.
 */
export class RunWatch {
  readonly store: StoreApi<RunWatchState> = createStore(() => ({ ...nothing, item: null }));
  readonly #api: Api;
  readonly #flowId: string;
  #unfollow: () => void = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Stream updates since the last frame, applied together so that a burst is a single change. */
  #pending: Partial<RunWatchState> = {};
  #frame = 0;
  /** Aborted when something else is shown, or nothing any more. */
  #over = new AbortController();

  constructor(api: Api, flowId: string) {
    this.#api = api;
    this.#flowId = flowId;
  }

  /** Shows a run, and follows it until it has ended. */
  watch(executionId: string): void {
    this.#close();
    this.store.setState({ ...nothing, shownNode: this.store.getState().shownNode });
    this.#unfollow = followRun(this.#api, executionId, (event) => this.#hear(event));
  }

  /** Shows the nodes at a moment; null: their current state. */
  scrub(scrubbed: RunWatchState["scrubbed"]): void {
    this.store.setState({ scrubbed });
  }

  #hear(event: RunEvent): void {
    const { nodes, logs } = this.#current();
    if (event.event === "execution" && event.data.flowId !== this.#flowId) {
      // The page's URL may name a run of another flow.
      this.clear();
    } else if (event.event === "execution") {
      this.#tell({ run: event.data, nodes: new Map(event.data.nodes.map((node) => [node.nodeId, node])) });
    } else if (event.event === "node") {
      this.#tell({ nodes: new Map([...nodes, [event.data.nodeId, event.data]]) });
    } else if (!logs.some(({ id }) => id === event.data.id)) {
      this.#tell({ logs: [...logs, event.data] });
      if (isAboutWaiting(event.data)) void this.#readWaiting();
    }
  }

  /** Loads what the run waits for: events only say that it waits. After a failure, the next event tries again. */
  async #readWaiting(): Promise<void> {
    const { run } = this.#current();
    if (run === null) return;
    const read = await this.#api.call("readExecution", { params: { id: run.id }, query: {} }).catch(() => null);
    const { run: shown, nodes: known } = this.#current();
    if (read === null || shown?.id !== read.id || !isLive(shown.status)) return;
    const { nodes, waitingFor } = withWaitingOf({ nodes: [...known.values()] }, read);
    this.#tell({ run: { ...shown, waitingFor }, nodes: new Map(nodes.map((node) => [node.nodeId, node])) });
  }

  /** Shows the next run started elsewhere, by a call of the trigger URL. */
  async listen(): Promise<void> {
    this.clear();
    const isOver = this.#over;
    const before = await this.latestId();
    if (isOver.signal.aborted) return;
    this.store.setState({ listening: true });
    const look = async () => {
      const id = await this.latestId().catch(() => before);
      if (isOver.signal.aborted) return;
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

  /** Sets the shown item of a loop; null once no body is open. */
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
    this.#over.abort();
    this.#over = new AbortController();
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
