import { sleep } from "#lib/platform/clock.ts";
import { runWatch } from "./watch-runs.ts";

/** Changes within this time are reported together, which also spaces out reads of a busy run. */
const gatherMs = 25;

/** Signals that a run may have changed, or that nobody listens any more. */
export class ChangeSignal {
  readonly #signal: AbortSignal;
  readonly #stopWatching: () => void;
  readonly #ring = () => this.#next.resolve();
  #next = Promise.withResolvers<void>();

  constructor(id: string, signal: AbortSignal) {
    this.#signal = signal;
    this.#stopWatching = runWatch().watch(id, this.#ring);
    signal.addEventListener("abort", this.#ring);
  }

  /** Resolves with the next signal. Call it before reading the run, and no change is missed. */
  heard(): () => Promise<void> {
    this.#next = Promise.withResolvers();
    const { promise } = this.#next;
    return async () => {
      await promise;
      if (!this.#signal.aborted) await sleep(gatherMs);
    };
  }

  close(): void {
    this.#stopWatching();
    this.#signal.removeEventListener("abort", this.#ring);
  }
}
