import { type Run, StopReason } from "#lib/executions/run.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { SlotMap } from "#lib/platform/slot-map.ts";

/** The runs that this process drives, by id, so that a cancellation reaches them at once. */
export function runningRuns(): SlotMap<Run> {
  return singleton("running-runs", () => new SlotMap());
}

/** Whether a run has this process to itself, so that what it writes need not wait for what others write. */
export function isOnlyRun(): boolean {
  return runningRuns().size === 1;
}

/** Stops a run of this process: aborts its requests and starts nothing new. */
export function stopRun(executionId: string, kind: StopReason["kind"]): void {
  runningRuns().get(executionId)?.stop.abort(new StopReason(kind));
}

/** A run of this process with waiting steps. */
export interface WaitingRun {
  readonly stepIds: readonly string[];
  /** Checks the database for steps that were woken, and resumes them. */
  check(): Promise<void>;
  /** Suspends the run if it only waits. */
  suspend(): void;
}

/** The runs of this process with waiting steps, by id. */
export function waitingRuns(): SlotMap<WaitingRun> {
  return singleton("waiting-runs", () => new SlotMap());
}
