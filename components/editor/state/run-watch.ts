import { createStore, type StoreApi } from "zustand";
import type { Api } from "#components/api/use-api.ts";
import { followRun, type RunEvent } from "#components/executions/follow-run.ts";
import type { ShownExecution, ShownLogEntry, ShownNodeExecution } from "#lib/contract/executions/executions.ts";

export interface RunWatchState {
  /** The run on the canvas; null for none. Its nodes and logs are kept beside it. */
  readonly run: ShownExecution | null;
  readonly nodes: ReadonlyMap<string, ShownNodeExecution>;
  readonly logs: readonly ShownLogEntry[];
  /** The node whose data the drawer shows. */
  readonly shownNode: string | null;
  readonly listening: boolean;
}

const listenMs = 1_000;
const nothing: RunWatchState = { run: null, nodes: new Map(), logs: [], shownNode: null, listening: false };

/**
 * The run being watched during editing. It has its own store, so that no run data is in the canvas's state. Nodes'
 * inputs and outputs are not in it either: they may be large, and are read on demand.
 */
export class RunWatch {
  readonly store: StoreApi<RunWatchState> = createStore(() => nothing);
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

  #hear(event: RunEvent): void {
    const { nodes, logs } = this.#current();
    if (event.event === "execution") {
      this.#tell({ run: event.data, nodes: new Map(event.data.nodes.map((node) => [node.nodeId, node])) });
    } else if (event.event === "node") {
      this.#tell({ nodes: new Map([...nodes, [event.data.nodeId, event.data]]) });
    } else if (!logs.some(({ id }) => id === event.data.id)) {
      this.#tell({ logs: [...logs, event.data] });
    }
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
