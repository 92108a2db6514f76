import { createStore, type StoreApi } from "zustand";
import type { Api } from "#components/api/use-api.ts";
import { isLive } from "#components/status/run-statuses.ts";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions.ts";

interface RunWatchState {
  /** The run that is shown on the canvas; null for none. */
  readonly run: ShownExecution | null;
  readonly nodes: ReadonlyMap<string, ShownNodeExecution>;
  /** The node whose data the drawer shows. */
  readonly shownNode: string | null;
  readonly listening: boolean;
}

const pollMs = 400;
const nothing: RunWatchState = { run: null, nodes: new Map(), shownNode: null, listening: false };

/** The run that is watched while a flow is edited. It has a store of its own: no run data is in the canvas's state. */
export class RunWatch {
  readonly store: StoreApi<RunWatchState> = createStore(() => nothing);
  readonly #api: Api;
  readonly #flowId: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #watched: string | null = null;

  constructor(api: Api, flowId: string) {
    this.#api = api;
    this.#flowId = flowId;
  }

  /** Shows a run, and goes on showing it until it has ended. */
  async watch(executionId: string): Promise<void> {
    clearTimeout(this.#timer);
    this.#watched = executionId;
    await this.#read(executionId);
  }

  /** The flow's latest run, for completions and previews, without showing it. */
  async latest(): Promise<ShownExecution | null> {
    const { items } = await this.#api.callList("listExecutions", { query: { flowId: this.#flowId, limit: 1 } });
    const id = items[0]?.id;
    return id === undefined ? null : await this.#fetch(id);
  }

  showNode(id: string | null): void {
    this.store.setState({ shownNode: id });
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#watched = null;
    this.store.setState(nothing);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#watched = null;
  }

  #fetch(id: string): Promise<ShownExecution> {
    const query = { includeLogs: true, includeNodeOutputs: true };
    return this.#api.call("readExecution", { params: { id }, query });
  }

  async #read(id: string): Promise<void> {
    const run = await this.#fetch(id).catch(() => null);
    if (this.#watched !== id) return;
    if (run !== null) this.store.setState({ run, nodes: new Map(run.nodes.map((node) => [node.nodeId, node])) });
    if (run === null || isLive(run.status)) this.#timer = setTimeout(() => void this.#read(id), pollMs);
  }
}
