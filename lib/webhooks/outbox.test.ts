import { describe, expect, test } from "vitest";
import { inOwnDatabase } from "#e2e/support/own-database.ts";
import type { EventName } from "#lib/contract/event-names.ts";
import { query } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import { listDeliveries } from "./deliveries.ts";
import { updateSubscription } from "./subscriptions.ts";
import { endRun, makeActor, startRun, storedDeliveries, subscribe } from "./testing/workspace.ts";

inOwnDatabase();

const all: EventName[] = ["execution.started", "execution.completed", "execution.failed", "execution.cancelled"];

describe("an event", () => {
  // Proves events.same-transaction
  test("is written with the start and the end of a run, in the documented form", async () => {
    const actor = await makeActor();
    const { id } = await subscribe(actor, all);
    const name = 'Größe "x" \\ \n \u0001 🚀';
    const executionId = await startRun(actor, name);
    await endRun(executionId, "completed", { text: "\u0000 \ud800", n: 1 });
    const [started, completed] = (await storedDeliveries(id)).map(({ body }) => JSON.parse(body));
    const data = { executionId, flowId: expect.stringMatching(/^flow_/), flowName: name };
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(started).toEqual({
      event: "execution.started",
      timestamp,
      data: { ...data, status: "running", duration: null, output: null },
    });
    expect(completed).toEqual({
      event: "execution.completed",
      timestamp,
      data: { ...data, status: "completed", duration: expect.any(Number), output: { text: "\u0000 \ud800", n: 1 } },
    });
  });

  test("has a body that equals its own serialization, so that a receiver may sign what it parsed", async () => {
    const actor = await makeActor();
    const { id } = await subscribe(actor, all);
    await endRun(await startRun(actor, 'a "b" \u001f \u007f é'), "completed", { a: [1, "\u2028"] });
    for (const { body } of await storedDeliveries(id)) expect(JSON.stringify(JSON.parse(body))).toBe(body);
  });

  test.each([
    ["failed", "execution.failed"],
    ["timeout", "execution.failed"],
    ["cancelled", "execution.cancelled"],
  ] as const)("of a run that ends as %s is %s", async (status, event) => {
    const actor = await makeActor();
    const { id } = await subscribe(actor, all);
    await endRun(await startRun(actor), status);
    const [, end] = await storedDeliveries(id);
    expect(end).toMatchObject({ event, status: "pending" });
    expect(JSON.parse(end?.body ?? "").data).toMatchObject({ status, output: null });
  });

  test.each([
    [["flow.execution.completed"], "flow.execution.completed"],
    [["flow.execution.completed", "execution.completed"], "flow.execution.completed"],
    [["execution.failed", "execution.completed", "flow.execution.completed"], "execution.completed"],
  ] as [EventName[], EventName][])("asked for as %j comes once, as %s", async (events, event) => {
    const actor = await makeActor();
    const { id } = await subscribe(actor, events);
    await endRun(await startRun(actor));
    const [only, ...others] = await storedDeliveries(id);
    expect(others).toEqual([]);
    expect(only?.event).toBe(event);
    expect(JSON.parse(only?.body ?? "").event).toBe(event);
  });

  test("is not written for other events, an inactive subscription, or another workspace", async () => {
    const [actor, other] = [await makeActor(), await makeActor()];
    const narrow = await subscribe(actor, ["execution.failed"]);
    const inactive = await subscribe(actor, all);
    await updateSubscription(actor, inactive.id, { active: false }, { check: async () => {} });
    const foreign = await subscribe(other, all);
    await endRun(await startRun(actor));
    for (const { id } of [narrow, inactive, foreign]) expect(await storedDeliveries(id)).toEqual([]);
  });

  // Proves events.same-transaction
  test("is written once for a run that two processes try to end", async () => {
    const actor = await makeActor();
    const { id } = await subscribe(actor, all);
    const runs = await Promise.all(Array.from({ length: 100 }, () => startRun(actor)));
    const wins = await Promise.all(
      runs.map(async (run) => {
        const results = await Promise.all([endRun(run, "completed"), endRun(run, "cancelled"), endRun(run, "failed")]);
        return results.filter(Boolean).length;
      }),
    );
    expect(new Set(wins)).toEqual(new Set([1]));
    const stored = await storedDeliveries(id);
    expect(stored).toHaveLength(200);
    const statuses = await query<{ id: string; status: string }>("statuses", "SELECT id, status FROM execution", []);
    for (const run of runs) {
      const bodies = stored.filter((row) => row.execution_id === run).map((row) => JSON.parse(row.body).data.status);
      expect(bodies).toEqual(["running", statuses.find((row) => row.id === run)?.status]);
    }
  });

  test("has an id of the usual form, sorted by time", async () => {
    const actor = await makeActor();
    const { id } = await subscribe(actor, all);
    for (let run = 0; run < 3; run += 1) {
      await startRun(actor);
      await new Promise((resolve) => setTimeout(resolve, 5)); // Within a millisecond, the order is random.
    }
    const { items } = await listDeliveries(actor, id, { page: 1, limit: 10 });
    const ids = items.map((item) => item.id);
    expect(ids.every((id) => isId("delivery", id))).toBe(true);
    expect([...ids].sort().reverse()).toEqual(ids);
  });
});
