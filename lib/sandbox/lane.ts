import { Batches } from "./batches.ts";
import { batchTasksMax, type ChildMessage } from "./child/protocol.ts";
import type { ChildListener, SandboxChild } from "./child-process.ts";
import { FairQueue, type QueuedTask, SlowOwners } from "./fair-queue.ts";
import type { SpareChild } from "./spare-child.ts";

const batchCharsMax = 1024 * 1024;
const failedStartsMax = 3;
const unexplainedCrashesMax = 5;
/**
 * How long tasks wait for a working child before another one joins in. A batch takes about a millisecond, and the
 * waiting tasks are then sent together: two children that share short tasks cost more than one. A child that takes
 * longer is busy with something slow, which must not delay others.
 */
const joinAfterMs = 5;

export interface LaneOptions {
  readonly children: number;
  readonly batchTasksMax?: number;
  /** Wall time a program may take beyond its CPU time before the child is killed. */
  readonly hardKillMs: number;
  readonly recycleAfterTasks: number;
  readonly spare: SpareChild;
  /** Called when a child had to be killed while evaluating this source. */
  readonly onKilled: (source: string) => void;
}

/**
 * A queue of tasks and the children that work on it. While they are busy, tasks wait and are then sent together. Owners
 * take turns, and the last free child is reserved for owners that hold none: however many and slow an owner's tasks
 * are, they delay another's by at most one of them.
 */
export class Lane implements ChildListener {
  readonly counts = { tasks: 0, batches: 0, killed: 0, crashed: 0, recycled: 0 };
  readonly #options: LaneOptions;
  readonly #turns = new FairQueue();
  readonly #slow = new SlowOwners();
  readonly #batches: Batches;
  readonly #children = new Set<SandboxChild>();
  #lastSentAt = 0;
  #joining: NodeJS.Timeout | undefined;
  #pumping = false;
  #failedStarts = 0;
  #closed = false;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#batches = new Batches(options.children);
  }

  get queued(): number {
    return this.#turns.size;
  }

  /** The children that are working on a batch. */
  get running(): readonly SandboxChild[] {
    return this.#batches.children;
  }

  get children(): readonly SandboxChild[] {
    return [...this.#children];
  }

  add(task: QueuedTask): void {
    this.#turns.add(task);
    this.#pumpSoon();
  }

  /** Drops a settled task that nobody waits for: it leaves the queue, and a child working on it is killed. */
  abandon(task: QueuedTask): void {
    this.#turns.remove(task);
    this.#batches.childBusyWith(task)?.kill();
  }

  /** Starts the lane's children before there is work for them. */
  warm(): void {
    while (this.#children.size < this.#batches.childrenOfOneMax) this.#hire();
  }

  async close(reason: Error): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#joining);
    for (const task of [...this.#turns.takeAll(), ...this.#batches.tasks]) task.cancel(reason);
    for (const child of this.#children) child.kill();
    await Promise.all(this.children.map((child) => child.exited));
  }

  ready(): void {
    this.#failedStarts = 0;
    this.#pump();
  }

  answered(child: SandboxChild, message: Extract<ChildMessage, { kind: "answers" }>): void {
    const tasks = this.#endBatch(child);
    message.answers.forEach((answer, index) => {
      tasks[index]?.answer(answer);
    });
    this.counts.tasks += message.answers.length;
    child.tasksDone += message.answers.length;
    this.#putBack(tasks.slice(message.answers.length));
    if (message.worn || child.tasksDone >= this.#options.recycleAfterTasks) {
      this.counts.recycled += 1;
      this.#children.delete(child);
      child.listener = undefined;
      child.kill();
    }
    this.#pump();
  }

  exited(child: SandboxChild): void {
    const tasks = this.#endBatch(child);
    this.#children.delete(child);
    if (this.#closed) return;
    if (child.isReady) this.#blame(child, tasks);
    else this.#failedStarts += 1;
    if (this.#failedStarts >= failedStartsMax) {
      const reason = new Error(`the sandbox's child process does not start: ${child.stderr}`);
      for (const task of this.#turns.takeAll()) task.cancel(reason);
      this.#failedStarts = 0;
    }
    this.#pump();
  }

  /** Blames only the task that was being evaluated; the others in its batch start over. */
  #blame(child: SandboxChild, batch: readonly QueuedTask[]): void {
    const { task: at = batch.length === 1 ? 0 : -1, program = 0 } = child.current ?? {};
    const culprit = batch[at];
    if (child.overstayed) this.counts.killed += 1;
    if (culprit === undefined) this.#countUnexplainedCrash(batch);
    else if (child.overstayed) {
      culprit.fail("KilledError", "it could not be interrupted and was ended by force");
      this.#options.onKilled(culprit.message.programs[program]?.source ?? "");
      for (const later of batch.slice(at + 1)) later.alone = true;
    } else if (!culprit.settled) {
      this.counts.crashed += 1;
      culprit.crashes += 1;
      if (culprit.crashes > 1) culprit.fail("CrashError", "the sandbox broke down under it");
    }
    this.#putBack(batch);
  }

  #countUnexplainedCrash(batch: readonly QueuedTask[]): void {
    for (const task of batch) {
      task.unexplainedCrashes += 1;
      if (task.unexplainedCrashes > unexplainedCrashesMax) task.fail("CrashError", "the sandbox broke down repeatedly");
    }
  }

  #putBack(tasks: readonly QueuedTask[]): void {
    this.#turns.putBack(tasks.filter((task) => !task.settled));
  }

  #pumpSoon(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    // All tasks of one turn of the event loop go into one batch.
    queueMicrotask(() => {
      this.#pumping = false;
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#closed || this.#turns.size === 0) return;
    while (this.#children.size < this.#batches.childrenOfOneMax) this.#hire();
    for (const child of this.#children) {
      if (!child.isReady || child.isDead || this.#batches.has(child)) continue;
      if (this.#turns.owner(this.#batches.mayTakeChild) === undefined) return;
      const waitMs = this.#msUntilAnotherJoins();
      if (waitMs > 0) {
        this.#pumpIn(waitMs);
        return;
      }
      this.#dispatch(child);
    }
    const all = [...this.#children];
    const isComing = all.some((child) => !child.isReady || child.isDead);
    const isShort = this.#turns.owner(this.#batches.mayTakeChild) !== undefined;
    // A child that was started in advance does not report ready again.
    if (isShort && !isComing && all.length < this.#options.children && this.#hire().isReady) this.#pump();
  }

  #endBatch(child: SandboxChild): readonly QueuedTask[] {
    const { tasks, owners, sentAt } = this.#batches.end(child);
    this.#slow.note(owners, performance.now() - sentAt);
    return tasks;
  }

  /** Worth waiting only if tasks are sent together and a child may soon be free for them. */
  #msUntilAnotherJoins(): number {
    const isFull = this.#turns.size >= this.#tasksMax;
    return this.#batches.size === 0 || isFull ? 0 : this.#lastSentAt + joinAfterMs - performance.now();
  }

  get #tasksMax(): number {
    return this.#options.batchTasksMax ?? batchTasksMax;
  }

  #pumpIn(ms: number): void {
    this.#joining ??= setTimeout(() => {
      this.#joining = undefined;
      this.#pump();
    }, ms);
  }

  #hire(): SandboxChild {
    const child = this.#options.spare.take();
    child.listener = this;
    this.#children.add(child);
    if (child.isReady) this.#options.spare.refill();
    return child;
  }

  #dispatch(child: SandboxChild): void {
    const tasks = this.#nextBatch();
    this.#lastSentAt = this.#batches.begin(child, tasks).sentAt;
    this.counts.batches += 1;
    const cpuMsMax = Math.max(...tasks.map((task) => task.message.limits.cpuMs));
    child.send(
      tasks.map((task) => task.message),
      cpuMsMax,
      this.#options.hardKillMs,
    );
    this.#options.spare.refill();
  }

  #nextBatch(): QueuedTask[] {
    const tasks: QueuedTask[] = [];
    const mayJoin = (owner: string) =>
      this.#batches.mayTakeChild(owner) && (tasks.length === 0 || this.#slow.mayShare(owner, tasks[0]?.owner ?? ""));
    for (let chars = 0; tasks.length < this.#tasksMax && chars < batchCharsMax; ) {
      const owner = this.#turns.owner(mayJoin);
      if (owner === undefined) break;
      const alone = this.#turns.peek(owner)?.alone === true;
      if (alone && tasks.length > 0) break;
      const task = this.#turns.take(owner);
      if (task === undefined) break;
      tasks.push(task);
      chars += task.chars;
      if (alone) break;
    }
    return tasks;
  }
}
