/** Counts the time in which a run works, and tells when it has used up what it may. Waiting does not count. */
export class WorkClock {
  readonly #budgetMs: number;
  readonly #onOver: () => void;
  #usedMs: number;
  /** When the work under way began; null while there is none. */
  #since: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(budgetMs: number, usedMs: number, onOver: () => void) {
    this.#budgetMs = budgetMs;
    this.#usedMs = usedMs;
    this.#onOver = onOver;
  }

  get usedMs(): number {
    return this.#usedMs + (this.#since === null ? 0 : performance.now() - this.#since);
  }

  start(): void {
    this.#since ??= performance.now();
    if (this.#timer === undefined) this.#arm();
  }

  /** The timer goes on: stopping and starting one for each of many short works would cost more than to look again. */
  pause(): void {
    this.#usedMs = this.usedMs;
    this.#since = null;
  }

  close(): void {
    this.pause();
    clearTimeout(this.#timer);
  }

  #arm(): void {
    const left = Math.max(0, this.#budgetMs - this.usedMs);
    this.#timer = setTimeout(() => this.#look(), Math.min(Math.ceil(left), timerMsMax));
  }

  #look(): void {
    this.#timer = undefined;
    if (this.#since === null) return;
    if (this.usedMs >= this.#budgetMs) this.#onOver();
    else this.#arm();
  }
}

/** The longest that a timer of Node can take. */
export const timerMsMax = 2 ** 31 - 1;
