import { describe, expect, it } from "vitest";
import { del, get, patch, post } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { createFlow, execute, transform } from "#e2e/support/flows.ts";
import { inOwnWorkspace } from "#e2e/support/own-workspace.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";
import { subscribe } from "#e2e/support/webhooks.ts";

inOwnWorkspace("Alerts");

interface Rule {
  readonly id: string;
  readonly lastAlertAt: string | null;
}

interface Alert {
  readonly ruleId: string;
  readonly flowId: string | null;
  readonly executionId: string | null;
  readonly message: string;
}

const failing = () => createFlow({ nodes: [transform("a", "$trigger.body.order.id")] });
const makeRule = async (fields: object) => (await post<Rule>("/alert-rules", { name: "Watch", ...fields })).data;
const alertsOf = async ({ id }: Rule) =>
  (await get<Alert[]>("/alerts?limit=100")).data.filter(({ ruleId }) => ruleId === id);
const untilAlert = (rule: Rule) => eventually("the rule tells of it", async () => (await alertsOf(rule))[0], 40_000);

describe("a rule", () => {
  it("reports failures in a row once, in the app and to subscribers", async () => {
    const receiver = await countingServer();
    await subscribe(receiver.url, ["alert.fired"]);
    const flow = await failing();
    const rule = await makeRule({ kind: "failures_in_row", flowId: flow.id, threshold: 2 });
    await execute(flow.id, { order: { id: 1 } });
    await execute(flow.id);
    const last = await execute(flow.id);
    const alert = await untilAlert(rule);
    expect(alert).toMatchObject({ flowId: flow.id, executionId: last.executionId });
    expect(alert.message).toBe(`The last 2 runs of ${flow.name} failed`);
    const event = await eventually("the event arrives", () =>
      receiver.received.map(({ body }) => JSON.parse(body)).find(({ data }) => data.ruleId === rule.id),
    );
    expect(event).toMatchObject({ event: "alert.fired", data: { executionId: last.executionId } });
    expect((await get<Rule>(`/alert-rules/${rule.id}`)).data.lastAlertAt).not.toBeNull();
    expect(await alertsOf(rule)).toHaveLength(1);
  });

  it("reports a long run, and a failure rate", async () => {
    const flow = await failing();
    const long = await makeRule({ kind: "duration", flowId: flow.id, threshold: 1 });
    const rate = await makeRule({ kind: "failure_rate", flowId: flow.id, threshold: 50, windowMinutes: 60 });
    const slow = await createFlow({ nodes: [{ id: "wait", type: "delay", config: { ms: 50 } }] });
    const slowRule = await makeRule({ kind: "duration", flowId: slow.id, threshold: 20 });
    await execute(slow.id);
    for (let run = 0; run < 5; run += 1) await execute(flow.id);
    expect((await untilAlert(slowRule)).message).toMatch(/took [\d.]+ m?s, longer than 20 ms/);
    expect((await untilAlert(rate)).message).toContain("100% of the runs");
    await del(`/alert-rules/${long.id}`);
  });

  it("is changed, disabled, and deleted with its alerts", async () => {
    const rule = await makeRule({ kind: "inactivity", windowMinutes: 600 });
    const changed = await patch<Rule>(`/alert-rules/${rule.id}`, { name: "Quiet", active: false });
    expect(changed.data).toMatchObject({ name: "Quiet", active: false, kind: "inactivity", windowMinutes: 600 });
    expect((await get<Rule[]>("/alert-rules?limit=100")).data).toContainEqual(changed.data);
    expect(changed.data).toMatchObject({ flowId: null, flowName: null });
    const flow = await createFlow({ name: "Named by its rule" });
    const narrowed = await patch<Rule>(`/alert-rules/${rule.id}`, { flowId: flow.id });
    expect(narrowed.data).toMatchObject({ flowId: flow.id, flowName: "Named by its rule" });
    expect((await get<Rule>(`/alert-rules/${rule.id}`)).data).toEqual(narrowed.data);
    expect((await del(`/alert-rules/${rule.id}`)).status).toBe(204);
    expectRefusal(await get(`/alert-rules/${rule.id}`), 404, "NOT_FOUND");
    expectRefusal(await del(`/alert-rules/${rule.id}`), 404, "NOT_FOUND");
  });

  it.each<[string, object]>([
    ["name", { name: "" }],
    ["kind", { kind: "weather" }],
    ["threshold", { threshold: 0 }],
    ["windowMinutes", { windowMinutes: 100_000 }],
    ["emails[0]", { emails: ["nobody"] }],
    ["flowId", { flowId: "flow_nothing" }],
  ])("is refused for its %s", async (field, wrong) => {
    expectInvalid(await post("/alert-rules", { name: "Watch", kind: "duration", ...wrong }), field);
  });
});
