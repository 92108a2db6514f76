import { NonRetriableError, RetryAfterError } from "inngest";
import type { Begun } from "#lib/engine/run.ts";
import type { Step } from "#lib/engine/step.ts";
import type { Wake } from "#lib/engine/wait.ts";
import { recordWait } from "#lib/executions/record-wait.ts";
import { type Run, StopReason, stopKind } from "#lib/executions/run.ts";
import { recheckNode } from "#lib/executions/run-node.ts";
import { flush } from "../run-io.ts";

/** What Inngest keeps of a step: how it went, and no more. */
export type StepResult =
  | { readonly status: "completed"; readonly handle: string | null }
  | { readonly status: "waiting" | "iterating" | "skipped" }
  | { readonly status: "stopped"; readonly reason: StopReason["kind"] };

/** What steps came to in this call, and what had woken them already when they came to wait; by their ids. */
export interface FreshResults {
  readonly begun: Map<string, Begun>;
  readonly wakes: Map<string, Wake>;
}

/**
 * Stores what came of a step and gives the result for Inngest; what is stored is put into `fresh` for this call. A node
 * that failed is thrown, so that Inngest shows a failed step: it is not tried again.
 */
export async function recordStep(run: Run, step: Step, came: Begun, fresh: FreshResults): Promise<StepResult> {
  if (stopKind(run) === "handover") throw new RetryAfterError("This process is going down", 1_000);
  const begun = await recheckNode(run, step, came);
  if (begun.status === "waiting") {
    const { status, wake } = await recordWait(run, step.id, begun.wait);
    if (wake !== null) fresh.wakes.set(step.id, wake);
    if (status !== "running") run.stop.abort(new StopReason(status === "cancelled" ? "cancelled" : "lost"));
  } else if (begun.status === "iterating") run.journal.iterates(step.id, begun);
  else run.journal.end(step.id, begun);
  await flush(run);
  const reason = stopKind(run);
  if (reason !== null) return { status: "stopped", reason };
  fresh.begun.set(step.id, begun);
  return resultOf(begun);
}

export function resultOf(begun: Begun): StepResult {
  if (begun.status === "failed") throw new NonRetriableError(begun.error.message);
  if (begun.status === "completed") return { status: "completed", handle: begun.handle };
  return { status: begun.status === "cancelled" ? "skipped" : begun.status };
}
