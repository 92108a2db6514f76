import { singleton } from "#lib/platform/singleton.ts";
import { SlotMap } from "#lib/platform/slot-map.ts";
import { type Run, StopReason } from "./run.ts";

/** The runs that this process is doing, by id, so that a cancellation reaches them at once. */
export function runningRuns(): SlotMap<Run> {
  return singleton("running-runs", () => new SlotMap());
}

/** Tells a run of this process to stop: open requests are aborted, nothing new starts. */
export function stopRun(executionId: string, kind: StopReason["kind"]): void {
  runningRuns().get(executionId)?.stop.abort(new StopReason(kind));
}
