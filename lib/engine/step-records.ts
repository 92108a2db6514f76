import type { Iterating } from "./loop.ts";
import type { Outcome } from "./outcome.ts";
import type { Begun } from "./run.ts";
import type { WaitRequest } from "./wait.ts";

/** What is recorded of a run, by step: all that is known to a process that takes it up. */
export interface StepRecords {
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** Steps that started and have no outcome yet; a loop with its items. */
  readonly begun: ReadonlyMap<string, { readonly loop: Iterating | null }>;
  readonly waits: ReadonlyMap<string, { readonly request: WaitRequest }>;
}

/**
 * What a step says again, and does nothing. Null where it has to begin. That is also one that began and left nothing else:
 * its process died, perhaps after it had acted, so it acts at least once, and a receiver tells by its key.
 */
export function recordedStep({ outcomes, begun, waits }: StepRecords, stepId: string): Begun | null {
  const outcome = outcomes.get(stepId);
  if (outcome !== undefined) return outcome;
  const earlier = begun.get(stepId);
  if (earlier === undefined) return null;
  const wait = waits.get(stepId);
  return wait === undefined ? earlier.loop : { status: "waiting", wait: wait.request };
}
