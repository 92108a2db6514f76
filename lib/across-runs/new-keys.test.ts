import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { StepOfRun } from "#lib/nodes/across-runs/table-access.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { queryPlanned } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { areNewKeys } from "./new-keys.ts";
import { sweepAcrossRuns } from "./sweep.ts";

let workspaceId: string;
inOwnDatabase();
beforeAll(async () => {
  ({ workspaceId } = await newActor());
});

let scope = "";
beforeEach(() => {
  scope = newId("flow");
});

/** A step of a run in progress. */
async function newStep(): Promise<StepOfRun> {
  const executionId = newId("execution");
  await queryPlanned(
    `INSERT INTO execution (id, workspace_id, flow_id, flow_name, flow_version, status, trigger_type, trigger, source,
       metadata, started_at, timeout_ms, fence)
     VALUES ($1, $2, 'flow_x', 'Test', 1, 'running', 'manual', '{}', 'api', '{}', now(), 1000, 1)`,
    [executionId, workspaceId],
  );
  return { workspaceId, executionId, stepId: "t", fence: 1, depth: 0, requireFit: async () => {} };
}

interface KeyRequest {
  readonly step?: StepOfRun;
  readonly of?: string;
  readonly windowMs?: number;
  readonly originalId?: string | null;
  readonly requireFit?: () => Promise<unknown>;
}

const fits = async () => {};

async function areNew(
  keys: readonly string[],
  { step, of = scope, windowMs = 60_000, originalId = null, requireFit = fits }: KeyRequest = {},
) {
  return await areNewKeys(step ?? (await newStep()), { scope: of, keys, windowMs, originalId, requireFit });
}

describe("keys", () => {
  test("are new once: to the first run, and only the first of equal ones", async () => {
    expect(await areNew(["a", "b", "a"])).toEqual([true, true, false]);
    expect(await areNew(["b", "c", ""])).toEqual([false, true, true]);
    expect(await areNew(["a"], { of: `${scope} draft` })).toEqual([true]);
    expect(await areNew([])).toEqual([]);
  });

  test("of two concurrent runs are new to one of them", async () => {
    const keys = Array.from({ length: 2_500 }, (_, index) => `key ${index}`);
    const answers = await Promise.all([areNew(keys), areNew(keys.toReversed()), areNew(keys)]);
    const newness = keys.map((_, index) => [
      answers[0]?.[index],
      answers[1]?.[keys.length - 1 - index],
      answers[2]?.[index],
    ]);
    expect(newness.every((isNew) => isNew.filter(Boolean).length === 1)).toBe(true);
  });

  test("give the same answer if the step starts again, and are not marked by a run that another process has claimed", async () => {
    const step = await newStep();
    expect(await areNew(["a"], { step })).toEqual([true]);
    expect(await areNew(["a"], { step })).toEqual([true]);
    const lost = { ...(await newStep()), fence: 7 };
    await expect(areNew(["b"], { step: lost })).rejects.toMatchObject({ code: "RUN_TAKEN_OVER" });
    expect(await areNew(["a", "b"])).toEqual([false, true]);
  });

  test("of a retried run are new to its retry, and not to others", async () => {
    const step = await newStep();
    await areNew(["a"], { step });
    expect(await areNew(["a"], { originalId: newId("execution") })).toEqual([false]);
    expect(await areNew(["a"], { originalId: step.executionId })).toEqual([true]);
  });

  test("are new again once expired, and then swept", async () => {
    await areNew(["a", "b"]);
    await queryPlanned("UPDATE met_key SET until = now() - interval '1 ms' WHERE scope = $1", [scope]);
    expect(await areNew(["a"])).toEqual([true]);
    await sweepAcrossRuns();
    const left = await queryPlanned("SELECT FROM met_key WHERE scope = $1", [scope]);
    expect(left).toHaveLength(1);
  });

  test("are not marked as seen if the resulting output is too large", async () => {
    const requireFit = () => Promise.reject(new NodeFailure("OUTPUT_TOO_LARGE", "too large"));
    await expect(areNew(["a"], { requireFit })).rejects.toMatchObject({ code: "OUTPUT_TOO_LARGE" });
    expect(await areNew(["a"])).toEqual([true]);
  });

  test("may be any text", async () => {
    expect(await areNew(["\u0000", "\ud800", "\ud801", "\ufffd"])).toEqual([true, true, true, true]);
  });
});
