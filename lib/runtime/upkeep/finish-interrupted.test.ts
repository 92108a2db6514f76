// If a process dies between two statements of a deletion or a cancellation, upkeep finishes it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newActor, type ProxiedDatabase, useProxiedDatabase } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { cancellation, cancelOrphanedChildren } from "#lib/executions/cancel-execution.ts";
import { deleteRows } from "#lib/executions/delete-executions.ts";
import { finishExecution } from "#lib/executions/store/finish-execution.ts";
import { recordWait } from "#lib/executions/store/record-wait.ts";
import { finished, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { deleteFlow, finishFlowDeletions } from "#lib/flows/delete-flow.ts";
import { database } from "#lib/platform/database.ts";

let own: ProxiedDatabase;
let actor: Actor;
beforeAll(async () => {
  own = await useProxiedDatabase();
  actor = await newActor();
});
afterAll(async () => {
  await own?.drop();
});

// A second ago: the column rounds to milliseconds, so "now" might be ahead by half of one.
const letTimePass = () => own.direct.query("UPDATE flow_deletion SET look_at = now() - interval '1 second'");

async function rowsOf(flowId: string) {
  const text = `SELECT (SELECT count(*) FROM flow WHERE id = $1)::int AS flows,
    (SELECT count(*) FROM execution WHERE flow_id = $1)::int AS runs,
    (SELECT count(*) FROM flow_version WHERE flow_id = $1)::int AS versions`;
  return (await own.direct.query<Record<string, number>>(text, [flowId])).rows[0];
}

async function flowWithRuns(): Promise<string> {
  const flow = await storedFlow(actor);
  await storedExecution(flow);
  const id = await storedExecution(flow);
  await finishExecution(finished(id, null));
  return flow.id;
}

describe("the deletion of a flow with its runs", () => {
  const options = { deleteExecutions: true, ifMatch: null };

  test("either does not start or is finished, whichever statement its connection is lost at", async () => {
    own.proxy.arm(0);
    await deleteFlow(actor, await flowWithRuns(), options);
    const statements = own.proxy.disarm();
    const results = new Set<number | undefined>();
    for (let index = 1; index <= statements; index += 1) {
      const id = await flowWithRuns();
      own.proxy.arm(index);
      await deleteFlow(actor, id, options).catch(() => {});
      own.proxy.disarm();
      await letTimePass();
      await finishFlowDeletions();
      const rows = await rowsOf(id);
      results.add(rows?.flows);
      expect([index, rows]).toEqual([index, rows?.flows === 1 ? { flows: 1, runs: 2, versions: 1 } : none]);
    }
    expect(results).toEqual(new Set([0, 1]));
  }, 180_000);

  const none = { flows: 0, runs: 0, versions: 0 };

  test("includes runs stored concurrently, and is then forgotten", async () => {
    const flow = await storedFlow(actor);
    await deleteFlow(actor, flow.id, options);
    await storedExecution(flow);
    await letTimePass();
    expect(await finishFlowDeletions()).toBeGreaterThan(0);
    expect(await rowsOf(flow.id)).toEqual(none);
    await letTimePass();
    expect(await finishFlowDeletions()).toBe(0);
  });
});

describe("an execution that is waited for", () => {
  async function family() {
    const flow = await storedFlow(actor);
    const [parent, child] = [await storedExecution(flow, "me"), await storedExecution(flow, "me")];
    await recordWait({ id: parent, fence: 1 }, "call", {
      kind: "execution",
      until: null,
      state: { executionId: child },
    });
    return { parent, child };
  }
  const statusOf = async (id: string) => (await database().execution.findUniqueOrThrow({ where: { id } })).status;

  test("is cancelled if the process that cancelled its parent died before it got there", async () => {
    const { parent, child } = await family();
    expect(await cancelOrphanedChildren()).toBe(0);
    await finishExecution(cancellation(parent, new Date().toISOString(), null));
    expect(await statusOf(child)).toBe("running");
    expect(await cancelOrphanedChildren()).toBe(1);
    expect(await statusOf(child)).toBe("cancelled");
    expect(await cancelOrphanedChildren()).toBe(0);
  });

  test("is found even if its parent's record is deleted", async () => {
    const { parent, child } = await family();
    await finishExecution(cancellation(parent, new Date().toISOString(), null));
    await deleteRows([parent]);
    expect(await cancelOrphanedChildren()).toBe(1);
    expect(await statusOf(child)).toBe("cancelled");
  });
});
