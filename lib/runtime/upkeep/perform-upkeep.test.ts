import { beforeAll, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { finishExecution } from "#lib/executions/store/finish-execution.ts";
import { finished, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { database, query } from "#lib/platform/database.ts";
import { metrics } from "#lib/platform/metrics.ts";
import { performUpkeep } from "./upkeep.ts";

const dayMs = 86_400_000;
const later = (days: number) => new Date(Date.now() + days * dayMs);

let actor: Actor;
inOwnDatabase();
beforeAll(async () => {
  process.env.RETENTION_DAYS = "60";
  actor = await newActor();
});

async function keep(days: number): Promise<void> {
  const values = [actor.workspaceId, `key-${days}`, new Date(Date.now() - days * dayMs)];
  await query(
    "keep-key",
    "INSERT INTO idempotency_key (workspace_id, key, path, body_hash, created_at) VALUES ($1, $2, '', '', $3)",
    values,
  );
  const window = "INSERT INTO quota_window (workspace_id, used, started_at) VALUES ($1, length($2), $3)";
  await query("keep-window", window, values);
}

test("an idempotency key expires after a day, a quota window after 30, and a run by its retention", async () => {
  const id = await storedExecution(await storedFlow(actor));
  await finishExecution(finished(id, null));
  await keep(0);
  await keep(2);
  const where = { workspaceId: actor.workspaceId };
  expect(await performUpkeep(new Date())).toEqual({
    executions: 0,
    deliveries: 0,
    idempotencyKeys: 1,
    quotaWindows: 0,
    backtests: 0,
    alerts: 0,
    signInFailures: 0,
    presences: 0,
    orphans: 0,
    stepEffects: 0,
    acrossRuns: 0,
    files: 0,
  });
  expect(await database().idempotencyKey.findMany({ where })).toMatchObject([{ key: "key-0" }]);
  expect(await performUpkeep(later(29))).toMatchObject({ executions: 0, idempotencyKeys: 1, quotaWindows: 1 });
  expect(await performUpkeep(later(59))).toMatchObject({ executions: 0, quotaWindows: 1 });
  expect(await performUpkeep(later(61))).toMatchObject({ executions: 1 });
  expect(await database().execution.count({ where })).toBe(0);
  expect(await metrics().registry.getSingleMetricAsString("millrace_removed_total")).toContain('{kind="executions"} 1');
});

test("an alert expires after 90 days, and a count of sign-in attempts after one", async () => {
  const now = new Date();
  const rule = { kind: "inactivity", threshold: 1, windowMinutes: 60, quietMinutes: 60, emails: [], active: false };
  const times = { createdAt: now, updatedAt: now, nextCheckAt: now, checkedAt: now };
  const { workspaceId } = actor;
  await database().alertRule.create({ data: { id: "rule", workspaceId, name: "Watch", ...rule, ...times } });
  const alert = { workspaceId, ruleId: "rule", ruleName: "Watch", kind: "inactivity", message: "Nothing ran" };
  await database().alert.create({ data: { id: "alert", ...alert, at: now, unmailed: [] } });
  await query("fail-sign-in", "INSERT INTO sign_in_failure (key, failures, last_at) VALUES ('k', 1, $1)", [now]);
  expect(await performUpkeep(new Date())).toMatchObject({ alerts: 0, signInFailures: 0 });
  expect(await performUpkeep(later(2))).toMatchObject({ alerts: 0, signInFailures: 1 });
  expect(await performUpkeep(later(91))).toMatchObject({ alerts: 1 });
  expect(await database().alert.count({ where: { workspaceId } })).toBe(0);
});

test("the statistics are folded, and empty rows are gone", async () => {
  const flow = await storedFlow(actor);
  const ids = await Promise.all([storedExecution(flow), storedExecution(flow)]);
  for (const id of ids) await finishExecution(finished(id, null));
  await performUpkeep(new Date());
  const where = { workspaceId: actor.workspaceId, flowId: flow.id };
  const rows = await database().runCount.findMany({ where, orderBy: { shard: "desc" } });
  expect(rows.map(({ shard, completed }) => [shard, completed])).toEqual([
    [0, 2],
    [-1, 2],
    [-2, 2],
    [-3, 2],
  ]);
  await performUpkeep(later(61));
  expect(await database().runCount.findMany({ where })).toMatchObject([{ completed: 0, source: "" }]);
});
