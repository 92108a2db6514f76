// An action on runs and its audit log entry succeed or fail together.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { bulkCancel } from "#lib/executions/bulk.ts";
import { cancelExecution } from "#lib/executions/cancel-execution.ts";
import { deleteExecution, deleteExecutions } from "#lib/executions/delete-executions.ts";
import { finishExecution } from "#lib/executions/store/finish-execution.ts";
import type { StartedFlow } from "#lib/executions/store/new-execution.ts";
import { finished, nodeRecord, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { database, query } from "#lib/platform/database.ts";
import { worker } from "./embedded/worker.ts";
import { bulkRetry } from "./start/bulk-retry.ts";
import { retryExecution } from "./start/start-again.ts";

let actor: Actor;
let flow: StartedFlow;
let open: string;
let ended: string;
inOwnDatabase();
beforeAll(async () => {
  const refuse = "BEGIN RAISE EXCEPTION 'disk full' USING ERRCODE = 'XX000'; END";
  await query("refuse", `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ ${refuse} $$`, []);
});
afterAll(() => worker().drain());

const logNode = (id: string) => ({ id, type: "log", name: id, config: { message: id }, position: { x: 0, y: 0 } });

beforeEach(async () => {
  actor = await newActor();
  flow = await storedFlow(actor, [logNode("a"), logNode("b")], [{ id: "e", source: "a", target: "b" }]);
  open = await storedExecution(flow, "me");
  // It waits, so that no worker claims it.
  await query("let-go", "UPDATE execution SET lease_until = NULL, wake_at = now() + interval '1 day' WHERE id = $1", [
    open,
  ]);
  ended = await storedExecution(flow);
  await finishExecution(finished(ended, null, { nodes: [nodeRecord("a"), nodeRecord("b", { position: 1 })] }));
});

const caller = { ip: null, userAgent: null };
const done: Readonly<Record<string, () => Promise<unknown>>> = {
  "a retry": () => retryExecution(actor, ended, {}, caller),
  "a retry from a node": () => retryExecution(actor, ended, { fromNode: "b" }, caller),
  "a retry of many": () => bulkRetry(actor, { executionIds: [ended, open], dryRun: false }, caller),
  "a cancellation": () => cancelExecution(actor, open, null),
  "a cancellation of many": () => bulkCancel(actor, { executionIds: [open], dryRun: false }),
  "a deletion": () => deleteExecution(actor, ended),
  "a deletion of many": () => deleteExecutions(actor, { executionIds: [ended] }),
};

const strays = "SELECT 1 FROM node_execution WHERE NOT EXISTS (SELECT FROM execution WHERE id = execution_id)";

async function stored() {
  const { workspaceId } = actor;
  const runs = await database().execution.findMany({ where: { workspaceId }, orderBy: { id: "asc" } });
  const ids = runs.map(({ id }) => id);
  return {
    runs: runs.map(({ id, status }) => ({ id, status })),
    nodes: await database().nodeExecution.count({ where: { executionId: { in: ids } } }),
    strays: await query("strays", strays, []),
    entries: await database().auditEntry.count({ where: { workspaceId, subjectType: "executions" } }),
  };
}

describe.each(Object.entries(done))("%s", (_, act) => {
  test("is not done if the audit log cannot store its entry", async () => {
    const before = await stored();
    await query("break", "CREATE TRIGGER b BEFORE INSERT ON audit_entry FOR EACH ROW EXECUTE FUNCTION refuse()", []);
    try {
      await expect(act()).rejects.toThrow("disk full");
    } finally {
      await query("mend", "DROP TRIGGER b ON audit_entry", []);
    }
    expect(await stored()).toEqual(before);
  });

  test("is done with one entry", async () => {
    const before = await stored();
    await act();
    const after = await stored();
    expect(after.entries).toBe(before.entries + 1);
    expect(after.runs).not.toEqual(before.runs);
  });
});
