import { sleep } from "#lib/platform/clock.ts";
import { runWatch, type StateWatch } from "./watch-runs.ts";

const gatherMsOfRuns = 25;

interface Watched {
  readonly watch?: StateWatch;
  /** Changes within this time are reported together, which also spaces out reads of a busy row. */
  readonly gatherMs?: number;
}

/** Signals that a row may have changed, or that listening has stopped. */
export class ChangeSignal {
  readonly #signal: AbortSignal;
  readonly #gatherMs: number;
  readonly #stopWatching: () => void;
  /** Signals as if the row had changed. */
  readonly notify = () => this.#next.resolve();
  #next = Promise.withResolvers<void>();

  constructor(id: string, signal: AbortSignal, { watch = runWatch(), gatherMs = gatherMsOfRuns }: Watched = {}) {
    this.#signal = signal;
    this.#gatherMs = gatherMs;
    this.#stopWatching = watch.watch(id, this.notify);
    signal.addEventListener("abort", this.notify);
  }

  /** Resolves with the next signal. To miss no change, call it before reading the row. */
  nextChange(): () => Promise<void> {
    this.#next = Promise.withResolvers();
    const { promise } = this.#next;
    return async () => {
      await promise;
      if (!this.#signal.aborted) await sleep(this.#gatherMs);
    };
  }

  close(): void {
    this.#stopWatching();
    this.#signal.removeEventListener("abort", this.notify);
  }
}
