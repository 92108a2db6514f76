import { nextTurn } from "#lib/platform/turns.ts";

/**
 * When something happens in a replay: computing takes no time, an outside effect takes some, and waits are over at their
 * time. So what was ready first in the run is so again, and is in every replay.
 */
export interface Moment {
  readonly phase: "compute" | "effect" | "wait";
  /** Epoch milliseconds: of two waits, the earlier is over first. */
  readonly at?: number;
}

interface Item extends Required<Moment> {
  readonly order: number;
  readonly perform: () => Promise<void>;
  readonly reject: (reason: unknown) => void;
}

const phases = ["compute", "effect", "wait"];

/** Does one thing at a time, and gives its turn up after each: everything that follows from it has been said by then. */
export class Schedule {
  readonly #items: Item[] = [];
  #count = 0;
  #isBusy = false;
  #over: { readonly reason: unknown } | null = null;
  #isDropped = false;

  /** Resolves with what the work gives, when its moment has come. */
  add<T>({ phase, at = 0 }: Moment, work: () => T | Promise<T>): Promise<T> {
    if (this.#isDropped) return new Promise(() => {});
    if (this.#over !== null) return Promise.reject(this.#over.reason);
    return new Promise<T>((resolve, reject) => {
      const perform = async () => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
        }
      };
      this.#items.push({ phase, at, order: this.#count++, perform, reject });
      void this.#go();
    });
  }

  /** What is left does not happen any more, and rejects. */
  end(reason: unknown): void {
    this.#over ??= { reason };
    for (const { reject } of this.#items.splice(0)) reject(reason);
  }

  /** What is left does not happen any more, and nobody waits for it: the run has ended without it. */
  drop(): void {
    this.#isDropped = true;
    this.#items.length = 0;
  }

  async #go(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (;;) {
      await nextTurn();
      const item = this.#takeFirst();
      if (item === undefined) break;
      await item.perform();
    }
    this.#isBusy = false;
  }

  #takeFirst(): Item | undefined {
    let best = 0;
    for (const [place, item] of this.#items.entries()) {
      const first = this.#items[best];
      if (first !== undefined && isBefore(item, first)) best = place;
    }
    return this.#items.splice(best, 1)[0];
  }
}

function isBefore(one: Item, other: Item): boolean {
  const phase = phases.indexOf(one.phase) - phases.indexOf(other.phase);
  if (phase !== 0) return phase < 0;
  return one.at === other.at ? one.order < other.order : one.at < other.at;
}
