import { beforeAll, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { deleteFlow } from "#lib/flows/delete-flow.ts";
import { readFlow } from "#lib/flows/show-flow.ts";
import { database, query } from "#lib/platform/database.ts";
import { pruneExecutions } from "./prune-executions.ts";
import { findExecutions } from "./search/list-executions.ts";
import { readStats } from "./statistics/read-stats.ts";
import { finishExecution } from "./store/finish-execution.ts";
import type { StartedFlow } from "./store/new-execution.ts";
import { finished, nodeRecord, storedExecution, storedFlow } from "./testing/stored-runs.ts";

const dayMs = 86_400_000;
const now = new Date("2026-06-15T12:00:00Z");
const ago = (days: number) => new Date(now.getTime() - days * dayMs);

let actor: Actor;
let flow: StartedFlow;
inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  flow = await storedFlow(actor);
});

/** A run with a node and a log entry that ended this many days ago. */
async function endedRun(days: number, of = flow): Promise<string> {
  const id = await storedExecution(of);
  await query("start-earlier", "UPDATE execution SET started_at = $2 WHERE id = $1", [id, ago(days + 0.1)]);
  const log = { timestamp: ago(days).toISOString(), level: "info" as const, nodeId: "a", message: "x", data: null };
  await finishExecution(
    finished(id, null, { completedAt: ago(days).toISOString(), nodes: [nodeRecord("a")], logs: [log] }),
  );
  return id;
}

const remaining = async (ids: readonly string[]) =>
  (await database().execution.findMany({ where: { id: { in: [...ids] } }, select: { id: true } })).map(({ id }) => id);

async function setRetention(of: StartedFlow, retentionDays: number): Promise<void> {
  await database().flow.update({ where: { id: of.id }, data: { settings: JSON.stringify({ retentionDays }) } });
}

describe("expired runs", () => {
  test("are deleted with their nodes and logs, by the time they ended; the counts follow, and other runs are kept", async () => {
    const old = await endedRun(31);
    const young = await endedRun(29);
    const open = await storedExecution(flow, "me");
    await query("start-earlier", "UPDATE execution SET started_at = $2 WHERE id = $1", [open, ago(99)]);
    expect(await pruneExecutions({ now, retentionDays: 30 })).toBe(1);
    expect((await remaining([old, young, open])).sort()).toEqual([young, open].sort());
    expect(await database().nodeExecution.count({ where: { executionId: old } })).toBe(0);
    expect(await database().logEntry.count({ where: { executionId: old } })).toBe(0);
    const filter = { page: 1, limit: 10, sortBy: "startedAt", order: "desc", flowId: flow.id } as const;
    expect((await findExecutions(actor, filter)).total).toBe(2);
    expect((await readStats(actor, { groupBy: "day" })).summary).toMatchObject({ completed: 1, running: 1 });
    expect(await readFlow(actor, flow.id)).toMatchObject({ executionCount: 2 });
    expect(await pruneExecutions({ now, retentionDays: 30 })).toBe(0);
  });

  // Proves configuration.retention
  test("are determined by the flow's setting if it has one, shorter or longer than the general one or without it", async () => {
    const [short, long, plain] = [await storedFlow(actor), await storedFlow(actor), await storedFlow(actor)];
    await setRetention(short, 1);
    await setRetention(long, 365);
    const runs = [await endedRun(2, short), await endedRun(40, long), await endedRun(40, plain)];
    expect(await pruneExecutions({ now, retentionDays: undefined })).toBe(1);
    expect(await remaining(runs)).not.toContain(runs[0]);
    await pruneExecutions({ now, retentionDays: 30 });
    expect(await remaining(runs)).toEqual([runs[1]]);
  });

  test("are determined by the workspace's setting if it has one, unless the flow has its own", async () => {
    const [long, plain] = [await storedFlow(actor), await storedFlow(actor)];
    await setRetention(long, 365);
    const setOfWorkspace = (retentionDays: number | null) =>
      database().workspace.update({ where: { id: actor.workspaceId }, data: { retentionDays } });
    const runs = [await endedRun(40, long), await endedRun(40, plain), await endedRun(20, plain)];
    await setOfWorkspace(60);
    await pruneExecutions({ now, retentionDays: 30 });
    expect((await remaining(runs)).sort()).toEqual([...runs].sort());
    await setOfWorkspace(30);
    await pruneExecutions({ now, retentionDays: undefined });
    expect((await remaining(runs)).sort()).toEqual([runs[0], runs[2]].sort());
    await setOfWorkspace(null);
  });

  // Proves configuration.retention
  test("do not exist without a setting", async () => {
    const run = await endedRun(4_000);
    expect(await pruneExecutions({ now, retentionDays: undefined })).toBe(0);
    expect(await remaining([run])).toEqual([run]);
  });

  test("of a deleted flow take its versions with them when the last is deleted", async () => {
    const deletedFlow = await storedFlow(actor);
    await endedRun(31, deletedFlow);
    await endedRun(3, deletedFlow);
    await deleteFlow(actor, deletedFlow.id, { deleteExecutions: false, ifMatch: null });
    const versions = () => database().flowVersion.count({ where: { flowId: deletedFlow.id } });
    await pruneExecutions({ now, retentionDays: 30 });
    expect(await versions()).toBe(1);
    await pruneExecutions({ now, retentionDays: 2 });
    expect(await versions()).toBe(0);
  });

  test("are deleted once by processes that prune concurrently, in batches", async () => {
    const many = await storedFlow(actor);
    const prune = () => pruneExecutions({ now, retentionDays: 30 });
    await prune();
    const runs = await Promise.all(Array.from({ length: 450 }, () => endedRun(50, many)));
    const counts = await Promise.all([prune(), prune(), prune()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(450);
    expect(await remaining(runs)).toEqual([]);
    expect((await readFlow(actor, many.id)).executionCount).toBe(0);
  });

  test("are kept when pruning is aborted", async () => {
    const run = await endedRun(50);
    expect(await pruneExecutions({ now, retentionDays: 30, signal: AbortSignal.abort() })).toBe(0);
    expect(await remaining([run])).toEqual([run]);
  });
});
