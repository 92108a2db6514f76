// Inngest is sent every unattended run, as often as needed and no more.
import { afterEach, beforeAll, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { StartedFlow } from "#lib/executions/store/new-execution.ts";
import { runningRuns } from "#lib/executions/store/runs-in-process.ts";
import { letLeaseExpire, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { dispatchPending, dispatchRuns } from "./dispatch-runs.ts";
import { claimRun } from "./run-execution.ts";

let flow: StartedFlow;
let sent: string[] = [];
let refuses = false;

inOwnDatabase();
beforeAll(async () => {
  flow = await storedFlow(await newActor());
  const send = async (events: readonly { id: string }[]) => {
    if (refuses) throw new Error("Inngest is away");
    sent.push(...events.map(({ id }) => id));
  };
  singleton("inngest", () => ({ send }));
});
afterEach(async () => {
  [sent, refuses] = [[], false];
  runningRuns().clear();
  await query("forget-runs", "DELETE FROM execution", []);
});

const pass = (id: string, seconds: number) =>
  query("pass", "UPDATE execution SET dispatched_at = dispatched_at - make_interval(secs => $2) WHERE id = $1", [
    id,
    seconds,
  ]);

test("a run is sent once under its own id, and again if nobody has claimed it within a minute", async () => {
  const id = await storedExecution(flow);
  await dispatchRuns();
  await dispatchRuns();
  await pass(id, 55);
  await dispatchRuns();
  expect(sent).toEqual([id]);
  await pass(id, 10);
  await dispatchRuns();
  expect(sent).toEqual([id, expect.stringMatching(new RegExp(`^${id}\\.`))]);
});

test("a run that could not be sent is sent by the next poll, under the same id", async () => {
  const id = await storedExecution(flow);
  refuses = true;
  await dispatchRuns();
  refuses = false;
  await dispatchRuns();
  expect(sent).toEqual([id]);
});

test("a run that a call has claimed is left alone, and sent again as soon as that call's process is gone", async () => {
  const id = await storedExecution(flow);
  await dispatchRuns();
  expect((await claimRun(id))?.run.id).toBe(id);
  await dispatchPending(true);
  expect(sent).toEqual([id]);
  await letLeaseExpire(id);
  await pass(id, 30);
  await dispatchPending(true);
  await dispatchPending(true);
  expect(sent).toEqual([id, expect.stringMatching(new RegExp(`^${id}\\.1\\.`))]);
  expect((await claimRun(id))?.run.fence).toBe(2);
});

test("a call that arrives while another drives the run finds nothing to do once the other has ended", async () => {
  const id = await storedExecution(flow);
  await claimRun(id);
  const second = claimRun(id);
  await query("end", "UPDATE execution SET status = 'completed', completed_at = now() WHERE id = $1", [id]);
  expect(await second).toBeNull();
});

test("a run whose lease was taken before the database's clock was set back is sent to another process", async () => {
  const id = await storedExecution(flow, "another");
  await query("set-back", "UPDATE execution SET lease_until = now() + interval '1 hour' WHERE id = $1", [id]);
  await dispatchRuns();
  expect(sent).toHaveLength(1);
  expect((await claimRun(id))?.run.id).toBe(id);
});
