import type { Iterating } from "./loop.ts";
import type { Outcome } from "./outcome.ts";
import type { Begun } from "./run.ts";
import type { WaitRequest } from "./wait.ts";

/** The records of a run, by step: all that is known to a process that resumes it. */
export interface StepRecords {
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** Steps that started and have no outcome yet; a loop with its items. */
  readonly begun: ReadonlyMap<string, { readonly loop: Iterating | null }>;
  readonly waits: ReadonlyMap<string, { readonly request: WaitRequest }>;
}

/**
 * The recorded result of a step. Null if it has to start. That includes one that started and left nothing else:
 * its process died, perhaps after it had acted, so it acts at least once, and a receiver detects that by its key.
 */
export function recordedStep({ outcomes, begun, waits }: StepRecords, stepId: string): Begun | null {
  const outcome = outcomes.get(stepId);
  if (outcome !== undefined) return outcome;
  const earlier = begun.get(stepId);
  if (earlier === undefined) return null;
  const wait = waits.get(stepId);
  return wait === undefined ? earlier.loop : { status: "waiting", wait: wait.request };
}
