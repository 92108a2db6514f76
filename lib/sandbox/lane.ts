import { Batches } from "./batches.ts";
import { batchTasksMax, type ChildMessage } from "./child/protocol.ts";
import type { ChildListener, SandboxChild } from "./child-process.ts";
import { FairQueue } from "./fair-queue.ts";
import type { QueuedTask } from "./queued-task.ts";
import { SlowOwners } from "./slow-owners.ts";
import type { SpareChild } from "./spare-child.ts";

const batchCharsMax = 1024 * 1024;
const failedStartsMax = 3;
const mishapsMax = 5;
/**
 * How long tasks wait for a child that is at work before another one joins in. A batch takes about a millisecond, and
 * what waits for it goes over together: two children that share short tasks cost more than one that has them all. A
 * child that takes longer is at something hard, and holds up nobody.
 */
const joinAfterMs = 5;

export interface LaneOptions {
  readonly children: number;
  readonly batchTasksMax?: number;
  /** Wall time a program may take beyond its CPU time before the child is killed. */
  readonly hardKillMs: number;
  readonly recycleAfterTasks: number;
  readonly nursery: SpareChild;
  /** A child had to be killed while evaluating this. */
  readonly onKilled: (source: string) => void;
}

/**
 * What waits, and the children that work it off. While they are busy tasks wait, and what has waited goes over together.
 * Owners take turns, and the last free child is for who holds none: nobody's tasks, however many and however slow, keep
 * another's waiting for longer than one of them takes.
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

  /** Those that are busy with a batch. */
  get running(): readonly SandboxChild[] {
    return this.#batches.children;
  }

  get children(): readonly SandboxChild[] {
    return [...this.#children];
  }

  add(errand: QueuedTask): void {
    this.#turns.add(errand);
    this.#pumpSoon();
  }

  /** A settled errand that nobody waits for any more: it leaves the queue, and a child that is busy with it is killed. */
  abandon(errand: QueuedTask): void {
    this.#turns.remove(errand);
    this.#batches.childBusyWith(errand)?.kill();
  }

  /** Starts the lane's children before there is work for them. */
  warm(): void {
    while (this.#children.size < this.#batches.childrenOfOneMax) this.#hire();
  }

  async close(reason: Error): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#joining);
    for (const errand of [...this.#turns.takeAll(), ...this.#batches.errands]) errand.giveUp(reason);
    for (const child of this.#children) child.kill();
    await Promise.all(this.children.map((child) => child.gone));
  }

  ready(): void {
    this.#failedStarts = 0;
    this.#pump();
  }

  answered(child: SandboxChild, message: Extract<ChildMessage, { kind: "answers" }>): void {
    const errands = this.#endBatch(child);
    message.answers.forEach((answer, index) => {
      errands[index]?.answer(answer);
    });
    this.counts.tasks += message.answers.length;
    child.tasksDone += message.answers.length;
    this.#putBack(errands.slice(message.answers.length));
    if (message.worn || child.tasksDone >= this.#options.recycleAfterTasks) {
      this.counts.recycled += 1;
      this.#children.delete(child);
      child.listener = undefined;
      child.kill();
    }
    this.#pump();
  }

  exited(child: SandboxChild): void {
    const errands = this.#endBatch(child);
    this.#children.delete(child);
    if (this.#closed) return;
    if (child.isReady) this.#mourn(child, errands);
    else this.#failedStarts += 1;
    if (this.#failedStarts >= failedStartsMax) {
      const reason = new Error(`the sandbox's child process does not start: ${child.stderr}`);
      for (const errand of this.#turns.takeAll()) errand.giveUp(reason);
      this.#failedStarts = 0;
    }
    this.#pump();
  }

  /** Only the task that was being evaluated is to blame; the others of its batch begin again. */
  #mourn(child: SandboxChild, batch: readonly QueuedTask[]): void {
    const { task: at = batch.length === 1 ? 0 : -1, program = 0 } = child.current ?? {};
    const culprit = batch[at];
    if (child.overstayed) this.counts.killed += 1;
    if (culprit === undefined) this.#countMishap(batch);
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

  #countMishap(batch: readonly QueuedTask[]): void {
    for (const errand of batch) {
      errand.mishaps += 1;
      if (errand.mishaps > mishapsMax) errand.fail("CrashError", "the sandbox broke down repeatedly");
    }
  }

  #putBack(errands: readonly QueuedTask[]): void {
    this.#turns.putBack(errands.filter((errand) => !errand.settled));
  }

  #pumpSoon(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    // Everything asked for in one turn of the event loop goes into one batch.
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
    // One that was started beforehand says no more that it is ready.
    if (isShort && !isComing && all.length < this.#options.children && this.#hire().isReady) this.#pump();
  }

  #endBatch(child: SandboxChild): readonly QueuedTask[] {
    const { errands, owners, sentAt } = this.#batches.end(child);
    this.#slow.note(owners, performance.now() - sentAt);
    return errands;
  }

  /** Only where tasks go over together, and while a child may soon be back for them. */
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
    const child = this.#options.nursery.take();
    child.listener = this;
    this.#children.add(child);
    if (child.isReady) this.#options.nursery.refill();
    return child;
  }

  #dispatch(child: SandboxChild): void {
    const errands = this.#nextErrands();
    this.#lastSentAt = this.#batches.begin(child, errands).sentAt;
    this.counts.batches += 1;
    const cpuMsMax = Math.max(...errands.map((errand) => errand.message.limits.cpuMs));
    child.send(
      errands.map((errand) => errand.message),
      cpuMsMax,
      this.#options.hardKillMs,
    );
    this.#options.nursery.refill();
  }

  #nextErrands(): QueuedTask[] {
    const errands: QueuedTask[] = [];
    const mayJoin = (owner: string) =>
      this.#batches.mayTakeChild(owner) &&
      (errands.length === 0 || this.#slow.mayShare(owner, errands[0]?.owner ?? ""));
    for (let chars = 0; errands.length < this.#tasksMax && chars < batchCharsMax; ) {
      const owner = this.#turns.owner(mayJoin);
      if (owner === undefined) break;
      const alone = this.#turns.peek(owner)?.alone === true;
      if (alone && errands.length > 0) break;
      const errand = this.#turns.take(owner);
      if (errand === undefined) break;
      errands.push(errand);
      chars += errand.chars;
      if (alone) break;
    }
    return errands;
  }
}
