import { watchRules } from "#lib/alerts/watch-rules.ts";
import { expireAuditLog } from "#lib/audit/audit-log.ts";
import { workOnBacktests } from "#lib/flows/backtests/work-on-backtests.ts";
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
  // The delivery timer fires soon anyway.
  async ended() {},
  async wake() {
    worker().wake();
  },
};

/** If AUDIT_RETENTION_DAYS is set, deletes expired audit log entries, now and a few times a day. */
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

/** An idle poll is one query on a small index. */
const alertPollMs = 2_000;

/** Evaluates alert rules on a timer, started on first use. Every process polls; each due rule is claimed by one. */
function alertWatch(): Poller {
  const poll = async () => {
    if ((await watchRules()) > 0) deliveries().wake();
  };
  return singleton("alert-watch", () => new Poller(alertPollMs, "Alert rules could not be evaluated", poll).start());
}

/** An idle poll is one query on a small index. */
const backtestPollMs = 1_000;

/** Works on backtests in the background, one run at a time; started on first use. */
class BacktestWork {
  readonly #stopped = new AbortController();
  readonly #poller = new Poller(backtestPollMs, "Backtests could not be continued", () =>
    workOnBacktests(this.#stopped.signal),
  );

  start(): this {
    this.#poller.start();
    return this;
  }

  /** Starts now or, if busy, checks for new work after the current slice. */
  poll(): void {
    this.#poller.poll();
  }

  /** Releases work in progress for another process; resolves once that is done. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#poller.stop();
  }
}

function backtests(): BacktestWork {
  return singleton("backtests", () => new BacktestWork().start());
}
