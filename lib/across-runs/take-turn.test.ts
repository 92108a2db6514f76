// A limit that runs share, in a separate database: counts the turns that were really taken.
import { beforeAll, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { TurnRequest } from "#lib/nodes/across-runs/turn.ts";
import { sleep } from "#lib/platform/clock.ts";
import { queryPlanned } from "#lib/platform/database.ts";
import { sweepAcrossRuns } from "./sweep.ts";
import { takeTurn } from "./take-turn.ts";

let workspaceId: string;
inOwnDatabase();
beforeAll(async () => {
  ({ workspaceId } = await newActor());
});

const takeOne = (key: string, overrides: Partial<TurnRequest> = {}) =>
  takeTurn(workspaceId, { key, limit: 3, perMs: 60_000, mayWait: true, hasWaited: false, ...overrides });
const ofLimit = "limit_id = (SELECT id FROM rate_limit WHERE workspace_id = $1 AND key = $2)";
const turnsOf = async (key: string) => {
  const text = `SELECT at_ms::float8 AS at FROM rate_turn WHERE ${ofLimit} ORDER BY number`;
  return (await queryPlanned<{ at: number }>(text, [workspaceId, key])).map(({ at }) => at);
};
const ageTurns = (key: string, ms: number) =>
  queryPlanned(`UPDATE rate_turn SET at_ms = at_ms - $3 WHERE ${ofLimit}`, [workspaceId, key, ms]);
/** Ages everything recorded under a limit. */
const age = async (key: string, ms: number) => {
  await ageTurns(key, ms);
  const older = "due_ms = due_ms - $3, until_ms = until_ms - $3";
  await queryPlanned(`UPDATE rate_limit SET ${older} WHERE workspace_id = $1 AND key = $2`, [workspaceId, key, ms]);
};

describe("a limit", () => {
  test("lets `limit` callers through, and gives each other one a later time", async () => {
    for (let turn = 0; turn < 3; turn += 1) expect(await takeOne("some")).toEqual({ isTaken: true });
    const [first = 0] = await turnsOf("some");
    const times: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const answer = await takeOne("some");
      times.push(answer.isTaken ? 0 : answer.at);
    }
    expect(times).toEqual([first + 60_000, first + 80_000, first + 100_000]);
  });

  test("lets no more than `limit` of many concurrent callers through", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => takeOne("crowd", { mayWait: false })));
    expect(answers.filter(({ isTaken }) => isTaken)).toHaveLength(3);
    expect(await turnsOf("crowd")).toHaveLength(3);
  });

  test("counts slots taken late: no window exceeds the limit", async () => {
    for (let turn = 0; turn < 3; turn += 1) await takeOne("late");
    for (let turn = 0; turn < 6; turn += 1) await takeOne("late");
    // All six wake together, long after their times, as after an outage.
    await age("late", 600_000);
    const woken = await Promise.all(Array.from({ length: 6 }, () => takeOne("late", { hasWaited: true })));
    expect(woken.filter(({ isTaken }) => isTaken)).toHaveLength(3);
  });

  test("lets nobody overtake those that wait", async () => {
    for (let turn = 0; turn < 4; turn += 1) await takeOne("queue");
    // There is room again, but the waiting caller has not come yet.
    const [first = 0] = await turnsOf("queue");
    const due = (await takeOne("queue", { mayWait: false })) as { at: number };
    expect(due.at).toBe(first + 80_000);
    await ageTurns("queue", 60_000);
    expect(await takeOne("queue", { mayWait: false })).toMatchObject({ isTaken: false });
    expect(await takeOne("queue", { hasWaited: true })).toEqual({ isTaken: true });
  });

  test("is separate per key and workspace, and keeps only relevant slots", async () => {
    const other = await newActor();
    await takeOne("own", { limit: 1 });
    expect(await takeOne("another", { limit: 1 })).toEqual({ isTaken: true });
    const given = { key: "own", limit: 1, perMs: 60_000, mayWait: false, hasWaited: false };
    expect(await takeTurn(other.workspaceId, given)).toEqual({ isTaken: true });
    expect(await takeTurn(workspaceId, given)).toMatchObject({ isTaken: false });
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await takeOne("short", { limit: 2, perMs: 1 })).toEqual({ isTaken: true });
      await sleep(2);
    }
    expect(await turnsOf("short")).toHaveLength(2);
  });

  test("is deleted once it limits nobody", async () => {
    await takeOne("old");
    await age("old", 59_000);
    await sweepAcrossRuns();
    expect(await turnsOf("old")).toHaveLength(1);
    await age("old", 60_001);
    expect(await sweepAcrossRuns()).toBeGreaterThan(0);
    expect(await turnsOf("old")).toEqual([]);
  });

  test.each(["\u0000", "\ud800"])("refuses a key that cannot be stored: %j", async (key) => {
    await expect(takeOne(key)).rejects.toMatchObject({ code: "INVALID_CONFIG" });
  });
});
