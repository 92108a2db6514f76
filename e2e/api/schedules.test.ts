import { describe, expect, it } from "vitest";
import { type Answer, del, get, patch, post } from "#e2e/support/api-client.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { createFlow, ended, transform } from "#e2e/support/flows.ts";
import { detailsOf } from "#e2e/support/refusals.ts";

interface Listed {
  readonly id: string;
  readonly trigger: { readonly type: string; readonly data: { readonly scheduledAt: string } };
  readonly startedAt: string;
}

const everySecond = { type: "schedule", config: { cron: "* * * * * *" } };
const runsOf = async (flowId: string) => (await get<Listed[]>(`/executions?flowId=${flowId}&order=asc`)).data;
const fieldsOf = (answer: Answer) => Object.keys(detailsOf(answer)).toSorted();
const nextRunAt = async (id: string) => (await get<{ nextRunAt?: string | null }>(`/flows/${id}`)).data.nextRunAt;

describe("an active flow with a schedule", () => {
  // Proves trigger.schedule
  it("runs when due, each time once, with its time as the input; and no more once it is inactive", async () => {
    const flow = await createFlow({ trigger: everySecond, nodes: [transform("t", "$trigger.body.scheduledAt")] });
    expect(await runsOf(flow.id)).toEqual([]);
    expect((await patch(`/flows/${flow.id}`, { status: "active" })).status).toBe(200);
    const runs = await eventually("it has run three times", async () => {
      const all = await runsOf(flow.id);
      return all.length >= 3 ? all : undefined;
    });
    await patch(`/flows/${flow.id}`, { status: "inactive" });
    const times = runs.map(({ trigger }) => trigger.data.scheduledAt);
    expect(new Set(times).size).toBe(times.length);
    for (const { trigger, startedAt } of runs) {
      expect(trigger.type).toBe("schedule");
      expect(trigger.data.scheduledAt).toMatch(/:\d\d\.000Z$/);
      const lateMs = Date.parse(startedAt) - Date.parse(trigger.data.scheduledAt);
      expect(lateMs).toBeGreaterThanOrEqual(0);
      expect(lateMs).toBeLessThan(10_000);
    }
    const first = await ended(String(runs[0]?.id));
    expect([first.output, first.metadata.source]).toEqual([times[0], "schedule"]);

    expect(await nextRunAt(flow.id)).toBeNull();
    const count = (await runsOf(flow.id)).length;
    const past = Math.ceil(Date.now() / 1_000) * 1_000 + 1_500;
    await eventually("a time passes", () => (Date.now() > past ? true : undefined));
    expect((await runsOf(flow.id)).length).toBe(count);
    await del(`/flows/${flow.id}?deleteExecutions=true`);
  });

  it("has its next time; other flows do not", async () => {
    const trigger = { type: "schedule", config: { cron: "0 0 1 1 *", timezone: "Asia/Tokyo" } };
    const flow = await createFlow({ trigger, status: "active" });
    expect(await nextRunAt(flow.id)).toMatch(/^\d{4}-12-31T15:00:00\.000Z$/);
    expect(await nextRunAt((await createFlow({})).id)).toBeUndefined();
    await del(`/flows/${flow.id}`);
  });

  it("has no trigger URL, and can be run by hand", async () => {
    const flow = await createFlow({ trigger: { type: "manual" }, nodes: [transform("t", "1")] });
    expect(flow.trigger).toEqual({ type: "manual", config: {} });
    expect((await post(`/flows/${flow.id}/execute`, { async: false })).data).toMatchObject({ output: 1 });
  });
});

describe("an invalid schedule", () => {
  it("can be kept in a draft, but not activated: 400 with the field's path", async () => {
    const config = { cron: "every day", timezone: "Mars/Base", misfire: "sometimes" };
    const flow = await createFlow({ trigger: { type: "schedule", config } });
    const answer = await patch(`/flows/${flow.id}`, { status: "active" });
    expect(fieldsOf(answer)).toEqual(["cron", "misfire", "timezone"].map((field) => `trigger.config.${field}`));
    const made = await post("/flows", { name: "x", nodes: [], trigger: { type: "schedule" }, status: "active" });
    expect(fieldsOf(made)).toEqual(["trigger.config.cron"]);
  });
});

describe("POST /schedules/preview", () => {
  it("returns the next five times", async () => {
    const { status, data } = await post<{ times: string[] }>("/schedules/preview", { cron: "*/15 * * * *" });
    expect([status, data.times.length]).toEqual([200, 5]);
    for (const [index, time] of data.times.entries()) {
      const before = index === 0 ? Date.now() - 900_000 : Date.parse(String(data.times[index - 1]));
      expect(Date.parse(time) - before).toBeGreaterThanOrEqual(index === 0 ? 0 : 900_000);
      expect(new Date(time).getUTCMinutes() % 15).toBe(0);
    }
  });

  it("is 400 with the field for an invalid schedule", async () => {
    expect(fieldsOf(await post("/schedules/preview", { cron: "0 0 30 2 *" }))).toEqual(["cron"]);
    expect(fieldsOf(await post("/schedules/preview", {}))).toEqual(["cron"]);
    expect(fieldsOf(await post("/schedules/preview", { cron: 5, timezone: 7 }))).toEqual(["cron", "timezone"]);
  });
});
