import type { Actor } from "#lib/auth/actor.ts";
import { isStorableText, stepSeparator } from "#lib/engine/flow.ts";
import { notFound } from "#lib/errors.ts";
import { findExecution } from "#lib/executions/read-execution.ts";
import { readResumeToken } from "#lib/executions/resume-token.ts";
import { waitingRuns } from "#lib/executions/store/runs-in-process.ts";
import { type FoundWait, findWait, type Resumed, resumeWait } from "#lib/executions/waits.ts";
import { runtime } from "#lib/runtime/runtime.ts";

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
  const { once } = actor;
  if (once?.made) {
    await wakeRun(executionId);
    return once.made as Resumed;
  }
  await findExecution(actor, executionId);
  const stepId = iteration === null ? nodeId : `${nodeId}${stepSeparator}${iteration}`;
  const wait = isStorableText(stepId) ? await findWait(executionId, stepId) : null;
  if (wait === null) throw notFound("Waiting node");
  const resumed = await resumeWait(wait, { body, by: "member", once });
  await wakeRun(executionId);
  return resumed;
}

/** The step that this token may resume; null where it is none of ours. */
async function find(token: string): Promise<FoundWait | null> {
  const read = readResumeToken(token);
  if (read === null) return null;
  const wait = await findWait(read.executionId, read.stepId);
  // After the secret was changed, steps that wait already are still known by what was stored of their token.
  return wait !== null && (read.isOurs || wait.tokenHash === read.hash) ? wait : null;
}

async function resume(wait: FoundWait, body: unknown): Promise<Resumed> {
  const resumed = await resumeWait(wait, { body, by: "link" });
  await wakeRun(wait.executionId);
  return resumed;
}

/** What stands behind the addresses of waiting steps. */
export const resumePort = { find, resume };

/** Has a run go on that something has woken: where this process has it in memory, and where nobody has it. */
export async function wakeRun(executionId: string): Promise<void> {
  // What cannot be read now is found with the next heartbeat.
  void waitingRuns()
    .get(executionId)
    ?.look()
    .catch(() => {});
  await runtime().wake(executionId);
}
