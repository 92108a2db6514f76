/** Work that looks at how things stand and does what is to be done, so that asking for it twice is as good as once. */
export class OneAtATime {
  readonly #work: () => Promise<void>;
  #working = false;
  #again = false;

  /** `work` must not reject. */
  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Has the work done from now on: at once, or once more after what is being done, which may have looked already. */
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
