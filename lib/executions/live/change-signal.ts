// What streams of changes share: the signal to read again, and the slots that limit how many are open.
import { AppError } from "#lib/errors.ts";
import { sleep } from "#lib/platform/clock.ts";
import { singleton } from "#lib/platform/singleton.ts";
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

const retryAfter = 10;

/**
 * Takes one of the workspace's `streamsMax` slots per process for this kind of `stream`, until the returned function is
 * called. Throws RATE_LIMIT_EXCEEDED (`details.retryAfter`, seconds) if none is free.
 */
export function takeStreamSlot(workspaceId: string, stream: string, streamsMax: number): () => void {
  const places = singleton("stream-places", () => new Map<string, number>());
  const place = `${stream} ${workspaceId}`;
  const taken = places.get(place) ?? 0;
  if (taken >= streamsMax) {
    throw new AppError("RATE_LIMIT_EXCEEDED", `At most ${streamsMax} ${stream} can be followed at once`, {
      details: { retryAfter },
      retryAfterSeconds: retryAfter,
    });
  }
  places.set(place, taken + 1);
  return () => {
    const left = (places.get(place) ?? 1) - 1;
    if (left > 0) places.set(place, left);
    else places.delete(place);
  };
}
