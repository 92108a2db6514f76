import { isUnavailable, query } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { singleton } from "#lib/platform/singleton.ts";

const pollMs = 500;

interface StateRow {
  id: string;
  state: string;
}

// One statement for all watched runs. The state is a text that differs whenever the run changes.
const readStates = `
  SELECT e.id, concat_ws(' ', e.status,
    (SELECT max(n.sequence) FROM node_execution n WHERE n.execution_id = e.id),
    (SELECT max(l.id) FROM log_entry l WHERE l.execution_id = e.id)) AS state
  FROM execution e WHERE e.id = ANY($1::text[])`;

/**
 * Wakes the followers of a row, such as a run: at once after this process's writes, within half a second after
 * another's. One statement polls all followed rows; nothing is written, and no connection is held.
 */
export class StateWatch {
  readonly #name: string;
  readonly #statement: string;
  readonly #watchers = new Map<string, Set<() => void>>();
  readonly #states = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;
  #isClosed = false;

  /**
   * `statement` takes the ids as `$1` and returns the `id` and `state` of each: text that differs after every change.
   */
  constructor(name: string, statement: string) {
    this.#name = name;
    this.#statement = statement;
  }

  /** True once the process is shutting down: followers should reconnect to another. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Calls `wake` whenever the row may have changed, until the returned function is called. */
  watch(id: string, wake: () => void): () => void {
    const wakes = this.#watchers.get(id) ?? new Set();
    this.#watchers.set(id, wakes.add(wake));
    this.#timer ??= setInterval(() => void this.#poll(), pollMs).unref();
    return () => {
      wakes.delete(wake);
      if (wakes.size === 0 && this.#watchers.get(id) === wakes) this.#forget(id);
    };
  }

  /** Called when this process has written to these rows. Costs nothing if nobody follows. */
  changed(ids: Iterable<string>): void {
    if (this.#watchers.size === 0) return;
    for (const id of ids) this.#wake(id);
  }

  close(): void {
    this.#isClosed = true;
    for (const id of this.#watchers.keys()) this.#wake(id);
  }

  #wake(id: string): void {
    for (const wake of this.#watchers.get(id) ?? []) wake();
  }

  #forget(id: string): void {
    this.#watchers.delete(id);
    this.#states.delete(id);
    if (this.#watchers.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      const ids = [...this.#watchers.keys()];
      const rows = await query<StateRow & Record<string, unknown>>(this.#name, this.#statement, [ids]);
      const states = new Map(rows.map((row) => [row.id, row.state]));
      for (const id of ids) this.#compare(id, states.get(id) ?? "gone");
    } catch (error) {
      if (!isUnavailable(error))
        logLine("error", "Changes could not be watched", { of: this.#name, ...errorFields(error) });
    } finally {
      this.#isPolling = false;
    }
  }

  #compare(id: string, state: string): void {
    if (!this.#watchers.has(id) || this.#states.get(id) === state) return;
    this.#states.set(id, state);
    this.#wake(id);
  }
}

/** The watch over runs. */
export function runWatch(): StateWatch {
  return singleton("run-watch", () => new StateWatch("read-run-states", readStates));
}
