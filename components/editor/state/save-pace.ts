/** Milliseconds: after the last change, the maximum after the first one, and before retrying a failure. */
const pause = { quiet: 700, most: 4_000, offline: 3_000 } as const;

/** When to save: soon after the last of several changes, but not long after the first. At most one save is scheduled. */
export class SavePace {
  readonly #send: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firstChange: number | null = null;
  #isOver = false;

  constructor(send: () => void) {
    this.#send = send;
  }

  /** A change: saves once there has been no change for a moment. */
  changed(): void {
    this.#firstChange ??= Date.now();
    const most = Math.max(0, this.#firstChange + pause.most - Date.now());
    this.#after(Math.min(pause.quiet, most));
  }

  /** Something has to be found out: saves in a moment. */
  soon(): void {
    this.#after(pause.quiet);
  }

  now(): void {
    this.#after(0);
  }

  /** The server could not be reached: retries later. */
  later(): void {
    this.#after(pause.offline);
  }

  /** Everything so far is being saved: the next change counts as the first one again. */
  sent(): void {
    this.#firstChange = null;
  }

  /** Cancels the scheduled save; for good, also any later one. */
  stop(isForGood = false): void {
    this.#isOver ||= isForGood;
    clearTimeout(this.#timer);
  }

  #after(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#isOver) this.#timer = setTimeout(this.#send, ms);
  }
}
