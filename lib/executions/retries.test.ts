import { beforeAll, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { type ExecutionStatus, executionListItem } from "#lib/contract/executions/executions.ts";
import { query } from "#lib/platform/database.ts";
import { readExecution } from "./read-execution.ts";
import { countRecovered, retriesOf } from "./retries.ts";
import { listExecutions } from "./search/list-executions.ts";
import { readOverview } from "./statistics/read-overview.ts";
import { readRecent } from "./statistics/read-recent.ts";

let actor: Actor;
inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
});

const first = Date.parse("2026-01-31T10:00:00Z");
let made = 0;

/** Stores a run of flow_a, each a second after the one before. Returns its id. */
async function storedRun(of: Actor, status: ExecutionStatus, original: string | null = null): Promise<string> {
  made += 1;
  const id = `exec_${String(made).padStart(26, "0")}`;
  const at = new Date(first + made * 1_000);
  await query(
    "a-run-or-retry",
    `INSERT INTO execution (id, workspace_id, flow_id, flow_name, flow_version, status, trigger_type, trigger, source,
       metadata, started_at, completed_at, duration_ms, timeout_ms, original_execution_id)
     VALUES ($1, $2, 'flow_a', 'Orders', 1, $3, 'manual', '{"body":{}}', 'api', '{}', $4, $5, 1, 1, $6)`,
    [id, of.workspaceId, status, at, status === "running" ? null : at, original],
  );
  return id;
}

const startDate = new Date(first);
const endDate = new Date(first + 3_600_000);

test("a run shows the retry that completed, or else the latest, also as a retry of a retry", async () => {
  const other = await newActor();
  const [good, bad, open, chain, none] = [
    await storedRun(other, "failed"),
    await storedRun(other, "failed"),
    await storedRun(other, "timeout"),
    await storedRun(other, "failed"),
    await storedRun(other, "failed"),
  ];
  const completed = await storedRun(other, "completed", good);
  await storedRun(other, "failed", good);
  await storedRun(other, "failed", bad);
  const latest = await storedRun(other, "failed", bad);
  const running = await storedRun(other, "running", open);
  const between = await storedRun(other, "failed", chain);
  const last = await storedRun(other, "completed", between);
  expect(await retriesOf([good, bad, open, chain, between, none])).toEqual(
    new Map([
      [good, { executionId: completed, status: "completed" }],
      [bad, { executionId: latest, status: "failed" }],
      [open, { executionId: running, status: "running" }],
      [chain, { executionId: last, status: "completed" }],
      [between, { executionId: last, status: "completed" }],
    ]),
  );
  // The good one, and both of the chain.
  const filter = { workspaceId: other.workspaceId, startDate, endDate };
  expect(await countRecovered(filter)).toBe(3);
  expect(await countRecovered({ ...filter, flowId: "flow_b" })).toBe(0);
  expect(await countRecovered({ ...filter, startDate: new Date(first + 3_000_000) })).toBe(0);
  expect(await countRecovered({ ...filter, workspaceId: actor.workspaceId })).toBe(0);
  expect(await retriesOf([])).toEqual(new Map());
});

test("lists, reads and overviews show that a failed run completed when it was retried", async () => {
  const failed = await storedRun(actor, "failed");
  const retry = { executionId: await storedRun(actor, "completed", failed), status: "completed" };
  // A search reads rows; the rollups, which count runs otherwise, do not know these.
  const page = { page: 1, limit: 10, sortBy: "startedAt", order: "asc", search: "orders" } as const;
  const items = [];
  for await (const text of (await listExecutions(actor, page)).texts)
    items.push(executionListItem.parse(JSON.parse(text)));
  expect(items.map((item) => item.retry)).toEqual([retry, undefined]);
  const options = { includeLogs: false, includeNodeOutputs: false };
  expect((await readExecution(actor, failed, options)).retry).toEqual(retry);
  expect(await readExecution(actor, retry.executionId, options)).not.toHaveProperty("retry");
  const [recent] = await readRecent(actor, ["flow_a"]);
  expect(recent?.runs.map((run) => run.retry)).toEqual([undefined, retry]);
  expect((await readOverview(actor, { startDate, endDate })).recovered).toBe(1);
});
