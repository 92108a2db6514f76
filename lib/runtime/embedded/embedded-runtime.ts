import { expireAuditLog } from "#lib/audit/audit-log.ts";
import { typeLearner } from "#lib/flows/learned-types/type-learner.ts";
import { env } from "#lib/platform/env.ts";
import { Poller } from "#lib/platform/one-at-a-time.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { deliveries } from "#lib/runtime/deliveries/deliveries.ts";
import { polls } from "#lib/runtime/polls/polls.ts";
import type { Runtime } from "#lib/runtime/runtime.ts";
import { schedules } from "#lib/runtime/schedules/schedules.ts";
import { triggerEvents } from "#lib/runtime/triggers/trigger-events.ts";
import { eventPoller } from "#lib/runtime/triggers/wake-on-events.ts";
import { alertWatch } from "#lib/runtime/upkeep/alert-watch.ts";
import { backtests } from "#lib/runtime/upkeep/backtests.ts";
import { upkeep } from "#lib/runtime/upkeep/upkeep.ts";
import { worker } from "./worker.ts";

const auditSweepMs = 6 * 3_600_000;

/** Runs, schedules, deliveries, alerts and upkeep by this process's worker and timers. */
export const embeddedRuntime: Runtime = {
  start() {
    worker().takeRuns();
    schedules();
    triggerEvents();
    eventPoller();
    polls();
    deliveries();
    upkeep();
    alertWatch();
    backtests();
    keepAuditLogShort();
  },
  async stop() {
    const stopping = [
      schedules().stop(),
      triggerEvents().stop(),
      eventPoller().stop(),
      polls().stop(),
      alertWatch().stop(),
      backtests().stop(),
      deliveries().drain(),
      upkeep().stop(),
      auditSweep().stop(),
    ];
    await Promise.all(stopping);
    await typeLearner().store();
  },
  async dispatch(isLimited = false) {
    if (isLimited) worker().admit();
    else worker().wake();
  },
  async deliver() {
    deliveries().wake();
  },
  async backtest() {
    backtests().poll();
  },
  // The deliveries' timer fires soon anyway.
  async ended() {},
  async wake() {
    worker().wake();
  },
};

/** With AUDIT_RETENTION_DAYS, deletes expired audit log entries: now, and a few times a day. */
function keepAuditLogShort(): void {
  if (env().auditRetentionDays !== undefined) auditSweep().start().poll();
}

function auditSweep(): Poller {
  const sweep = async () => {
    const { auditRetentionDays: days } = env();
    if (days !== undefined) await expireAuditLog(days);
  };
  return singleton("audit-sweep", () => new Poller(auditSweepMs, "The audit log was not shortened", sweep));
}
