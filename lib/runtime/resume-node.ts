import type { Actor } from "#lib/auth/actor.ts";
import { isStorableText, stepSeparator } from "#lib/engine/flow.ts";
import { notFound } from "#lib/errors.ts";
import { findExecution } from "#lib/executions/find-execution.ts";
import { findWait } from "#lib/executions/find-wait.ts";
import { type Resumed, resumeWait } from "#lib/executions/resume-wait.ts";
import { wakeRun } from "./wake-run.ts";

/**
 * Lets a node that waits go on with this body. `iteration`: its turn in the loops around it (`3`, `3.0`). Throws
 * NOT_FOUND (the execution, or no such node that can be resumed), and what `resumeWait` throws.
 */
export async function resumeNode(
  actor: Actor,
  executionId: string,
  nodeId: string,
  iteration: string | null,
  body: unknown,
): Promise<Resumed> {
  await findExecution(actor, executionId);
  const stepId = iteration === null ? nodeId : `${nodeId}${stepSeparator}${iteration}`;
  const wait = isStorableText(stepId) ? await findWait(executionId, stepId) : null;
  if (wait === null) throw notFound("Waiting node");
  const resumed = await resumeWait(wait, { body, by: "member" });
  await wakeRun(executionId);
  return resumed;
}
