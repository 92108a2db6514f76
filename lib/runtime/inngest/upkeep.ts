import { sweepDeliveries } from "#lib/webhooks/sweep-deliveries.ts";
import { DeliverySender } from "../deliveries.ts";
import { fireSchedules } from "../fire-schedules.ts";
import { outside } from "../outside.ts";
import type { Client } from "./client.ts";
import { dispatchRuns } from "./dispatch-runs.ts";
import { deliveriesDue } from "./events.ts";
import { recoverRuns } from "./recover-runs.ts";

const everyMinute = "* * * * *";
const everyHour = "7 * * * *";

/** What a server of ours does by its own timers, as functions: with Inngest no process of ours need stay alive for it. */
export function upkeep(client: Client) {
  return [recovery(client), deliveries(client), schedules(client), sweep(client)];
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
    async ({ step }) => ({ sent: await step.run("Send again what nobody attends to", recoverRuns) }),
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
    async ({ step }) => {
      await step.run("Send what is due", () => new DeliverySender({ outbound: outside().outbound }).sendDue());
    },
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
    async ({ step }) => {
      const made = await step.run("Start flows whose time has come", () => fireSchedules());
      if (made > 0) await step.run("Send their runs", dispatchRuns);
      return { made };
    },
  );
}

function sweep(client: Client) {
  return client.createFunction(
    { id: "sweep", name: "Sweep", description: "Removes what is kept no longer.", triggers: [{ cron: everyHour }] },
    async ({ step }) => {
      await step.run("Remove old deliveries", () => sweepDeliveries(new Date()));
    },
  );
}
