// Runs are deleted completely, despite concurrent readers and writers.
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { database, query } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { deleteExecution, deleteExecutions } from "./delete-executions.ts";
import { pruneExecutions } from "./prune-executions.ts";
import { finishExecution } from "./store/finish-execution.ts";
import type { StartedFlow } from "./store/new-execution.ts";
import { sweepOrphans } from "./sweep-orphans.ts";
import { finished, nodeRecord, storedExecution, storedFlow } from "./testing/stored-runs.ts";

let actor: Actor;
let flow: StartedFlow;
let other: pg.Client;
inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  flow = await storedFlow(actor);
  other = new pg.Client(process.env.DATABASE_URL);
  await other.connect();
});
afterAll(() => other.end());

async function endedRun(): Promise<string> {
  const id = await storedExecution(flow);
  await finishExecution(finished(id, null, { nodes: [nodeRecord("a")] }));
  return id;
}

/** The number of rows that belong to the run. */
async function rowsOf(executionId: string): Promise<number> {
  const where = { executionId };
  const counts = await Promise.all([
    database().nodeExecution.count({ where }),
    database().logEntry.count({ where }),
    database().executionWait.count({ where }),
  ]);
  return counts.reduce((sum, count) => sum + count);
}

const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

test("a run that is unfolded or recorded during its deletion leaves no rows behind", async () => {
  const id = await endedRun();
  await other.query("BEGIN");
  await other.query("UPDATE execution SET journal = NULL WHERE id = $1", [id]);
  await other.query(
    `INSERT INTO node_execution (execution_id, node_id, position, node_name, type, status)
     VALUES ($1, 'late', 1, 'late', 'log', 'completed')`,
    [id],
  );
  await other.query(
    "INSERT INTO log_entry (execution_id, timestamp, level, message) VALUES ($1, now(), 'info', 'late')",
    [id],
  );
  const deleted = deleteExecution(actor, id);
  await expect.poll(() => query("waiting", waiting, [])).toHaveLength(1);
  await other.query("COMMIT");
  await deleted;
  expect(await rowsOf(id)).toBe(0);
});

test("pruning skips a locked run and deletes it the next time", async () => {
  const id = await endedRun();
  const prune = () => pruneExecutions({ now: new Date(Date.now() + 9 * 86_400_000), retentionDays: 1 });
  await other.query("BEGIN");
  await other.query("SELECT 1 FROM execution WHERE id = $1 FOR SHARE", [id]);
  await prune();
  expect(await rowsOf(id)).toBe(1);
  await other.query("COMMIT");
  await prune();
  expect(await rowsOf(id)).toBe(0);
});

test("deleting the runs of a flow that is called all the time ends, and leaves the runs that started meanwhile", async () => {
  const busy = await storedFlow(actor);
  const { flowId } = { flowId: busy.id };
  const before = await storedExecution(busy);
  const started: string[] = [];
  const { deletedCount } = await deleteExecutions(actor, { flowId }, async () => {
    if (started.length < 10) started.push(await storedExecution(busy));
  });
  expect(deletedCount).toBe(1);
  const left = await database().execution.findMany({ where: { flowId }, select: { id: true } });
  expect(left.map(({ id }) => id)).toEqual(started);
  expect(started).not.toContain(before);
});

describe("orphaned rows", () => {
  const leaveBehind = async (executionId: string) => {
    await query(
      "leave-node",
      `INSERT INTO node_execution (execution_id, node_id, position, node_name, type, status)
       SELECT $1, 'n' || n, 1, 'x', 'log', 'completed' FROM generate_series(1, 3) n`,
      [executionId],
    );
    await query(
      "leave-log",
      "INSERT INTO log_entry (execution_id, timestamp, level, message) VALUES ($1, now(), 'info', 'x')",
      [executionId],
    );
    await query(
      "leave-wait",
      "INSERT INTO execution_wait (execution_id, step_id, kind, created_at) VALUES ($1, 'w', 'call', now())",
      [executionId],
    );
  };

  test("are swept; rows of existing runs are not", async () => {
    const remaining = await endedRun();
    const missing = Array.from({ length: 5 }, () => newId("execution"));
    for (const id of missing) await leaveBehind(id);
    const now = new Date(Date.now() + 2 * 3_600_000);
    expect(await sweepOrphans(now)).toBe(25);
    for (const id of missing) expect(await rowsOf(id)).toBe(0);
    expect(await rowsOf(remaining)).toBe(1);
    expect(await sweepOrphans(now)).toBe(0);
  });

  test("are kept while they are recent, because their run may be about to be stored", async () => {
    const id = newId("execution");
    await leaveBehind(id);
    expect(await sweepOrphans(new Date())).toBe(0);
    expect(await rowsOf(id)).toBe(5);
  });
});
