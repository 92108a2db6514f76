import { watchRules } from "#lib/alerts/watch-rules.ts";
import { expireAuditLog } from "#lib/audit/expire-audit-log.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { env } from "#lib/platform/env.ts";
import { nextDeliveryMs } from "#lib/webhooks/claim-deliveries.ts";
import { DeliverySender } from "../deliveries.ts";
import { finishBegun } from "../finish-begun.ts";
import { fireSchedules, nextScheduleMs } from "../fire-schedules.ts";
import { outside } from "../outside.ts";
import { performUpkeep } from "../perform-upkeep.ts";
import type { Client } from "./client.ts";
import { handOver } from "./dispatch-runs.ts";
import { deliveriesDue } from "./events.ts";
import { keepUp } from "./keep-up.ts";

const everyMinute = "* * * * *";
const everyHour = "7 * * * *";
/** What is left then is done the next time. */
const upkeepMsMax = 200_000;

/** What a server of ours does by its own timers, as functions: with Inngest no process of ours need stay alive for it. */
export function upkeep(client: Client) {
  return [recovery(client), deliveries(client), schedules(client), alerts(client), keepHouse(client)];
}

function recovery(client: Client) {
  return client.createFunction(
    {
      id: "recover-executions",
      name: "Recover executions",
      description: "Sends again what nobody attends to.",
      triggers: [{ cron: everyMinute }],
      concurrency: 1,
    },
    async ({ step }) => {
      await step.run("Finish what was begun", finishBegun);
      return { sent: await step.run("Send again what nobody attends to", () => handOver(true)) };
    },
  );
}

function deliveries(client: Client) {
  return client.createFunction(
    {
      id: "deliver-events",
      name: "Deliver events",
      description: "Sends the events that are due to their subscribers.",
      triggers: [{ cron: everyMinute }, { event: deliveriesDue }],
      concurrency: 2,
    },
    async ({ step }) => ({
      turns: await keepUp(step, "Send what is due", async () => {
        await new DeliverySender({ outbound: outside().outbound }).sendDue();
        return await nextDeliveryMs();
      }),
    }),
  );
}

function schedules(client: Client) {
  return client.createFunction(
    {
      id: "fire-schedules",
      name: "Fire schedules",
      description: "Starts the flows whose time has come.",
      triggers: [{ cron: everyMinute }],
      concurrency: 1,
    },
    async ({ step }) => ({
      turns: await keepUp(step, "Start flows whose time has come", async () => {
        if ((await fireSchedules()) > 0) await handOver(true);
        return await nextScheduleMs();
      }),
    }),
  );
}

function alerts(client: Client) {
  return client.createFunction(
    {
      id: "watch-alert-rules",
      name: "Watch alert rules",
      description: "Looks at the rules that are due, and tells what they find.",
      triggers: [{ cron: everyMinute }],
      concurrency: 1,
    },
    async ({ step }) => {
      const made = await step.run("Look at the rules that are due", watchRules);
      if (made > 0) await step.sendEvent("Have the events delivered", { name: deliveriesDue });
      return { made };
    },
  );
}

function keepHouse(client: Client) {
  return client.createFunction(
    {
      id: "perform-upkeep",
      name: "Perform upkeep",
      description: "Removes what is kept no longer and folds the statistics.",
      triggers: [{ cron: everyHour }],
      concurrency: 1,
    },
    async ({ step }) => {
      const { auditRetentionDays: days } = env();
      const removed = await step.run("Remove what is kept no longer", () =>
        performUpkeep(timeNow(), AbortSignal.timeout(upkeepMsMax)),
      );
      if (days === undefined) return removed;
      return { ...removed, auditEntries: await step.run("Shorten the audit log", () => expireAuditLog(days)) };
    },
  );
}
