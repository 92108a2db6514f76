import { type Run, StopReason } from "#lib/executions/run.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { SlotMap } from "#lib/platform/slot-map.ts";

/** The runs that this process is doing, by id, so that a cancellation reaches them at once. */
export function runningRuns(): SlotMap<Run> {
  return singleton("running-runs", () => new SlotMap());
}

/** Tells a run of this process to stop: open requests are aborted, nothing new starts. */
export function stopRun(executionId: string, kind: StopReason["kind"]): void {
  runningRuns().get(executionId)?.stop.abort(new StopReason(kind));
}

/** A run of this process with steps that wait. */
export interface WaitingRun {
  /** Looks in the database whether something has woken one of its steps, and lets those go on. */
  look(): Promise<void>;
  /** Gives the run out of this process's hands if nothing but waiting is left of it. */
  letGo(): void;
}

/** The runs of this process with steps that wait, by id. Most runs never come here. */
export function waitingRuns(): SlotMap<WaitingRun> {
  return singleton("waiting-runs", () => new SlotMap());
}
