import { cancelled, type Outcome } from "#lib/engine/outcome.ts";
import type { Begun, RunIo } from "#lib/engine/run.ts";
import { recordedStep, type Step } from "#lib/engine/step.ts";
import type { Waiting, WaitRequest, Wake } from "#lib/engine/wait.ts";
import { type Run, StopReason, stopKind } from "#lib/executions/run.ts";
import type { RunRecords } from "#lib/executions/store/node-record.ts";
import { readWakes } from "#lib/executions/store/read-records.ts";
import { closeWaits, recordWait, type OpenWaits as Suspension } from "#lib/executions/store/record-wait.ts";
import { type WaitingRun, waitingRuns } from "#lib/executions/store/runs-in-process.ts";
import { untilAvailable } from "#lib/executions/store/until-available.ts";
import { isRecordedFirst } from "#lib/nodes/registry.ts";
import { nowMs } from "#lib/platform/clock.ts";
import { env } from "#lib/platform/env.ts";
import { memoryTurns } from "./memory-turns.ts";
import { OpenWaits } from "./open-waits.ts";
import { type RunRecord, storedRecord } from "./run-record.ts";
import { WorkClock } from "./work-clock.ts";

/** Steps without outside effects that end sooner are stored with what follows them. */
const shownAfterMs = 200;
const patienceMs = 120_000;

/** The limits of one stretch, for runtimes that drive runs in stretches. */
export interface Stretch {
  /** Epoch milliseconds after which no step starts: the next stretch continues. */
  readonly beginsUntil: number;
  /** Called when a step has ended in this stretch. */
  onEnd(step: Step, outcome: Outcome): void;
}

/**
 * The engine's port when one of our processes drives the run: records what the run does. A node with an outside effect
 * is stored as started before it acts, together with everything done before it, and as done right after. Other nodes
 * are deterministic, so they are written with the next record or with the run's end, or while they take long. A wait is on disk before anything
 * waits for it; once only waits are left, the run is suspended.
 */
export class RecordingIo implements RunIo, WaitingRun {
  readonly clock: WorkClock;
  readonly #run: Run;
  readonly #record: RunRecord;
  readonly #records: RunRecords;
  readonly #waits: OpenWaits;
  readonly #wakes = new Map<string, Wake>();
  readonly #writes = new Set<Promise<void>>();
  /** Why a record could not be stored, or a wait not ended. */
  #failure: unknown = null;
  readonly #stretch: Stretch | undefined;
  #working = 0;
  /** Steps that wait for memory, or have it. */
  #inLine = 0;
  #suspension: Suspension | null = null;
  /** True if a step was left to the next stretch. */
  #isLeft = false;

  /** `holdUntil`: epoch milliseconds until which a caller waits for the run's end; 0 for nobody. */
  constructor(run: Run, records: RunRecords, holdUntil: number, record: RunRecord, stretch?: Stretch) {
    this.#run = run;
    this.#stretch = stretch;
    this.#record = record;
    this.#records = records;
    this.#waits = new OpenWaits(holdUntil, () => this.#check());
    this.clock = new WorkClock(run.timeoutMs, run.workedMs, () => run.stop.abort(new StopReason("timeout")));
  }

  /** What the suspended run waits for; null if it was not suspended. With steps left to start, it resumes at once. */
  get suspension(): Suspension | null {
    if (!this.#isLeft) return this.#suspension;
    return { stepIds: [], executionIds: [], ...this.#suspension, until: nowMs() };
  }

  async task(step: Step, work: () => Promise<Begun>): Promise<Begun | null> {
    const recorded = recordedStep(this.#records, step.id);
    if (recorded === null) {
      if (this.#leavesToNextStretch()) return null;
      return await this.#inTurn(() => this.#atWork(() => this.#begin(step, work)));
    }
    const earlier = this.#records.begun.get(step.id);
    const isOpen = recorded.status === "waiting" || recorded.status === "iterating";
    if (isOpen && earlier !== undefined) this.#run.journal.continue(step, earlier);
    return recorded;
  }

  wait(step: Step, request: WaitRequest): Promise<Wake | null> {
    const wake = this.#wakes.get(step.id) ?? this.#records.waits.get(step.id)?.wake;
    if (wake) return Promise.resolve(wake);
    waitingRuns().set(this.#run.id, this);
    const pendingWake = this.#waits.add(step.id, request);
    this.#check();
    return pendingWake;
  }

  finish<Ended extends Outcome | Waiting>(step: Step, work: () => Promise<Ended>): Promise<Ended> {
    const finish = async () => {
      const ended: Outcome | Waiting = await work();
      if (ended.status === "waiting") await this.#recordWait(step, ended);
      else this.#end(step, ended);
      return ended as Ended;
    };
    return this.#inTurn(() => this.#atWork(finish));
  }

  /**
   * Resolves when every pending record is on disk: the end of a run must not be visible before its records. Rejects if
   * one could not be stored.
   */
  async written(): Promise<void> {
    await Promise.all(this.#writes);
    if (this.#failure !== null) throw this.#failure;
  }

  async check(): Promise<void> {
    const wakes = await readWakes(this.#run.id, this.#waits.stepIds);
    for (const [stepId, wake] of wakes) this.#waits.wake(stepId, wake);
  }

  get stepIds(): readonly string[] {
    return this.#waits.stepIds;
  }

  get #onlyWaits(): boolean {
    return this.#working === 0 && this.#inLine === 0 && this.#waits.size > 0;
  }

  suspend(): void {
    if (this.#onlyWaits) this.#suspension = this.#waits.suspend();
  }

  close(): void {
    this.clock.close();
    this.#waits.close();
    if (waitingRuns().get(this.#run.id) === this) waitingRuns().delete(this.#run.id);
  }

  async #begin(step: Step, work: () => Promise<Begun>): Promise<Begun> {
    const { journal, stop } = this.#run;
    // The next owner of the run reads them all.
    if (journal.stepCount >= env().runStepsMax) {
      stop.abort(new StopReason("steps"));
      return cancelled;
    }
    journal.begin(step);
    if (isRecordedFirst(step.node.node.type)) await flush(this.#run, this.#record);
    const begun = stop.signal.aborted ? cancelled : await this.#shownAtWork(work);
    if (begun.status === "waiting") return await this.#recordWait(step, begun);
    if (begun.status !== "iterating") return this.#end(step, begun);
    journal.iterates(step.id, begun);
    return begun;
  }

  /** A step that computes for long is stored as started meanwhile: readers see that it runs, and a cancellation tells it. */
  async #shownAtWork(work: () => Promise<Begun>): Promise<Begun> {
    const timer = setTimeout(() => this.#flushSoon(), shownAfterMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Lets a large run wait while memory is short. That is neither work nor one of its waits. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (!memoryTurns().concerns(this.#run)) return await work();
    this.#inLine += 1;
    try {
      return await memoryTurns().take(this.#run, work);
    } finally {
      this.#inLine -= 1;
    }
  }

  #leavesToNextStretch(): boolean {
    if (this.#stretch === undefined || nowMs() <= this.#stretch.beginsUntil) return false;
    this.#isLeft = true;
    return true;
  }

  #end(step: Step, outcome: Outcome): Outcome {
    // The next owner continues a step that was cut off here: a loop with the same items.
    if (outcome.status === "cancelled" && isLeftToOthers(this.#run)) return outcome;
    this.#run.journal.end(step.id, outcome);
    this.#stretch?.onEnd(step, outcome);
    // Not awaited: the next effect waits for its own record, which is written after this one.
    if (isRecordedFirst(step.node.node.type) || this.#run.journal.isLarge) this.#flushSoon();
    return outcome;
  }

  async #recordWait(step: Step, waiting: Waiting): Promise<Waiting> {
    const { status, wake } = await recordWait(this.#run, step.id, waiting.wait);
    stopUnlessRunning(this.#run, status);
    const found = wake ?? (waiting.wait.kind === "execution" ? await this.#endBefore(step) : null);
    if (found !== null) this.#wakes.set(step.id, found);
    return withoutOutput(waiting);
  }

  /** The end of an execution that ended before the step waited for it, so that it woke nobody. */
  async #endBefore({ id }: Step): Promise<Wake | null> {
    return (await untilAvailable(patienceMs, () => readWakes(this.#run.id, [id]))).get(id) ?? null;
  }

  /** Counts as work, for the time limit and for deciding whether only waits are left. */
  async #atWork<T>(work: () => Promise<T>): Promise<T> {
    this.#working += 1;
    this.clock.start();
    try {
      return await work();
    } finally {
      this.#working -= 1;
      if (this.#working === 0) this.clock.pause();
      if (this.#waits.size > 0) this.#check();
    }
  }

  /** Wakes what is due. Once everything that follows has started, checks whether the run now only waits. */
  #check(): void {
    const overdue = this.#waits.wakeDue();
    if (overdue.length > 0) void this.#timeOut(overdue);
    setImmediate(() => {
      if (!this.#waits.isShort) this.suspend();
    });
  }

  /** Ends waits by their time limit, unless what they wait for came in time: another process may have received it. */
  async #timeOut(stepIds: readonly string[]): Promise<void> {
    try {
      await untilAvailable(patienceMs, async () => {
        await closeWaits(this.#run.id, stepIds);
        await this.check();
      });
      this.#waits.timeOut(stepIds);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Leaves the run to another process. */
  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#run.stop.abort(new StopReason("lost"));
  }

  #flushSoon(): void {
    setImmediate(() => {
      // The next effect or the end of the run may have included the record.
      if (!this.#run.journal.hasUnstored) return;
      const write = flush(this.#run, this.#record)
        .catch((error: unknown) => this.#fail(error))
        .finally(() => this.#writes.delete(write));
      this.#writes.add(write);
    });
  }
}

/** What a node will pass on is stored for instances of 1.0.0; here, the node reads its input again once it is woken. */
function withoutOutput({ status, wait }: Waiting): Waiting {
  const { output: _, ...state } = wait.state;
  return { status, wait: { ...wait, state } };
}

/** Stores the unstored records; stops the run if it no longer belongs to this process. */
export async function flush(run: Run, record: RunRecord = storedRecord): Promise<void> {
  const { nodes, logs } = run.journal.take();
  stopUnlessRunning(run, await record.write({ executionId: run.id, fence: run.fence, nodes, logs }));
  if (nodes.some(({ completedAt }) => completedAt !== null)) run.isSuspect = false;
}

function isLeftToOthers(run: Run): boolean {
  const kind = stopKind(run);
  return kind === "handover" || kind === "lost";
}

function stopUnlessRunning(run: Run, status: string | null): void {
  if (status !== "running") run.stop.abort(new StopReason(status === "cancelled" ? "cancelled" : "lost"));
}
