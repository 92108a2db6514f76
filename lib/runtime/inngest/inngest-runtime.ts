import { setTimeout as sleep } from "node:timers/promises";
import { cancellationListeners } from "#lib/executions/cancel-execution.ts";
import { isUnavailable } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { worker } from "#lib/runtime/embedded/worker.ts";
import type { Runtime } from "../runtime.ts";
import { handOver } from "./dispatch-runs.ts";
import { keepRegistered } from "./register-app.ts";
import { register } from "./serve-functions.ts";
import { notifyOfCancellation, notifyOfDeliveries, notifyOfWaking } from "./tell.ts";

/**
 * What a request waits for Inngest to take an event. It has been stored what the event is about: where Inngest takes
 * longer, or cannot be reached, the request is answered, and the event follows.
 */
const patienceMs = 250;
/** Runs that nobody does any more are looked for this often where a process stays alive; each minute where none does. */
const lookMs = 5_000;

/** Runs, schedules, deliveries, alerts and upkeep are Inngest's to start: this process answers its calls. */
export const inngestRuntime: Runtime = {
  start() {
    // The runs that are done in this process, for a caller or for Inngest, are kept alive here.
    worker();
    cancellationListeners().add((executionId) => briefly(notifyOfCancellation(executionId)));
    keepRegistered(register);
    singleton("inngest-look", () => setInterval(() => void look(), lookMs).unref());
  },
  async stop() {},
  async dispatch(isLimited = false) {
    await briefly(Promise.all([handOver(isLimited), notifyOfDeliveries()]));
  },
  async deliver() {
    await briefly(notifyOfDeliveries());
  },
  async ended(isOver) {
    await (isOver ? this.deliver() : this.dispatch());
  },
  async wake(executionId) {
    await briefly(notifyOfWaking(executionId));
  },
};

/** Waits for what never takes a caller's time for long. */
async function briefly(work: Promise<unknown>): Promise<void> {
  await Promise.race([work.catch(logUnavailable), sleep(patienceMs, undefined, { ref: false })]);
}

async function look(): Promise<void> {
  await handOver(true).catch(logUnavailable);
}

function logUnavailable(error: unknown): void {
  if (!isUnavailable(error)) logLine("error", "Runs could not be handed to Inngest", errorFields(error));
}
