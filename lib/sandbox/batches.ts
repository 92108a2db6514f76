import type { SandboxChild } from "./child-process.ts";
import type { QueuedTask } from "./fair-queue.ts";

export interface Batch {
  readonly tasks: readonly QueuedTask[];
  readonly owners: ReadonlySet<string>;
  readonly sentAt: number;
}

const noBatch: Batch = { tasks: [], owners: new Set(), sentAt: Number.POSITIVE_INFINITY };

/** The batches that a lane's children are working on, and which owners may take another child. */
export class Batches {
  readonly #childrenMax: number;
  readonly #batches = new Map<SandboxChild, Batch>();

  constructor(childrenMax: number) {
    this.#childrenMax = childrenMax;
  }

  get size(): number {
    return this.#batches.size;
  }

  /** Children that one owner may hold: all but the last. */
  get childrenOfOneMax(): number {
    return Math.max(this.#childrenMax - 1, 1);
  }

  get children(): readonly SandboxChild[] {
    return [...this.#batches.keys()];
  }

  get tasks(): readonly QueuedTask[] {
    return [...this.#batches.values()].flatMap(({ tasks }) => tasks);
  }

  has(child: SandboxChild): boolean {
    return this.#batches.has(child);
  }

  begin(child: SandboxChild, tasks: readonly QueuedTask[]): Batch {
    const batch = { tasks, owners: new Set(tasks.map(({ owner }) => owner)), sentAt: performance.now() };
    this.#batches.set(child, batch);
    return batch;
  }

  end(child: SandboxChild): Batch {
    const batch = this.#batches.get(child) ?? noBatch;
    this.#batches.delete(child);
    return batch;
  }

  /** The child whose current task this is, or whose batch is only this task. */
  childBusyWith(task: QueuedTask): SandboxChild | undefined {
    return this.children.find((child) => {
      const { tasks = [] } = this.#batches.get(child) ?? {};
      const at = tasks.indexOf(task);
      return at >= 0 && (tasks.length === 1 || child.current?.task === at);
    });
  }

  /** The last free child is reserved for owners that hold none. */
  readonly mayTakeChild = (owner: string): boolean => {
    const free = this.#childrenMax - this.#batches.size;
    return free > 1 || (free === 1 && ![...this.#batches.values()].some(({ owners }) => owners.has(owner)));
  };
}
