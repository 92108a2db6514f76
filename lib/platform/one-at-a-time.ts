import { isUnavailable } from "./database.ts";
import { errorFields, logLine } from "./log.ts";

/**
 * Idempotent work that reads the current state and does what is due. Requests while it runs are merged into one more.
 */
export class OneAtATime {
  readonly #work: () => Promise<void>;
  #working = false;
  #again = false;

  /** `work` must not reject. */
  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Requests the work: now, or once more after the current one, which may already have read the state. */
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

/** Polls for work at intervals, one poll at a time. `complaint`: logged when a poll fails. */
export class Poller {
  readonly #intervalMs: number;
  readonly #poll: () => Promise<unknown>;
  readonly #complaint: string;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;

  constructor(intervalMs: number, complaint: string, poll: () => Promise<unknown>) {
    this.#intervalMs = intervalMs;
    this.#complaint = complaint;
    this.#poll = poll;
  }

  /** Starts polling, first after one interval. */
  start(): this {
    this.#timer ??= setInterval(() => this.poll(), this.#intervalMs).unref();
    return this;
  }

  /** Polls now, unless a poll is in progress. */
  poll(): void {
    this.#polling ??= this.#poll()
      .then(() => {})
      .catch((error) => {
        // An unavailable database is logged elsewhere; the next poll finds what was missed.
        if (!isUnavailable(error)) logLine("error", this.#complaint, errorFields(error));
      })
      .finally(() => {
        this.#polling = undefined;
      });
  }

  /** Stops polling, and resolves once the poll in progress has finished. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#polling;
  }
}
