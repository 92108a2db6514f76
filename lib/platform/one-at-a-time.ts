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
