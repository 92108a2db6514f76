import { singleton } from "#lib/platform/singleton.ts";
import { SlotMap } from "#lib/platform/slot-map.ts";

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
