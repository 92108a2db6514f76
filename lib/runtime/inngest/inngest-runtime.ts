import { setTimeout as sleep } from "node:timers/promises";
import { cancellationListeners } from "#lib/executions/cancel-execution.ts";
import { typeLearner } from "#lib/flows/learned-types/type-learner.ts";
import { isUnavailable } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { Poller } from "#lib/platform/one-at-a-time.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { worker } from "#lib/runtime/embedded/worker.ts";
import type { Runtime } from "../runtime.ts";
import { dispatchPending } from "./dispatch-runs.ts";
import { notifyOfBacktests, notifyOfCancellation, notifyOfDeliveries, notifyOfWaking } from "./notify.ts";
import { keepRegistered } from "./register-app.ts";
import { register } from "./serve-functions.ts";

/**
 * How long a request waits for Inngest to accept an event. The run is already stored: if Inngest is slower or
 * unreachable, the request is answered and the event follows.
 */
const patienceMs = 250;
/** How often a long-lived process polls for orphaned runs; without one, Inngest does so each minute. */
const pollMs = 5_000;

/** Inngest starts runs, schedules, deliveries, alerts and upkeep; this process answers its calls. */
export const inngestRuntime: Runtime = {
  start() {
    // Renews the leases of runs in this process, for a caller or for Inngest.
    worker();
    cancellationListeners().add((executionId) => waitBriefly(notifyOfCancellation(executionId)));
    keepRegistered(register);
    orphanPoller().start();
  },
  async stop() {
    await orphanPoller().stop();
    await typeLearner().store();
  },
  async dispatch(isLimited = false) {
    await waitBriefly(Promise.all([dispatchPending(isLimited), notifyOfDeliveries()]));
  },
  async deliver() {
    await waitBriefly(notifyOfDeliveries());
  },
  async backtest() {
    await waitBriefly(notifyOfBacktests());
  },
  async ended(isOver) {
    await (isOver ? this.deliver() : this.dispatch());
  },
  async wake(executionId) {
    await waitBriefly(notifyOfWaking(executionId));
  },
};

const orphanPoller = () =>
  singleton("inngest-orphans", () => new Poller(pollMs, notHandedOver, () => dispatchPending(true)));

/** Waits for a moment, so that a caller is not delayed. */
async function waitBriefly(work: Promise<unknown>): Promise<void> {
  await Promise.race([work.catch(logUnavailable), sleep(patienceMs, undefined, { ref: false })]);
}

const notHandedOver = "Runs could not be handed to Inngest";

function logUnavailable(error: unknown): void {
  if (!isUnavailable(error)) logLine("error", notHandedOver, errorFields(error));
}
