/** A batch that takes longer contains somebody's heavy task. */
const slowBatchMs = 50;
const rememberedMs = 10_000;

/** Owners whose tasks were slow recently: they share no batch with others, who would have to wait for them. */
export class SlowOwners {
  readonly #until = new Map<string, number>();

  note(owners: ReadonlySet<string>, tookMs: number): void {
    if (tookMs < slowBatchMs) return;
    const now = performance.now();
    for (const [owner, until] of this.#until) if (until <= now) this.#until.delete(owner);
    for (const owner of owners) this.#until.set(owner, now + rememberedMs);
  }

  mayShare(a: string, b: string): boolean {
    return a === b || this.#until.size === 0 || !(this.#isSlow(a) || this.#isSlow(b));
  }

  #isSlow(owner: string): boolean {
    return (this.#until.get(owner) ?? 0) > performance.now();
  }
}
