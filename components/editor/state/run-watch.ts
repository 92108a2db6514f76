import { createStore, type StoreApi } from "zustand";
import type { Api } from "#components/api/use-api.ts";
import { isLive } from "#components/status/run-statuses.ts";
import type { ShownExecution, ShownLogEntry, ShownNodeExecution } from "#lib/contract/executions.ts";

export interface RunWatchState {
  /** The run that is shown on the canvas; null for none. Its nodes and logs are beside it. */
  readonly run: ShownExecution | null;
  readonly nodes: ReadonlyMap<string, ShownNodeExecution>;
  readonly logs: readonly ShownLogEntry[];
  /** The node whose data the drawer shows. */
  readonly shownNode: string | null;
  readonly listening: boolean;
}

const listenMs = 1_000;
const nothing: RunWatchState = { run: null, nodes: new Map(), logs: [], shownNode: null, listening: false };

/** The run that is watched while a flow is edited. It has a store of its own: no run data is in the canvas's state. */
export class RunWatch {
  readonly store: StoreApi<RunWatchState> = createStore(() => nothing);
  readonly #api: Api;
  readonly #flowId: string;
  #stream: EventSource | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What the stream told since the last frame: told on together, so that a burst is one change. */
  #pending: Partial<RunWatchState> = {};
  #frame = 0;

  constructor(api: Api, flowId: string) {
    this.#api = api;
    this.#flowId = flowId;
  }

  /** Shows a run, and goes on showing it until it has ended. */
  watch(executionId: string): void {
    this.#close();
    this.store.setState({ ...nothing, shownNode: this.store.getState().shownNode });
    const query = { includeNodeOutputs: true };
    const stream = new EventSource(this.#api.url("streamExecution", { params: { id: executionId }, query }));
    this.#stream = stream;
    stream.addEventListener("execution", (event: MessageEvent<string>) => {
      const run: ShownExecution = JSON.parse(event.data);
      this.#tell({ run, nodes: new Map(run.nodes.map((node) => [node.nodeId, node])) });
      // The server has said everything; without this the browser would ask again.
      if (!isLive(run.status)) stream.close();
    });
    stream.addEventListener("node", (event: MessageEvent<string>) => {
      const node: ShownNodeExecution = JSON.parse(event.data);
      this.#tell({ nodes: new Map([...this.#current().nodes, [node.nodeId, node]]) });
    });
    stream.addEventListener("log", (event: MessageEvent<string>) => {
      const entry: ShownLogEntry = JSON.parse(event.data);
      this.#tell({ logs: [...this.#current().logs, entry] });
    });
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

  /** Shows no run any more. */
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
    this.#stream?.close();
    this.#stream = null;
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
