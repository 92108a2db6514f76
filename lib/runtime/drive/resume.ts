import type { Actor } from "#lib/auth/actor.ts";
import { isStorableText, stepSeparator } from "#lib/engine/flow.ts";
import { notFound } from "#lib/errors.ts";
import { findExecution } from "#lib/executions/read-execution.ts";
import { readResumeToken } from "#lib/executions/resume-token.ts";
import { waitingRuns } from "#lib/executions/store/runs-in-process.ts";
import { type FoundWait, findWait, type Resumed, resumeWait } from "#lib/executions/waits.ts";
import { runtime } from "#lib/runtime/runtime.ts";

/**
 * Resumes a waiting node with this body. `iteration`: its position in the enclosing loops (`3`, `3.0`). Throws
 * NOT_FOUND (no such execution, or no such node to resume), and what `resumeWait` throws.
 */
export async function resumeNode(
  actor: Actor,
  executionId: string,
  nodeId: string,
  iteration: string | null,
  body: unknown,
): Promise<Resumed> {
  const { once } = actor;
  if (once?.made) {
    await wakeRun(executionId);
    return once.made as Resumed;
  }
  await findExecution(actor, executionId);
  const stepId = iteration === null ? nodeId : `${nodeId}${stepSeparator}${iteration}`;
  const wait = isStorableText(stepId) ? await findWait(executionId, stepId) : null;
  if (wait === null) throw notFound("Waiting node");
  const resumed = await resumeWait(wait, { body, by: "member", answeredBy: actor.by.id, once });
  await wakeRun(executionId);
  return resumed;
}

/** The step that this token may resume; null if the token was not issued here. */
async function find(token: string): Promise<FoundWait | null> {
  const read = readResumeToken(token);
  if (read === null) return null;
  const wait = await findWait(read.executionId, read.stepId);
  // After a change of the secret, waiting steps are still recognized by the stored hash of their token.
  return wait !== null && (read.isOurs || wait.tokenHash === read.hash) ? wait : null;
}

async function resume(wait: FoundWait, body: unknown): Promise<Resumed> {
  const resumed = await resumeWait(wait, { body, by: "link" });
  await wakeRun(wait.executionId);
  return resumed;
}

/** Behind the resume URLs. */
export const resumePort = { find, resume };

/** Resumes a run that was woken: in memory if this process has it, otherwise in any process. */
export async function wakeRun(executionId: string): Promise<void> {
  // If this read fails, the next heartbeat repeats it.
  void waitingRuns()
    .get(executionId)
    ?.check()
    .catch(() => {});
  await runtime().wake(executionId);
}
