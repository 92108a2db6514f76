// What servers of the previous version stored and count during an upgrade.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { readStats } from "#lib/executions/statistics/read-stats.ts";
import { finishExecution } from "#lib/executions/store/finish-execution.ts";
import type { StartedFlow } from "#lib/executions/store/new-execution.ts";
import { finished, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { readFlow } from "#lib/flows/show-flow.ts";
import { inTransaction, pool, query, queryPlanned } from "#lib/platform/database.ts";
import { foldStatistics } from "../fold-statistics.ts";
import { rebuildStatistics } from "./rebuild-statistics.ts";

const hourMs = 3_600_000;
const migration = resolve("prisma/migrations/20261124000500_counts_by_hour_and_month/migration.sql");
const statuses = ["completed", "failed", "timeout", "cancelled", "completed"] as const;

let actor: Actor;
let flow: StartedFlow;
inOwnDatabase();
beforeEach(async () => {
  actor = await newActor();
  flow = await storedFlow(actor);
});

/** Runs of two months, of every status. */
async function storeRuns(): Promise<void> {
  for (let index = 0; index < 40; index += 1) {
    const id = await storedExecution(flow);
    const startedAt = new Date(Date.parse("2026-02-20T10:00:00Z") + index * 11 * hourMs);
    await query("start-earlier", "UPDATE execution SET started_at = $2 WHERE id = $1", [id, startedAt]);
    await end(id, startedAt, statuses[index % statuses.length] ?? "completed");
  }
}

async function end(id: string, startedAt: Date, status: (typeof statuses)[number]): Promise<void> {
  const error = status === "failed" || status === "timeout" ? { message: status, nodeId: null, code: "NO" } : null;
  const completedAt = new Date(startedAt.getTime() + 1_234).toISOString();
  await finishExecution(finished(id, null, { status, completedAt, error }));
}

/** Ends a run as the previous version does: counted by day, in its own tables. */
const endAsBefore = `
  WITH done AS (
    UPDATE execution SET status = 'completed', completed_at = now(), duration_ms = 7, output = 'null'
    WHERE id = $1 RETURNING workspace_id, flow_id, source, started_at)
  INSERT INTO execution_rollup AS r (workspace_id, flow_id, day, source, shard, completed, failed, cancelled, timeout,
    completed_duration, total_duration, last_started_at)
  SELECT workspace_id, flow_id, (started_at AT TIME ZONE 'UTC')::date, source, 77, 1, 0, 0, 0, 7, 7, started_at FROM done
  ON CONFLICT (workspace_id, flow_id, day, source, shard) DO UPDATE SET completed = r.completed + excluded.completed`;

const namedDays = () => queryPlanned("SELECT FROM execution_rollup", []);

test("the migration counts stored runs, and when each flow last ran", async () => {
  await storeRuns();
  const expected = await readStats(actor, { groupBy: "day" });
  const quiet = await storedFlow(actor);
  await queryPlanned("DROP TABLE run_count, duration_count, error_count", []);
  await queryPlanned(
    `INSERT INTO execution_rollup VALUES ($1, $2, '-infinity', '', 0, 0, 0, 0, 0, 0, 0, '2025-05-05T05:05:05Z')`,
    [actor.workspaceId, quiet.id],
  );
  await pool().query(readFileSync(migration, "utf8"));
  expect(await namedDays()).toEqual([]);
  expect(await readStats(actor, { groupBy: "day" })).toEqual(expected);
  expect(await readFlow(actor, flow.id)).toMatchObject({ executionCount: 40 });
  expect(await rebuildStatistics()).toMatchObject({ corrections: 0 });
  expect(await readStats(actor, { groupBy: "day" })).toEqual(expected);
  const shown = await readFlow(actor, quiet.id);
  expect(shown).toMatchObject({ executionCount: 0, lastExecutedAt: "2025-05-05T05:05:05.000Z" });
});

test("days on which a server of the previous version ended runs are recounted", async () => {
  await storeRuns();
  await foldStatistics();
  await query("end-as-before", endAsBefore, [await storedExecution(flow)]);
  await foldStatistics();
  expect(await namedDays()).toEqual([]);
  expect((await readStats(actor, { groupBy: "day" })).summary).toMatchObject({ totalExecutions: 41, completed: 17 });
  expect(await rebuildStatistics()).toMatchObject({ corrections: 0 });
});

test("what such a server writes meanwhile is counted the next time", async () => {
  const ids = [await storedExecution(flow), await storedExecution(flow)];
  await query("end-as-before", endAsBefore, [ids[0]]);
  await inTransaction(async (run) => {
    await run("end-as-before", endAsBefore, [ids[1]]);
    await foldStatistics();
  });
  await Promise.all([foldStatistics(), foldStatistics()]);
  expect(await namedDays()).toEqual([]);
  expect((await readStats(actor, { groupBy: "day" })).summary).toMatchObject({ completed: 2, running: 0 });
  expect(await rebuildStatistics()).toMatchObject({ corrections: 0 });
});
