/** Measures a run's working time, without waits, and reports when its limit is used up. */
export class WorkClock {
  readonly #budgetMs: number;
  readonly #onOver: () => void;
  #usedMs: number;
  /** When the current work started; null while idle. */
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

  /** The timer keeps running: checking again is cheaper than restarting it for many short pieces of work. */
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
    this.#timer = setTimeout(() => this.#check(), Math.min(Math.ceil(left), timerMsMax));
  }

  #check(): void {
    this.#timer = undefined;
    if (this.#since === null) return;
    if (this.usedMs >= this.#budgetMs) this.#onOver();
    else this.#arm();
  }
}

/** The longest timeout that Node accepts. */
export const timerMsMax = 2 ** 31 - 1;
