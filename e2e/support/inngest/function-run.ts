// One run of a function, replayed call by call like Inngest.
import type { FunctionConfig, InngestEvent, Operation } from "./protocol.ts";
import { durationMs } from "./protocol.ts";

/** The step id of a call that discovers what to do next. */
const discovery = "step";

/** What a run needs from its server. */
export interface Executor {
  /** Sends a call of the function; rejects if there was no answer. */
  call(run: FunctionRun, stepId: string, attempt: number, callId: string): Promise<CallAnswer>;
  /** Schedules work, dropped if the executor or the run has stopped by then. */
  later(ms: number, work: () => void): void;
  /** How long to wait before a try. */
  retryMs(attempt: number): number;
  /** Processes answers that plan several steps a second time, after those steps have ended. */
  readonly answersLate: boolean;
  onFailed(run: FunctionRun, error: unknown): void;
}

export interface CallAnswer {
  readonly status: number;
  readonly noRetry: boolean;
  readonly body: unknown;
  readonly operations: readonly Operation[];
}

interface StepState {
  readonly type: "data" | "error";
  readonly data?: unknown;
  readonly error?: unknown;
}

interface OpenStep {
  readonly mode: string | undefined;
  readonly wait?: { readonly event: string; readonly if: string | undefined };
}

export class FunctionRun {
  readonly id: string;
  readonly config: FunctionConfig;
  readonly event: InngestEvent;
  readonly steps = new Map<string, StepState>();
  /** Names of steps in the order in which they ended. */
  readonly ended: string[] = [];
  readonly names = new Map<string, string>();
  /** Step results as JSON, by name: what Inngest stores. */
  readonly kept = new Map<string, string>();
  status: "running" | "completed" | "failed" | "cancelled" = "running";
  output: unknown;
  /** How long steps slept, as the function said it. */
  readonly sleeps: string[] = [];
  /** Why calls were retried. */
  readonly errors: unknown[] = [];
  forcesPlan = false;
  calls = 0;
  readonly activeCalls = new Set<string>();
  readonly #open = new Map<string, OpenStep>();
  /** Steps of a plan for several that have not ended since: while there are any, only a race continues. */
  #pending = new Set<string>();
  /** Steps that were planned once: their jobs exist, so a second plan has no effect. */
  readonly #planned = new Set<string>();
  /** An answer still to be processed again. */
  #late: readonly Operation[] | undefined;
  readonly #executor: Executor;

  constructor(id: string, config: FunctionConfig, event: InngestEvent, executor: Executor) {
    this.id = id;
    this.config = config;
    this.event = event;
    this.#executor = executor;
  }

  get stack(): string[] {
    return [...this.steps.keys()];
  }

  get waits(): { readonly stepId: string; readonly event: string; readonly if: string | undefined }[] {
    return [...this.#open].flatMap(([stepId, { wait }]) => (wait === undefined ? [] : [{ stepId, ...wait }]));
  }

  begin(): void {
    void this.call(discovery, 0);
  }

  /** Makes a call and processes its answer. Without one, or after a refusal, it is retried. */
  async call(stepId: string, attempt: number): Promise<void> {
    if (this.status !== "running") return;
    this.calls += 1;
    const callId = `${this.id}-${this.calls}`;
    this.activeCalls.add(callId);
    try {
      const answer = await this.#executor.call(this, stepId, attempt, callId);
      this.activeCalls.delete(callId);
      if (this.status === "running") this.#take(answer, stepId, attempt);
    } catch (error) {
      this.activeCalls.delete(callId);
      this.#retry(stepId, attempt, error);
    }
  }

  /** A step's result, from an answer or a checkpoint. */
  store(op: Operation): void {
    const name = op.displayName ?? op.name ?? op.id;
    this.names.set(op.id, name);
    if (this.steps.has(op.id)) return;
    this.#pending.delete(op.id);
    this.ended.push(name);
    this.kept.set(name, JSON.stringify(op.data ?? null));
    this.steps.set(
      op.id,
      op.op === "StepFailed" ? { type: "error", error: op.error } : { type: "data", data: op.data ?? null },
    );
  }

  /** Ends a step that slept or waited. */
  wake(stepId: string, data: unknown): void {
    const step = this.#open.get(stepId);
    if (step === undefined || this.status !== "running") return;
    this.steps.set(stepId, { type: "data", data });
    this.#pending.delete(stepId);
    this.ended.push(this.names.get(stepId) ?? stepId);
    this.#closed(stepId, step.mode);
  }

  end(status: FunctionRun["status"], output?: unknown): void {
    if (this.status !== "running") return;
    this.status = status;
    this.output = output;
  }

  #take(answer: CallAnswer, stepId: string, attempt: number): void {
    if (answer.status === 206) {
      this.#takeOperations(answer, stepId, attempt);
      return;
    }
    if (answer.status === 200) {
      this.end("completed", answer.body);
      return;
    }
    if (answer.noRetry) {
      this.#fail(answer.body);
      return;
    }
    this.#retry(stepId, attempt, answer.body);
  }

  #takeOperations({ operations }: CallAnswer, stepId: string, attempt: number): void {
    this.#plan(operations);
    for (const op of operations) {
      this.names.set(op.id, op.displayName ?? op.id);
      if (op.op === "RunComplete") {
        this.end("completed", op.data);
        return;
      }
      if (op.op === "StepError") this.#retry(stepId, attempt, op.error);
      else if (op.op === "StepRun" || op.op === "StepFailed") {
        this.store(op);
        this.#closed(op.id, op.opts?.parallelMode);
      } else if (op.op === "DiscoveryRequest") void this.call(discovery, 0);
      else this.#opened(op);
    }
    // A call for a previously planned step that found only known steps: nothing follows from it.
  }

  /** A plan for several steps replaces what was pending, even if it is late. */
  #plan(operations: readonly Operation[]): void {
    if (operations.length < 2) return;
    this.forcesPlan = true;
    if (!operations.some(({ op }) => op === "StepPlanned")) return;
    this.#pending = new Set(operations.map(({ id }) => id));
    if (this.#executor.answersLate) this.#late = operations;
  }

  #opened(op: Operation): void {
    if (this.#open.has(op.id) || this.steps.has(op.id) || this.#planned.has(op.id)) return;
    const mode = op.opts?.parallelMode;
    if (op.op === "StepPlanned") {
      this.#planned.add(op.id);
      this.#open.set(op.id, { mode });
      void this.call(op.id, 0);
    } else if (op.op === "Sleep") {
      this.sleeps.push(op.name ?? "");
      this.#open.set(op.id, { mode });
      this.#executor.later(durationMs(op.name ?? ""), () => this.wake(op.id, null));
    } else if (op.op === "WaitForEvent") {
      this.#open.set(op.id, { mode, wait: { event: op.name ?? "", if: op.opts?.if } });
      this.#executor.later(durationMs(op.opts?.timeout ?? ""), () => this.wake(op.id, null));
    } else throw new Error(`this executor does not know the operation ${op.op}`);
  }

  /**
   * Decides what follows: at once after a step in a race, else when nothing is pending. A late answer for steps that
   * have ended meanwhile leaves them pending forever, like a real server: then only a race continues.
   */
  #closed(stepId: string, mode: string | undefined): void {
    this.#open.delete(stepId);
    const follows = this.#pending.size === 0 || mode === "race";
    if (follows) this.forcesPlan = false;
    const late = this.#late;
    if (late?.every(({ id }) => this.steps.has(id))) {
      this.#late = undefined;
      this.#plan(late);
      this.#late = undefined;
    }
    if (follows) void this.call(discovery, 0);
  }

  #retry(stepId: string, attempt: number, error: unknown): void {
    this.errors.push(error);
    const attempts = this.config.steps.step.retries?.attempts ?? 3;
    if (attempt >= attempts) {
      this.#fail(error);
      return;
    }
    this.#executor.later(this.#executor.retryMs(attempt), () => void this.call(stepId, attempt + 1));
  }

  #fail(error: unknown): void {
    if (this.status !== "running") return;
    this.end("failed", error);
    this.#executor.onFailed(this, error);
  }
}
