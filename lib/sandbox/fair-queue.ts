import type { SandboxAnswer, SandboxResult, TaskMessage } from "./child/protocol.ts";

/** A task: queued, in a batch, or settled. */
export class QueuedTask {
  readonly message: TaskMessage;
  /** Owners take turns. */
  readonly owner: string;
  readonly chars: number;
  settled = false;
  /** Children that crashed while evaluating it, not counting kills at a deadline. */
  crashes = 0;
  /** Children that died before it was known which task was to blame. */
  unexplainedCrashes = 0;
  /** It was in a batch behind a task that had to be killed, and may be dangerous itself: it is sent alone. */
  alone = false;
  onSettled: (() => void) | undefined;
  readonly #resolve: (answer: SandboxAnswer) => void;
  readonly #reject: (reason: unknown) => void;

  constructor(
    { message, owner }: { message: TaskMessage; owner: string },
    resolve: (answer: SandboxAnswer) => void,
    reject: (reason: unknown) => void,
  ) {
    this.message = message;
    this.owner = owner;
    this.chars = message.texts.reduce((sum, text) => sum + text.length, 0);
    this.#resolve = resolve;
    this.#reject = reject;
  }

  answer(answer: SandboxAnswer): void {
    if (this.#settle()) this.#resolve(answer);
  }

  fail(name: string, message: string): void {
    const result: SandboxResult = { ok: false, error: { kind: "limit", name, message, position: null } };
    this.answer({ results: this.message.programs.map(() => result), logs: [] });
  }

  cancel(reason: unknown): void {
    if (this.#settle()) this.#reject(reason);
  }

  #settle(): boolean {
    if (this.settled) return false;
    this.settled = true;
    this.onSettled?.();
    return true;
  }
}

/** Queued tasks by owner. Owners take turns, so one with a thousand tasks delays nobody by more than one. */
export class FairQueue {
  /** In the order of turns. No queue is empty. */
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

  /** Requeues tasks ahead of their owners' other tasks, in this order. */
  putBack(tasks: readonly QueuedTask[]): void {
    for (const task of [...tasks].reverse()) {
      const queue = this.#queues.get(task.owner);
      if (queue === undefined) this.#queues.set(task.owner, [task]);
      else queue.unshift(task);
      this.#size += 1;
    }
  }

  /** The next owner that `mayGo`. */
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
