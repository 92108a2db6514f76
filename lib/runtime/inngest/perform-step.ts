import { RetryAfterError } from "inngest";
import { cancelled } from "#lib/engine/outcome.ts";
import type { Begun } from "#lib/engine/run.ts";
import type { Step } from "#lib/engine/step.ts";
import { noRecords, type RunRecords } from "#lib/executions/node-record.ts";
import { readRecords } from "#lib/executions/read-records.ts";
import { type Run, StopReason } from "#lib/executions/run.ts";
import { sleep } from "#lib/platform/clock.ts";
import { isRefused } from "#lib/platform/database.ts";
import { failLost, failRefused, lossesMax } from "../give-up.ts";
import { WorkClock } from "../work-clock.ts";
import { claimStep, releaseStep, type StepClaim } from "./claim-step.ts";
import { type FreshResults, recordStep, resultOf, type StepResult } from "./record-step.ts";
import { stepsUnderWay } from "./steps-under-way.ts";

const busyPauseMs = 250;
const busyMsMax = 60_000;

/**
 * Does a step of a run, in a call that Inngest makes for it. The same call may come twice, at once or after the first
 * one died: one does it, and once it is recorded as done none does it again. What it came to is put into `fresh`.
 */
export async function performStep(
  run: Run,
  step: Step,
  owner: string,
  work: () => Promise<Begun>,
  fresh: FreshResults,
): Promise<StepResult> {
  const claim = await claimWhenFree(run, step, owner);
  if (claim.state === "lost" || claim.state === "cancelled") return { status: "stopped", reason: claim.state };
  if (claim.state === "mine" && claim.losses >= lossesMax) {
    await failLost(run);
    return { status: "stopped", reason: "lost" };
  }
  const mayBeRecorded = claim.state !== "mine" || claim.begun;
  const recorded = mayBeRecorded ? await recordOf(run, step) : null;
  if (recorded !== null) {
    if (claim.state === "mine") await releaseStep(run, step.id, claim.token);
    fresh.begun.set(step.id, recorded);
    return resultOf(recorded);
  }
  if (claim.state !== "mine") throw new RetryAfterError(`the record of the step "${step.id}" is gone`, 1_000);
  return await workOn(run, step, claim.token, work, fresh);
}

/** Another call that is doing the step is waited for: it is nearly always quicker than Inngest's next try. */
async function claimWhenFree(run: Run, step: Step, owner: string): Promise<StepClaim> {
  for (const giveUpAt = Date.now() + busyMsMax; Date.now() < giveUpAt; await sleep(busyPauseMs)) {
    const claim = await claimStep(run, step, owner);
    if (claim.state !== "busy") return claim;
  }
  throw new RetryAfterError(`another call is doing the step "${step.id}"`, 30_000);
}

/** What is recorded of a step that ended, waits, or is a loop that has its items. */
async function recordOf(run: Run, { id }: Step): Promise<Begun | null> {
  const records: RunRecords = (await readRecords([run.id])).get(run.id) ?? noRecords;
  const wait = records.waits.get(id);
  return (
    records.outcomes.get(id) ??
    (wait === undefined ? (records.begun.get(id)?.loop ?? null) : { status: "waiting", wait: wait.request })
  );
}

async function workOn(
  run: Run,
  step: Step,
  token: string,
  work: () => Promise<Begun>,
  fresh: FreshResults,
): Promise<StepResult> {
  const clock = new WorkClock(run.timeoutMs, run.workedMs, () => run.stop.abort(new StopReason("timeout")));
  stepsUnderWay().add({ run, stepId: step.id, token });
  clock.start();
  run.journal.begin(step);
  try {
    const begun = run.stop.signal.aborted ? cancelled : await work();
    const result = await recordStep(run, step, begun, fresh);
    if (result.status === "waiting" || result.status === "iterating") await releaseStep(run, step.id, token);
    return result;
  } catch (error) {
    if (isRefused(error)) {
      await failRefused(run, error);
      return { status: "stopped", reason: "lost" };
    }
    if (!fresh.begun.has(step.id)) await releaseStep(run, step.id, token).catch(() => {});
    throw error;
  } finally {
    clock.close();
    stepsUnderWay().delete(token);
  }
}
