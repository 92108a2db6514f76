import type { SandboxChild } from "./child-process.ts";
import type { QueuedTask } from "./queued-task.ts";

export interface Batch {
  readonly errands: readonly QueuedTask[];
  readonly owners: ReadonlySet<string>;
  readonly sentAt: number;
}

const noBatch: Batch = { errands: [], owners: new Set(), sentAt: Number.POSITIVE_INFINITY };

/** What the children of a lane are busy with, and who may have another one of them. */
export class Batches {
  readonly #childrenMax: number;
  readonly #batches = new Map<SandboxChild, Batch>();

  constructor(childrenMax: number) {
    this.#childrenMax = childrenMax;
  }

  get size(): number {
    return this.#batches.size;
  }

  /** Children that one owner can hold: all but the last. */
  get childrenOfOneMax(): number {
    return Math.max(this.#childrenMax - 1, 1);
  }

  get children(): readonly SandboxChild[] {
    return [...this.#batches.keys()];
  }

  get errands(): readonly QueuedTask[] {
    return [...this.#batches.values()].flatMap(({ errands }) => errands);
  }

  has(child: SandboxChild): boolean {
    return this.#batches.has(child);
  }

  begin(child: SandboxChild, errands: readonly QueuedTask[]): Batch {
    const batch = { errands, owners: new Set(errands.map(({ owner }) => owner)), sentAt: performance.now() };
    this.#batches.set(child, batch);
    return batch;
  }

  end(child: SandboxChild): Batch {
    const batch = this.#batches.get(child) ?? noBatch;
    this.#batches.delete(child);
    return batch;
  }

  /** The child that is busy with this very errand, and with nothing that could be finished first. */
  childBusyWith(errand: QueuedTask): SandboxChild | undefined {
    return this.children.find((child) => {
      const { errands = [] } = this.#batches.get(child) ?? {};
      const at = errands.indexOf(errand);
      return at >= 0 && (errands.length === 1 || child.current?.task === at);
    });
  }

  /** The last free child is for who holds none. */
  readonly mayTakeChild = (owner: string): boolean => {
    const free = this.#childrenMax - this.#batches.size;
    return free > 1 || (free === 1 && ![...this.#batches.values()].some(({ owners }) => owners.has(owner)));
  };
}
