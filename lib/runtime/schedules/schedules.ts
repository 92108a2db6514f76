import { insertRuns, newRuns } from "#lib/executions/store/insert-execution.ts";
import { newExecution, type StartedFlow, triggerTextOf } from "#lib/executions/store/new-execution.ts";
import { nextTime, type Schedule } from "#lib/flows/schedule.ts";
import { type DueTime, dueTimes } from "#lib/flows/stored-schedule.ts";
import { iso } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import { derivedId } from "#lib/platform/ids.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { countStarted } from "#lib/platform/metrics.ts";
import { Poller } from "#lib/platform/one-at-a-time.ts";
import { type Columns, RowsParameter, text, time } from "#lib/platform/rows-parameter.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { mapInTurns } from "#lib/platform/turns.ts";
import { worker } from "#lib/runtime/embedded/worker.ts";
import { failLimitedRun, limitRun, type PreparedRun } from "#lib/runtime/start/queue-run.ts";

/** Flows handled at once. */
const flowsMax = 100;

interface DueRow extends StartedFlow, Schedule, Record<string, unknown> {
  readonly dueAt: Date;
  readonly now: Date;
}

/** A due flow: the runs it gets, and when it is due next. */
interface Due {
  readonly flow: DueRow;
  readonly runs: readonly PreparedRun[];
  readonly next: Date | null;
}

// By the database's clock, which all processes share.
const findDue = `
  SELECT s.flow_id AS id, f.workspace_id AS "workspaceId", f.name, f.version, f.settings, s.cron, s.timezone, s.misfire,
    s.next_run_at AS "dueAt", coalesce($1::timestamptz, now()) AS now
  FROM flow_schedule s JOIN flow f ON f.id = s.flow_id
  WHERE s.next_run_at <= coalesce($1::timestamptz, now()) AND f.status = 'active'
  ORDER BY s.next_run_at LIMIT ${flowsMax}`;

// If several processes see the same due time, the one that moves it forward creates the runs, in the same statement. A
// run's id is derived from its flow and its time, so that even a clock that is set back creates no second run.
const dueFlows = new RowsParameter(
  {
    flow_id: text(({ flow }) => flow.id),
    due: time(({ flow }) => iso(flow.dueAt)),
    next: time(({ next }) => next && iso(next)),
  } satisfies Columns<Due>,
  newRuns.next,
);
const fire = `
  WITH moved AS (
    UPDATE flow_schedule s SET next_run_at = d.next
    FROM ${dueFlows.as("d")}
    WHERE s.flow_id = d.flow_id AND s.next_run_at = d.due RETURNING s.flow_id),
  ${insertRuns("n.flow_id IN (SELECT flow_id FROM moved)")}`;

/**
 * Creates the runs of all due flows and sets when they are due next; returns how many runs it created. Safe to call in
 * several processes at once: each scheduled time gets one run. `now`: for tests.
 */
export async function fireSchedules(now: Date | null = null): Promise<number> {
  let made = 0;
  for (;;) {
    const rows = await query<DueRow>("find-due-schedules", findDue, [now]);
    if (rows.length > 0) made += await store(await Promise.all(await mapInTurns(rows, dueOf)));
    if (rows.length < flowsMax) return made;
  }
}

const nextDue = `
  SELECT (extract(epoch FROM s.next_run_at - now()) * 1000)::float8 AS ms
  FROM flow_schedule s JOIN flow f ON f.id = s.flow_id
  WHERE s.next_run_at > now() AND f.status = 'active' ORDER BY s.next_run_at LIMIT 1`;

/** Milliseconds until the next flow is due; null if none is. */
export async function nextScheduleMs(): Promise<number | null> {
  const [row] = await query<{ ms: number | null }>("next-schedule", nextDue, []);
  return row?.ms ?? null;
}

async function store(due: readonly Due[]): Promise<number> {
  const all = due.flatMap(({ runs }) => runs);
  const values = [...newRuns.values(all.map(({ execution }) => execution)), ...dueFlows.values(due)];
  const made = new Set((await query<{ id: string }>("fire-schedules", fire, values)).map((row) => row.id));
  countStarted(all.map(({ execution }) => execution).filter(({ id }) => made.has(id)));
  for (const { execution, failure } of all) {
    if (failure !== null && made.has(execution.id)) await failLimitedRun(execution.id, failure);
  }
  return made.size;
}

/** A schedule that can no longer be read is not due again, so that it blocks no other. */
async function dueOf(flow: DueRow): Promise<Due> {
  try {
    const times = dueTimes(flow, flow.dueAt, flow.now);
    const runs = await Promise.all(times.map((time) => scheduledRun(flow, time)));
    return { flow, runs, next: nextTime(flow, flow.now) };
  } catch (error) {
    logLine("error", "A schedule could not be read", { flowId: flow.id, ...errorFields(error) });
    return { flow, runs: [], next: null };
  }
}

async function scheduledRun(flow: DueRow, { at, missed }: DueTime): Promise<PreparedRun> {
  const scheduledAt = iso(at);
  const body = { scheduledAt, cron: flow.cron, timezone: flow.timezone, missed };
  const trigger = triggerTextOf({ body, headers: {}, query: {}, method: "POST" });
  const { limit, failure } = await limitRun(flow, trigger);
  const run = newExecution(flow, {
    triggerType: "schedule",
    trigger,
    source: "schedule",
    ip: null,
    userAgent: null,
    leaseOwner: null,
    limit,
  });
  return { execution: { ...run, id: derivedId("execution", at, `${flow.id} ${scheduledAt}`) }, failure };
}

/** A poll is one query on a small index. Schedules are accurate to this interval. */
const pollMs = 500;

/**
 * Starts scheduled flows when they are due; started on first use. Every process polls; each scheduled time gets one
 * run.
 */
export function schedules(): Poller {
  const poll = async () => {
    if ((await fireSchedules()) === 0) return;
    worker().wake();
    worker().admit();
  };
  return singleton("schedules", () => new Poller(pollMs, "Schedules could not be fired", poll).start());
}
