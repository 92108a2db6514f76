import { setTimeout as sleep } from "node:timers/promises";
import type { GetStepTools } from "inngest";
import { watchRules } from "#lib/alerts/watch-rules.ts";
import { expireAuditLog } from "#lib/audit/audit-log.ts";
import { workOnBacktests } from "#lib/flows/backtests/work-on-backtests.ts";
import { nowMs, timeNow } from "#lib/platform/clock.ts";
import { env } from "#lib/platform/env.ts";
import { nextPollMs } from "#lib/polls/claims.ts";
import { DeliverySender } from "#lib/runtime/deliveries/deliveries.ts";
import { outsideWorld } from "#lib/runtime/drive/outside-world.ts";
import { pollDue } from "#lib/runtime/polls/polls.ts";
import { fireSchedules, nextScheduleMs } from "#lib/runtime/schedules/schedules.ts";
import { startForEvents } from "#lib/runtime/triggers/trigger-events.ts";
import { wakeOnEvents } from "#lib/runtime/triggers/wake-on-events.ts";
import { finishInterrupted, performUpkeep } from "#lib/runtime/upkeep/upkeep.ts";
import { nextDeliveryMs } from "#lib/webhooks/claim-deliveries.ts";
import { backtestsDue, type Client, deliveriesDue, sleepMs } from "./client.ts";
import { dispatchPending } from "./dispatch-runs.ts";

/** How long one run of such a function lasts; the next minute's then takes over. */
const periodMs = 58_000;
/** Work due this soon is awaited in the same step: Inngest sleeps whole seconds, and a step costs a call. */
const soonMs = 1_500;
/** A step does not poll longer than this. */
const stepMs = 20_000;

/**
 * Polls for a minute, whenever something is due, and sleeps in between; Inngest starts such a function once a minute.
 * `poll` returns the milliseconds until the next item is due, or null for none. Returns how often it polled.
 */
export async function keepUp(
  tools: GetStepTools<Client>,
  name: string,
  poll: () => Promise<number | null>,
): Promise<number> {
  let endsAt: number | undefined;
  for (let turn = 1; ; turn += 1) {
    const { at, nextAt } = await tools.run({ id: `${name} ${turn}`, name }, () => pollUntilIdle(poll));
    endsAt ??= at + periodMs;
    if (nextAt === null || nextAt > endsAt) return turn;
    const step = { id: `Until the next is due ${turn}`, name: "Until the next is due" };
    await tools.sleep(step, sleepMs(nextAt - nowMs()));
  }
}

async function pollUntilIdle(poll: () => Promise<number | null>): Promise<{ at: number; nextAt: number | null }> {
  const at = nowMs();
  for (;;) {
    const nextMs = await poll();
    if (nextMs === null) return { at, nextAt: null };
    if (nextMs > soonMs || nowMs() - at > stepMs) return { at, nextAt: nowMs() + nextMs };
    await sleep(Math.max(10, nextMs));
  }
}

const everyMinute = "* * * * *";
const everyHour = "7 * * * *";
/** Stops after this; the next upkeep continues. */
const upkeepMsMax = 200_000;

/** The work of the server's timers as Inngest functions, so that it needs no long-lived process. */
export function upkeep(client: Client) {
  return [recovery(client), ...polled.map((task) => poller(client, task)), alerts(client), hourlyUpkeep(client)];
}

interface Polled {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Starts it as well, besides the clock. */
  readonly event?: string;
  readonly concurrency: number;
  /** The step's name in Inngest's trace. */
  readonly step: string;
  readonly poll: () => Promise<number | null>;
}

const polled: readonly Polled[] = [
  {
    id: "deliver-events",
    name: "Deliver events",
    description: "Sends the events that are due to their subscribers.",
    event: deliveriesDue,
    concurrency: 2,
    step: "Send what is due",
    poll: async () => {
      await new DeliverySender(outsideWorld().outbound).sendDue();
      return await nextDeliveryMs();
    },
  },
  {
    id: "fire-schedules",
    name: "Fire schedules",
    description: "Starts flows that are due, and flows that listen for events.",
    concurrency: 1,
    step: "Start flows whose time has come",
    poll: async () => {
      if ((await fireSchedules()) + (await startForEvents()) > 0) await dispatchPending(true);
      await wakeOnEvents();
      return await nextScheduleMs();
    },
  },
  {
    id: "poll-sources",
    name: "Poll sources",
    description: "Polls triggers that are due, and starts flows for new items.",
    concurrency: 2,
    step: "Poll for items",
    poll: async () => {
      if ((await pollDue(stepMs)) > 0) await dispatchPending(true);
      return await nextPollMs();
    },
  },
  {
    id: "run-backtests",
    name: "Run backtests",
    description: "Compares changed flows with past runs, in slices.",
    event: backtestsDue,
    concurrency: 1,
    step: "Compare runs",
    poll: async () => {
      const stop = AbortSignal.timeout(stepMs);
      await workOnBacktests(stop);
      return stop.aborted ? 0 : null;
    },
  },
];

function poller(client: Client, { event, step: stepName, poll, ...described }: Polled) {
  const triggers = [{ cron: everyMinute }, ...(event === undefined ? [] : [{ event }])];
  return client.createFunction({ ...described, triggers }, async ({ step }) => ({
    turns: await keepUp(step, stepName, poll),
  }));
}

/** One at a time, started by the clock. */
function byClock<Result>(
  client: Client,
  { cron, ...described }: Pick<Polled, "id" | "name" | "description"> & { readonly cron: string },
  work: (step: GetStepTools<Client>) => Promise<Result>,
) {
  const options = { ...described, triggers: [{ cron }], concurrency: 1 };
  return client.createFunction(options, ({ step }) => work(step));
}

function recovery(client: Client) {
  const description = "Sends orphaned runs to Inngest again.";
  const described = { id: "recover-executions", name: "Recover executions", description, cron: everyMinute };
  return byClock(client, described, async (step) => {
    await step.run("Finish interrupted work", () => finishInterrupted());
    return { sent: await step.run("Send orphaned runs again", () => dispatchPending(true)) };
  });
}

function alerts(client: Client) {
  const description = "Evaluates the rules that are due, and sends alerts.";
  const described = { id: "watch-alert-rules", name: "Watch alert rules", description, cron: everyMinute };
  return byClock(client, described, async (step) => {
    const made = await step.run("Evaluate the rules that are due", watchRules);
    if (made > 0) await step.sendEvent("Have the events delivered", { name: deliveriesDue });
    return { made };
  });
}

function hourlyUpkeep(client: Client) {
  const description = "Deletes expired records and folds the statistics.";
  const described = { id: "perform-upkeep", name: "Perform upkeep", description, cron: everyHour };
  return byClock(client, described, async (step) => {
    const { auditRetentionDays: days } = env();
    const removed = await step.run("Delete expired records", () =>
      performUpkeep(timeNow(), AbortSignal.timeout(upkeepMsMax)),
    );
    if (days === undefined) return removed;
    return { ...removed, auditEntries: await step.run("Delete expired audit entries", () => expireAuditLog(days)) };
  });
}
