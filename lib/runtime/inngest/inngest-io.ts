import { type GetStepTools, RetryAfterError } from "inngest";
import { stepSeparator } from "#lib/engine/flow.ts";
import { cancelled, type Outcome } from "#lib/engine/outcome.ts";
import type { Begun, RunIo } from "#lib/engine/run.ts";
import type { Step } from "#lib/engine/step.ts";
import type { WaitRequest, Wake } from "#lib/engine/wait.ts";
import { StopReason } from "#lib/executions/run.ts";
import { nowMs } from "#lib/platform/clock.ts";
import type { Client } from "./client.ts";
import { executionWoken, sameExecution } from "./events.ts";
import type { OpenedRun } from "./open-run.ts";
import { performStep } from "./perform-step.ts";
import { type FreshResults, recordStep, type StepResult } from "./record-step.ts";

/** Inngest allows a function 1,000 steps a run; those under way and the ends of what is begun come on top. */
const stepsMax = 700;
/** Inngest's plans bound how long a step may sleep; a longer wait takes several turns. */
const turnMsMax = 6 * 86_400_000;
/**
 * The first turns of a wait for an event. One that is sent before Inngest listens is lost on it, but not on the
 * database, which is looked at after each turn: and what comes at all comes most often soon.
 */
const firstTurnsMs = [1_000, 10_000, 120_000, 900_000, 7_200_000];
/** How many turns of the event loop's microtasks steps that become ready together may lie apart. */
const readyTogether = 16;

/** What the call is, and how far the function's run has come. */
interface Call {
  readonly stepsDone: number;
  readonly isForOneStep: boolean;
}

/**
 * The engine's outside within an Inngest function: every node is a step of it, named after the node. A step's result is
 * small and says only how it went; what came of it is in the database, read when the call begins. Between a step's end
 * and the next step nothing may be waited for, or Inngest would not find the steps that are ready together.
 */
export class InngestIo implements RunIo {
  readonly #opened: OpenedRun;
  readonly #tools: GetStepTools<Client>;
  readonly #owner: string;
  readonly #call: Call;
  /** What steps came to in this call. */
  readonly #fresh: FreshResults = { begun: new Map(), wakes: new Map() };
  #taken = 0;
  #open = 0;

  constructor(opened: OpenedRun, tools: GetStepTools<Client>, owner: string, call: Call) {
    this.#opened = opened;
    this.#tools = tools;
    this.#owner = owner;
    this.#call = call;
  }

  async task(step: Step, work: () => Promise<Begun>): Promise<Begun | null> {
    const { run, records, own } = this.#opened;
    if (!own.has(step.id)) {
      const earlier = records.outcomes.get(step.id) ?? this.#begunBefore(step);
      if (earlier !== null) return earlier;
      if (this.#isFull) return null;
      this.#taken += 1;
    }
    const perform = () => performStep(run, step, this.#owner, work, this.#fresh);
    const result = await this.#inStep(`node:${step.id}`, nameOf(step), step, perform);
    if (result?.status !== "stopped") return this.#known(step);
    run.stop.abort(new StopReason(result.reason));
    return cancelled;
  }

  async wait(step: Step, request: WaitRequest): Promise<Wake | null> {
    this.#open += 1;
    try {
      for (let turn = 1; ; turn += 1) {
        const wake = this.#wakeOf(step, request);
        if (wake !== null || this.#isFull) return wake;
        await this.#waitOnce(step, request, turn);
      }
    } finally {
      this.#open -= 1;
    }
  }

  async finish(step: Step, work: () => Promise<Outcome>): Promise<Outcome> {
    const { run, records } = this.#opened;
    const perform = async (): Promise<StepResult> => {
      const recorded = records.outcomes.get(step.id);
      const earlier = records.begun.get(step.id);
      if (earlier !== undefined) run.journal.continue(step, earlier);
      return await recordStep(run, step, recorded ?? (await work()), this.#fresh);
    };
    const name = `${nameOf(step)} (${step.node.body === null ? "resumed" : "joined"})`;
    const result = await this.#inStep(`end:${step.id}`, name, step, perform);
    if (result?.status === "stopped") run.stop.abort(new StopReason(result.reason));
    const outcome = result?.status === "stopped" ? cancelled : this.#known(step);
    return outcome.status === "waiting" || outcome.status === "iterating" ? cancelled : outcome;
  }

  /** True once this run of the function has done its share: what has not begun is left to the next one. */
  get #isFull(): boolean {
    return !this.#call.isForOneStep && this.#call.stepsDone + this.#taken >= stepsMax;
  }

  /** A step that began before this run of the function and waits, or is a loop that has its items. */
  #begunBefore(step: Step): Begun | null {
    const { run, records } = this.#opened;
    const begun = records.begun.get(step.id);
    const wait = records.waits.get(step.id);
    if (begun === undefined) return null;
    const again: Begun | null = wait === undefined ? begun.loop : { status: "waiting", wait: wait.request };
    if (again !== null) run.journal.continue(step, begun);
    return again;
  }

  /** Null when the step failed: Inngest is told so, and shows it. */
  async #inStep(id: string, name: string, step: Step, perform: () => Promise<StepResult>): Promise<StepResult | null> {
    this.#open += 1;
    try {
      return await this.#tools.run({ id, name, ...(await this.#mode()) }, perform);
    } catch (error) {
      if (this.#opened.records.outcomes.get(step.id)?.status !== "failed") throw error;
      return null;
    } finally {
      this.#open -= 1;
    }
  }

  /**
   * How Inngest is to take the step: alone, it is done at once in this call; beside others, each goes on by itself as
   * soon as it is done, as branches do.
   */
  async #mode(): Promise<{ parallelMode?: "race" }> {
    for (let turn = 0; turn < readyTogether; turn += 1) await Promise.resolve();
    return this.#open > 1 ? { parallelMode: "race" } : {};
  }

  /** What the step is recorded to have come to. */
  #known(step: Step): Begun {
    const known =
      this.#fresh.begun.get(step.id) ?? this.#opened.records.outcomes.get(step.id) ?? this.#begunBefore(step);
    if (known !== null && known !== undefined) return known;
    throw new RetryAfterError(`nothing is recorded yet of the step "${step.id}"`, 1_000);
  }

  #wakeOf({ id }: Step, { until }: WaitRequest): Wake | null {
    const stored = this.#opened.records.waits.get(id)?.wake ?? this.#fresh.wakes.get(id);
    if (stored) return stored;
    if (until === null || until > nowMs()) return null;
    return { by: "time", at: new Date(until).toISOString(), value: null };
  }

  async #waitOnce(step: Step, { kind, until }: WaitRequest, turn: number): Promise<void> {
    const options = { id: `wait:${step.id}:${turn}`, name: `${nameOf(step)} (waiting)`, ...(await this.#mode()) };
    const now = nowMs();
    const untilMs = (until ?? Number.POSITIVE_INFINITY) - now;
    if (kind === "time") await this.#tools.sleepUntil(options, new Date(now + Math.min(untilMs, turnMsMax)));
    else {
      const timeout = Math.max(1_000, Math.min(untilMs, firstTurnsMs[turn - 1] ?? turnMsMax));
      await this.#tools.waitForEvent(options, { event: executionWoken, if: sameExecution, timeout });
    }
  }
}

/** A node's name; in a loop with the turn. */
function nameOf({ id, node }: Step): string {
  const [, turns] = id.split(stepSeparator);
  return turns === undefined ? node.node.name : `${node.node.name} [${turns}]`;
}
