import { isUnavailable } from "./database.ts";
import { errorFields, logLine } from "./log.ts";

/**
 * Idempotent work that reads the current state and does what is due: requests during a run are merged into one more.
 */
export class OneAtATime {
  readonly #work: () => Promise<void>;
  #working = false;
  #again = false;

  /** `work` must not reject. */
  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Requests the work: now, or once more after the current run, which may have read the state already. */
  ask(): void {
    this.#again = true;
    if (!this.#working) void this.#repeat();
  }

  async #repeat(): Promise<void> {
    this.#working = true;
    while (this.#again) {
      this.#again = false;
      await this.#work();
    }
    this.#working = false;
  }
}

/** Polls for work at intervals, one poll at a time. `complaint` is logged when a poll fails. */
export class Poller {
  readonly #intervalMs: number;
  readonly #look: () => Promise<unknown>;
  readonly #complaint: string;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(intervalMs: number, complaint: string, look: () => Promise<unknown>) {
    this.#intervalMs = intervalMs;
    this.#complaint = complaint;
    this.#look = look;
  }

  /** Looks from now on, for the first time after one interval. */
  start(): this {
    this.#timer ??= setInterval(() => this.look(), this.#intervalMs).unref();
    return this;
  }

  /** Looks now, unless it is looking already. */
  look(): void {
    this.#looking ??= this.#look()
      .then(() => {})
      .catch((error) => {
        // A database that is away is no news; the next look finds what was missed.
        if (!isUnavailable(error)) logLine("error", this.#complaint, errorFields(error));
      })
      .finally(() => {
        this.#looking = undefined;
      });
  }

  /** Looks no more, and resolves once the look in progress has finished. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }
}
