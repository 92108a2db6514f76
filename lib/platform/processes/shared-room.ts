interface Limits {
  /** What is taken at once, in all and by one owner. A larger amount enters alone. */
  readonly max: number;
  readonly ofOwnerMax: number;
  /** Amounts up to this are not counted, for amounts of which there are never so many that it matters. */
  readonly uncounted?: number;
}

interface Waiting {
  readonly owner: string;
  readonly amount: number;
  readonly enter: () => void;
}

/** Room in this process that owners share, such as memory for bodies. Owners take turns. */
export class SharedRoom {
  readonly #limits: Limits;
  #taken = 0;
  readonly #ofOwner = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Resolves once there is room for the amount, with how to leave. */
  async enter(owner: string, amount: number): Promise<() => void> {
    if (amount <= (this.#limits.uncounted ?? 0)) return () => {};
    await new Promise<void>((resolve) => {
      this.#waiting.add({ owner, amount, enter: resolve });
      this.#admit();
    });
    return () => {
      this.#count(owner, -amount);
      this.#admit();
    };
  }

  #admit(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#waiting.delete(next);
      this.#count(next.owner, next.amount);
      next.enter();
    }
  }

  /** Of the owner that has taken the least, the first; undefined if there is no room for it. */
  #next(): Waiting | undefined {
    const held = ({ owner }: Waiting) => this.#ofOwner.get(owner) ?? 0;
    let next: Waiting | undefined;
    for (const waiting of this.#waiting) if (next === undefined || held(waiting) < held(next)) next = waiting;
    if (next === undefined) return undefined;
    const { max, ofOwnerMax } = this.#limits;
    const [all, own] = [this.#taken + next.amount, held(next) + next.amount];
    return (all <= max || this.#taken === 0) && (own <= ofOwnerMax || held(next) === 0) ? next : undefined;
  }

  #count(owner: string, amount: number): void {
    this.#taken += amount;
    const own = (this.#ofOwner.get(owner) ?? 0) + amount;
    if (own === 0) this.#ofOwner.delete(owner);
    else this.#ofOwner.set(owner, own);
  }
}
