import type { QueuedTask } from "./queued-task.ts";

/** What waits, by whose it is: owners take turns, so that who has asked for a thousand things delays nobody by more than one. */
export class FairQueue {
  /** In the order of the turns; no queue is empty. */
  readonly #queues = new Map<string, QueuedTask[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(errand: QueuedTask): void {
    this.#size += 1;
    const queue = this.#queues.get(errand.owner);
    if (queue === undefined) this.#queues.set(errand.owner, [errand]);
    else queue.push(errand);
  }

  /** Before whatever else their owners have waiting, in this order. */
  putBack(errands: readonly QueuedTask[]): void {
    for (const errand of [...errands].reverse()) {
      const queue = this.#queues.get(errand.owner);
      if (queue === undefined) this.#queues.set(errand.owner, [errand]);
      else queue.unshift(errand);
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

  /** Takes the owner's next errand; the owner's next turn is after everybody else's. */
  take(owner: string): QueuedTask | undefined {
    const queue = this.#queues.get(owner);
    const errand = queue?.shift();
    if (queue === undefined || errand === undefined) return undefined;
    this.#size -= 1;
    this.#queues.delete(owner);
    if (queue.length > 0) this.#queues.set(owner, queue);
    return errand;
  }

  remove(errand: QueuedTask): void {
    const queue = this.#queues.get(errand.owner) ?? [];
    const at = queue.indexOf(errand);
    if (at < 0) return;
    queue.splice(at, 1);
    this.#size -= 1;
    if (queue.length === 0) this.#queues.delete(errand.owner);
  }

  takeAll(): QueuedTask[] {
    const all = [...this.#queues.values()].flat();
    this.#queues.clear();
    this.#size = 0;
    return all;
  }
}
