import type { QueuedTask } from "./queued-task.ts";

/** Queued tasks by owner. Owners take turns, so one with a thousand tasks delays nobody by more than one. */
export class FairQueue {
  /** In the order of turns; no queue is empty. */
  readonly #queues = new Map<string, QueuedTask[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(task: QueuedTask): void {
    this.#size += 1;
    const queue = this.#queues.get(task.owner);
    if (queue === undefined) this.#queues.set(task.owner, [task]);
    else queue.push(task);
  }

  /** Ahead of their owners' other queued tasks, in this order. */
  putBack(tasks: readonly QueuedTask[]): void {
    for (const task of [...tasks].reverse()) {
      const queue = this.#queues.get(task.owner);
      if (queue === undefined) this.#queues.set(task.owner, [task]);
      else queue.unshift(task);
      this.#size += 1;
    }
  }

  /** The next owner whose turn it may be. */
  owner(mayGo: (owner: string) => boolean): string | undefined {
    for (const owner of this.#queues.keys()) if (mayGo(owner)) return owner;
    return undefined;
  }

  peek(owner: string): QueuedTask | undefined {
    return this.#queues.get(owner)?.[0];
  }

  /** Takes the owner's next task and moves the owner to the end of the turns. */
  take(owner: string): QueuedTask | undefined {
    const queue = this.#queues.get(owner);
    const task = queue?.shift();
    if (queue === undefined || task === undefined) return undefined;
    this.#size -= 1;
    this.#queues.delete(owner);
    if (queue.length > 0) this.#queues.set(owner, queue);
    return task;
  }

  remove(task: QueuedTask): void {
    const queue = this.#queues.get(task.owner) ?? [];
    const at = queue.indexOf(task);
    if (at < 0) return;
    queue.splice(at, 1);
    this.#size -= 1;
    if (queue.length === 0) this.#queues.delete(task.owner);
  }

  takeAll(): QueuedTask[] {
    const all = [...this.#queues.values()].flat();
    this.#queues.clear();
    this.#size = 0;
    return all;
  }
}
