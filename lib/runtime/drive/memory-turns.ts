// Runs that keep much take turns while memory is short: together they could grow beyond what the process may have, and
// its end would be the end of everybody's runs.
import type { Run } from "#lib/executions/run.ts";
import { heapShareWith } from "#lib/platform/processes/memory-of.ts";
import { singleton } from "#lib/platform/singleton.ts";

/** Runs that keep less never wait. Bytes of JSON, which take several times as much in memory. */
const largeBytes = 16_384;
/** What a step may add meanwhile: an output of 5 MiB of JSON, with what reading and storing it takes. */
const stepBytes = 33_554_432;
/** The rest is for what was not expected, and for all other work. */
const fullShare = 0.6;
/** A step may wait for another run that waits here: this often, one more turn is taken anyway. */
const patienceMs = 5_000;

type SizedRun = Pick<Run, "sizes" | "stop" | "trigger">;

interface Waiting {
  readonly run: SizedRun;
  readonly go: () => void;
}

export class MemoryTurns {
  readonly #isShort: (bytes: number) => boolean;
  readonly #waiting = new Set<Waiting>();
  #working = 0;
  #patience: NodeJS.Timeout | undefined;

  /** `isShort`: whether so many bytes more would be too many. */
  constructor(isShort = (bytes: number) => heapShareWith(bytes) > fullShare) {
    this.#isShort = isShort;
  }

  /** Whether the steps of this run take turns. */
  concerns(run: SizedRun): boolean {
    return isLarge(bytesOf(run));
  }

  /** Whether runs that keep so much can be read beside the steps in progress. */
  hasRoomFor(bytes: number): boolean {
    return !this.#isShort(bytes + (this.#working + 1) * stepBytes);
  }

  /** Does the work once memory is not short, or nobody else works. A run that is stopped does not wait. */
  async take<T>(run: SizedRun, work: () => Promise<T>): Promise<T> {
    if (this.#mustWait && !run.stop.signal.aborted) await this.#turn(run);
    else this.#working += 1;
    try {
      return await work();
    } finally {
      this.#working -= 1;
      // Later, so that the run's own next step comes first: what is kept is free once a run has ended, not before.
      setImmediate(() => this.#next());
    }
  }

  get #mustWait(): boolean {
    return this.#working > 0 && !this.hasRoomFor(0);
  }

  /** Two, so that more work at once again when there is memory. */
  #next(): void {
    for (let count = 0; count < 2 && !this.#mustWait; count += 1) this.#largest?.go();
  }

  /** The run that keeps most is first, because it is the closest to its end. */
  get #largest(): Waiting | undefined {
    let largest: Waiting | undefined;
    for (const waiting of this.#waiting) {
      if (largest === undefined || bytesOf(waiting.run) > bytesOf(largest.run)) largest = waiting;
    }
    return largest;
  }

  /** Resolves once the turn is taken. */
  #turn(run: SizedRun): Promise<void> {
    const { signal } = run.stop;
    return new Promise((resolve) => {
      const go = () => {
        signal.removeEventListener("abort", go);
        this.#waiting.delete(waiting);
        this.#working += 1;
        if (this.#waiting.size === 0) this.#endPatience();
        resolve();
      };
      const waiting = { run, go };
      signal.addEventListener("abort", go);
      this.#waiting.add(waiting);
      this.#patience ??= setInterval(() => this.#longest?.go(), patienceMs).unref();
    });
  }

  get #longest(): Waiting | undefined {
    const [longest] = this.#waiting;
    return longest;
  }

  #endPatience(): void {
    clearInterval(this.#patience);
    this.#patience = undefined;
  }
}

/** What it has made, and what started it. */
function bytesOf({ sizes, trigger }: SizedRun): number {
  return sizes.bytes + trigger.json.length;
}

/** Whether a run that keeps so much takes turns. */
export function isLarge(bytes: number): boolean {
  return bytes >= largeBytes;
}

/** This process's turns. */
export function memoryTurns(): MemoryTurns {
  return singleton("memory-turns", () => new MemoryTurns());
}
