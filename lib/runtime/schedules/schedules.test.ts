import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { createFlow } from "#lib/flows/create-flow.ts";
import { deleteFlow } from "#lib/flows/delete-flow.ts";
import { updateFlow } from "#lib/flows/update-flow.ts";
import { database, query } from "#lib/platform/database.ts";
import { fireSchedules } from "./schedules.ts";

let actor: Actor;

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
});
beforeEach(async () => {
  await query("forget-flows", "DELETE FROM flow", []);
  await query("forget-runs", "DELETE FROM execution", []);
});

const trigger = (config: { cron: string; timezone?: string; misfire?: string }) => ({
  type: "schedule" as const,
  config,
});
async function scheduledFlow(config: Parameters<typeof trigger>[0] = { cron: "0 * * * *" }, status = "active") {
  const given = { name: "Test", tags: [], variables: {}, nodes: [], edges: [] };
  return await createFlow(actor, { ...given, status: status as "active", trigger: trigger(config) });
}

const rowOf = (flowId: string) => database().flowSchedule.findUnique({ where: { flowId } });
/** Makes the flow due at this time. */
const nextAt = (flowId: string, time: string) =>
  database().flowSchedule.update({ where: { flowId }, data: { nextRunAt: new Date(time) } });
const runs = () => database().execution.findMany({ orderBy: { id: "asc" } });
const bodies = async () => (await runs()).map(({ trigger: json }) => JSON.parse(json).body);

describe("a due flow", () => {
  // Proves executions.read.source
  test("gets one run, with its time as the input, and a new due time", async () => {
    const { id } = await scheduledFlow({ cron: "0 * * * *", timezone: "Europe/Berlin" });
    await nextAt(id, "2026-01-01T10:00:00Z");
    expect(await fireSchedules(new Date("2026-01-01T09:59:59.999Z"))).toBe(0);
    expect(await fireSchedules(new Date("2026-01-01T10:00:00.300Z"))).toBe(1);
    expect(await fireSchedules(new Date("2026-01-01T10:00:00.600Z"))).toBe(0);
    expect(await bodies()).toEqual([
      { scheduledAt: "2026-01-01T10:00:00.000Z", cron: "0 * * * *", timezone: "Europe/Berlin", missed: 0 },
    ]);
    expect(await runs()).toMatchObject([
      { status: "pending", triggerType: "schedule", source: "schedule", flowId: id },
    ]);
    expect((await rowOf(id))?.nextRunAt?.toISOString()).toBe("2026-01-01T11:00:00.000Z");
  });

  test("gets one run however many processes handle it at once", async () => {
    const flows = await Promise.all(Array.from({ length: 20 }, () => scheduledFlow()));
    for (const { id } of flows) await nextAt(id, "2026-01-01T10:00:00Z");
    const now = new Date("2026-01-01T10:00:01Z");
    const made = await Promise.all(Array.from({ length: 8 }, () => fireSchedules(now)));
    expect(made.reduce((sum, count) => sum + count, 0)).toBe(20);
    expect(new Set((await runs()).map(({ flowId }) => flowId)).size).toBe(20);
  });

  test("gets no second run when the clock is set back an hour, and continues once it has caught up", async () => {
    const { id } = await scheduledFlow();
    await nextAt(id, "2026-01-01T10:00:00Z");
    for (const now of ["10:00:01", "09:00:01", "09:30:00", "10:00:01"]) {
      await fireSchedules(new Date(`2026-01-01T${now}Z`));
    }
    // Even if the flow is set to the same time again.
    await nextAt(id, "2026-01-01T10:00:00Z");
    expect(await fireSchedules(new Date("2026-01-01T10:00:01Z"))).toBe(0);
    expect(await runs()).toHaveLength(1);
    expect(await fireSchedules(new Date("2026-01-01T11:00:01Z"))).toBe(1);
  });

  test("follows its policy when the clock is set forward an hour", async () => {
    const flows = { skip: 1, once: 1, all: 7 };
    for (const misfire of Object.keys(flows)) {
      const { id } = await scheduledFlow({ cron: "*/10 * * * *", misfire });
      await nextAt(id, "2026-01-01T10:00:00Z");
    }
    await fireSchedules(new Date("2026-01-01T11:00:00Z"));
    const found = await runs();
    for (const [misfire, count] of Object.entries(flows)) {
      const schedules = await database().flowSchedule.findMany({ where: { misfire } });
      expect([misfire, found.filter(({ flowId }) => flowId === schedules[0]?.flowId).length]).toEqual([misfire, count]);
    }
  });

  test("sends its events in the same statement", async () => {
    const { id } = await scheduledFlow();
    const row = { id: "sub_1", workspaceId: actor.workspaceId, url: "http://x", events: ["execution.started"] };
    const at = { createdAt: new Date(), updatedAt: new Date() };
    const secret = new Uint8Array();
    await database().webhookSubscription.create({ data: { ...row, ...at, active: true, secret, keyVersion: 1 } });
    await nextAt(id, "2026-01-01T10:00:00Z");
    await fireSchedules(new Date("2026-01-01T10:00:00Z"));
    expect(await database().webhookDelivery.count({ where: { executionId: (await runs())[0]?.id ?? "" } })).toBe(1);
  });

  test("is not blocked by a hundred others, or by one whose schedule cannot be read", async () => {
    const broken = await scheduledFlow();
    await database().flowSchedule.update({ where: { flowId: broken.id }, data: { cron: "not a schedule" } });
    await nextAt(broken.id, "2026-01-01T09:00:00Z");
    const flows = await Promise.all(Array.from({ length: 105 }, () => scheduledFlow()));
    await query("set-times", "UPDATE flow_schedule SET next_run_at = $1 WHERE flow_id = ANY($2)", [
      new Date("2026-01-01T10:00:00Z"),
      flows.map(({ id }) => id),
    ]);
    expect(await fireSchedules(new Date("2026-01-01T10:00:01Z"))).toBe(105);
    expect((await rowOf(broken.id))?.nextRunAt).toBeNull();
  });
});

describe("the next time", () => {
  test("exists for an active flow only, and is deleted with the flow", async () => {
    const { id } = await scheduledFlow(undefined, "draft");
    expect(await rowOf(id)).toBeNull();
    await updateFlow(actor, id, { status: "active" }, null);
    expect((await rowOf(id))?.nextRunAt?.getTime()).toBeGreaterThan(Date.now());
    await updateFlow(actor, id, { status: "inactive" }, null);
    expect(await rowOf(id)).toBeNull();
    await updateFlow(actor, id, { status: "active" }, null);
    await updateFlow(actor, id, { trigger: { type: "manual", config: {} } }, null);
    expect(await rowOf(id)).toBeNull();
    await updateFlow(actor, id, { trigger: trigger({ cron: "@hourly" }) }, null);
    expect(await rowOf(id)).toMatchObject({ cron: "@hourly", timezone: "UTC", misfire: "once" });
    await deleteFlow(actor, id, { deleteExecutions: false, ifMatch: null });
    expect(await rowOf(id)).toBeNull();
  });

  test("is kept when something else in the flow changes, and recomputed when the schedule does", async () => {
    const { id } = await scheduledFlow();
    await nextAt(id, "2026-01-01T10:00:00Z");
    await updateFlow(actor, id, { name: "Other", trigger: trigger({ cron: "0 * * * *", misfire: "all" }) }, null);
    expect(await rowOf(id)).toMatchObject({ misfire: "all", nextRunAt: new Date("2026-01-01T10:00:00Z") });
    await updateFlow(actor, id, { trigger: trigger({ cron: "0 * * * *", timezone: "Asia/Tokyo" }) }, null);
    expect((await rowOf(id))?.nextRunAt?.getTime()).toBeGreaterThan(Date.now());
  });
});
