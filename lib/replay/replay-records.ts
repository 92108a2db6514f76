import type { Iterating } from "#lib/engine/loop.ts";
import type { Outcome } from "#lib/engine/outcome.ts";
import type { StepRecords } from "#lib/engine/step.ts";
import type { WaitRequest } from "#lib/engine/wait.ts";

/** The records that a run would have stored: all that its next process knows when the first one dies. */
export class ReplayRecords implements StepRecords {
  readonly outcomes = new Map<string, Outcome>();
  readonly begun = new Map<string, { readonly loop: Iterating | null }>();
  readonly waits = new Map<string, { readonly request: WaitRequest }>();
  #unwritten: (() => void)[] = [];

  ended(stepId: string, outcome: Outcome): void {
    this.#unwritten.push(() => this.outcomes.set(stepId, outcome));
  }

  iterates(stepId: string, loop: Iterating): void {
    this.#unwritten.push(() => this.begun.set(stepId, { loop }));
  }

  waiting(stepId: string, request: WaitRequest): void {
    this.waits.set(stepId, { request });
  }

  /** Records the start of a step, together with everything before it. */
  write(stepId: string): void {
    for (const write of this.#unwritten) write();
    this.#unwritten = [];
    this.begun.set(stepId, { loop: null });
  }

  /** The process dies: unwritten records are lost. */
  lose(): void {
    this.#unwritten = [];
  }
}
