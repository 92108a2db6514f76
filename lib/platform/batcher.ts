interface Waiting<Item, Result> {
  readonly item: Item;
  readonly bytes: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatcherOptions<Item, Result> {
  /** Handles all items at once; results in the order of the items. */
  readonly handle: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly itemsMax: number;
  /**
   * Approximately the bytes that an item adds to the statement. A batch has at most `batchBytesMax`, or one item. If
   * several batches may be in flight, large items share none with small ones. Default: 0.
   */
  readonly bytesOf?: (item: Item) => number;
  /** This many are sent without waiting for more: the next ones are prepared meanwhile. Default: `itemsMax`. */
  readonly batchItemsMin?: number;
  /** Batches in flight at once, and as many of large items; 1 keeps items in order. */
  readonly batchesMax: number;
  /** With this many in flight, fewer than `batchItemsMin` wait, unless they are large. Default: `batchesMax`. */
  readonly smallBatchesMax?: number;
  /** True if no other item can be on its way: a single one is then sent at once. Default: false. */
  readonly isAlone?: () => boolean;
  /** True if a smaller batch may succeed: the batch is then halved until the bad item fails alone. */
  readonly tryAlone: (error: unknown) => boolean;
}

export const batchBytesMax = 8 * 1_048_576;
/** The database takes tens of milliseconds to compress and store a large item: small ones do not wait for it. */
const largeItemBytes = 65_536;
/** So that no turn of the event loop sends more. */
const largeBatchBytesMax = 2 * 1_048_576;

/** The maximum number of turns that a batch waits while each adds items. */
const turnsMax = 4;

/**
 * Combines concurrent items into one statement. A statement costs as much as ten of its rows, and under load the next
 * rows are already arriving, so a batch is sent once a turn of the event loop has added nothing to it. Nothing waits
 * for a timer, and an idle system adds only an empty turn. While batches are in flight, the next one fills.
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  readonly #lane: Lane<Item, Result>;
  readonly #large: Lane<Item, Result>;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
    this.#lane = new Lane(options, batchBytesMax);
    // Two or three large items fill a batch.
    const { smallBatchesMax: _, ...ofLarge } = options;
    this.#large = options.batchesMax === 1 ? this.#lane : new Lane(ofLarge, largeBatchBytesMax);
  }

  add(item: Item): Promise<Result> {
    const bytes = this.#options.bytesOf?.(item) ?? 0;
    return (bytes > largeItemBytes ? this.#large : this.#lane).add(item, bytes);
  }
}

/** Items that share batches. */
class Lane<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  readonly #bytesMax: number;
  #waiting: Waiting<Item, Result>[] = [];
  #inFlight = 0;
  #scheduled = false;

  constructor(options: BatcherOptions<Item, Result>, bytesMax: number) {
    this.#options = options;
    this.#bytesMax = bytesMax;
  }

  add(item: Item, bytes: number): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, bytes, resolve, reject });
      if (this.#isBatchReady || this.#isAlone) this.#sendBatches();
      else this.#schedule();
    });
  }

  get #isBatchReady(): boolean {
    const { itemsMax, batchItemsMin = itemsMax, batchesMax } = this.#options;
    return this.#waiting.length >= batchItemsMin && this.#inFlight < batchesMax;
  }

  get #isAlone(): boolean {
    return this.#waiting.length === 1 && this.#inFlight === 0 && this.#options.isAlone?.() === true;
  }

  /** Whether a batch of fewer than `batchItemsMin` would have to wait for another. */
  get #isBusy(): boolean {
    const { batchesMax, smallBatchesMax = batchesMax } = this.#options;
    return this.#inFlight >= smallBatchesMax;
  }

  #schedule(): void {
    if (this.#isBatchReady) this.#sendBatches();
    if (this.#scheduled || this.#waiting.length === 0 || this.#isBusy) return;
    this.#scheduled = true;
    this.#collect(0, turnsMax);
  }

  /** `seen`: how many items were waiting a turn ago. */
  #collect(seen: number, turnsLeft: number): void {
    setImmediate(() => {
      const count = this.#waiting.length;
      // The waiting items may already have been sent as a full batch.
      if (count === 0 || this.#isBusy) this.#scheduled = false;
      else if (count > seen && count < this.#options.itemsMax && turnsLeft > 1) this.#collect(count, turnsLeft - 1);
      else {
        this.#scheduled = false;
        this.#sendBatches();
      }
    });
  }

  /** How many of the waiting items make a batch. */
  get #next(): number {
    let [count, bytes] = [0, 0];
    for (const waiting of this.#waiting) {
      bytes += waiting.bytes;
      if (count === this.#options.itemsMax || (count > 0 && bytes > this.#bytesMax)) break;
      count += 1;
    }
    return count;
  }

  #sendBatches(): void {
    const batch = this.#waiting.splice(0, this.#next);
    this.#inFlight += 1;
    void this.#send(batch).finally(() => {
      this.#inFlight -= 1;
      this.#schedule();
    });
    this.#schedule();
  }

  /** Never rejects: every item's promise is settled. */
  async #send(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.handle(batch.map((waiting) => waiting.item));
      batch.forEach((waiting, index) => {
        waiting.resolve(results[index] as Result);
      });
    } catch (error) {
      if (batch.length === 1 || !this.#options.tryAlone(error)) {
        for (const waiting of batch) waiting.reject(error);
        return;
      }
      const half = Math.ceil(batch.length / 2);
      await this.#send(batch.slice(0, half));
      await this.#send(batch.slice(half));
    }
  }
}
