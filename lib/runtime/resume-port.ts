import type { FoundWait } from "#lib/executions/find-wait.ts";
import { findWait } from "#lib/executions/find-wait.ts";
import { readResumeToken } from "#lib/executions/resume-token.ts";
import { type Resumed, resumeWait } from "#lib/executions/resume-wait.ts";
import { wakeRun } from "./wake-run.ts";

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
