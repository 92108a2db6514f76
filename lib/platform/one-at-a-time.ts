import { isUnavailable } from "./database.ts";
import { errorFields, logLine } from "./log.ts";

/**
 * Idempotent work that reads the current state and does what is due. Requests while it runs are merged into one more.
 */
export class OneAtATime {
  readonly #work: () => Promise<void>;
  #isRunning = false;
  #isRequested = false;

  /** `work` must not reject. */
  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Requests the work: now, or once more after the current one, which may already have read the state. */
  request(): void {
    this.#isRequested = true;
    if (!this.#isRunning) void this.#repeat();
  }

  async #repeat(): Promise<void> {
    this.#isRunning = true;
    while (this.#isRequested) {
      this.#isRequested = false;
      await this.#work();
    }
    this.#isRunning = false;
  }
}

/** Polls for work at intervals, one poll at a time. `failureMessage`: logged when a poll fails. */
export class Poller {
  readonly #intervalMs: number;
  readonly #poll: () => Promise<unknown>;
  readonly #failureMessage: string;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;

  constructor(intervalMs: number, failureMessage: string, poll: () => Promise<unknown>) {
    this.#intervalMs = intervalMs;
    this.#failureMessage = failureMessage;
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
        if (!isUnavailable(error)) logLine("error", this.#failureMessage, errorFields(error));
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
