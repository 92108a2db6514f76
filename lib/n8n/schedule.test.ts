import { describe, expect, test } from "vitest";
import { convertN8n } from "./convert.ts";
import { n8nDocument, n8nNode } from "./testing/workflows.ts";

async function scheduled(type: string, parameters: object) {
  const { flow, report } = await convertN8n(n8nDocument("x", [n8nNode("At", type, parameters as never)], []));
  return [flow.trigger.config.cron, report.gaps.map(({ reason }) => reason)];
}

const every = (rule: object) => ({ rule: { interval: [rule] } });

describe("a schedule", () => {
  test.each([
    ["interval", { interval: 300, unit: "seconds" }, "*/5 * * * *"],
    ["interval", { interval: 1, unit: "hours" }, "0 * * * *"],
    ["cron", { triggerTimes: { item: [{ mode: "everyX", value: 120, unit: "minutes" }] } }, "0 */2 * * *"],
    ["scheduleTrigger", every({ field: "seconds" }), "*/30 * * * * *"],
    ["scheduleTrigger", every({ field: "minutes", minutesInterval: 15 }), "*/15 * * * *"],
    ["scheduleTrigger", every({ field: "hours", hoursInterval: 6, triggerAtMinute: 20 }), "20 */6 * * *"],
    ["scheduleTrigger", every({ field: "hours", hoursInterval: 24, triggerAtMinute: 5 }), "5 0 * * *"],
    ["scheduleTrigger", every({ triggerAtHour: 9, triggerAtMinute: 30 }), "30 9 * * *"],
    ["scheduleTrigger", every({ field: "weeks", triggerAtDay: [1, 5], triggerAtHour: 8 }), "0 8 * * 1,5"],
    ["scheduleTrigger", every({ field: "weeks", triggerAtDay: [], triggerAtHour: 8 }), "0 8 * * *"],
  ])("%s %j", async (type, parameters, cron) => expect(await scheduled(type, parameters)).toEqual([cron, []]));

  test.each([
    [every({ field: "minutes", minutesInterval: 90 }), "0 */2 * * *", "90 minutes in n8n. Here it is every 2 hours"],
    [
      every({ daysInterval: 3, triggerAtHour: 7 }),
      "0 7 */3 * *",
      "3 days in n8n. Here it is every 3 days, starting over",
    ],
    [
      every({ field: "hours", hoursInterval: 1e9 }),
      "0 0 */31 * *",
      "1000000000 hours in n8n. Here it is every 31 days",
    ],
    [every({ field: "weeks", weeksInterval: 2 }), "0 0 * * 0", "every week, not every 2 weeks"],
  ])("that cannot be the same is reported: %j", async (parameters, cron, reason) => {
    expect(await scheduled("scheduleTrigger", parameters)).toEqual([cron, [expect.stringContaining(reason)]]);
  });
});
