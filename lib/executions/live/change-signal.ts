import { sleep } from "#lib/platform/clock.ts";
import { runWatch } from "./watch-runs.ts";

/** Changes that come together are told together, and a busy run is not read without a pause. */
const gatherMs = 25;

/** Rings when a run may have changed, and when nobody listens any more. */
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

  /** Resolves with the first ring from now on: asked for before a look at the run, it misses nothing. */
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
