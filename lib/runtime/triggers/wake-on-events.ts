import type { Actor } from "#lib/auth/actor.ts";
import type { NewEvent, ShownEvent } from "#lib/contract/executions/events.ts";
import { lockKey, markHandled, publishEvent, stepsWaiting, takeEvent } from "#lib/executions/events/events.ts";
import { inTransaction, isDuplicate, isUnavailable, query } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { Poller } from "#lib/platform/one-at-a-time.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { wakeRun } from "#lib/runtime/drive/resume.ts";

interface PendingEvent {
  readonly id: string;
  readonly workspaceId: string;
  readonly key: string;
}

/** Steps woken per query for waiting runs, and queries per request: the remaining steps are woken soon after. */
const stepsAtOnce = 100;
const queriesMax = 10;

/**
 * Stores an event and wakes the runs that wait for its key. When this resolves, the event is on disk and the first
 * thousand runs continue; another process wakes the rest if this one dies.
 */
export async function sendEvent(actor: Actor, given: NewEvent): Promise<ShownEvent> {
  const event = await publishEvent(actor, given);
  try {
    await wakeWaiting({ id: event.id, workspaceId: actor.workspaceId, key: event.key }, queriesMax);
  } catch (error) {
    if (!isUnavailable(error))
      logLine("error", "An event will be delivered later", { eventId: event.id, ...errorFields(error) });
  }
  return event;
}

async function wakeWaiting(event: PendingEvent, queries: number): Promise<void> {
  for (let done = 0; done < queries; done += 1) {
    if (!(await wakeBatch(event))) return await markHandled(event.id);
  }
}

/** Wakes some of the runs that wait for an event; true if there may be more. */
async function wakeBatch(event: PendingEvent): Promise<boolean> {
  const steps = await inTransaction(async (run) => {
    await lockKey(run, event.key, "telling");
    return await stepsWaiting(run, event, stepsAtOnce);
  });
  for (const step of steps) {
    if (await isWoken(step, event)) await wakeRun(step.executionId);
  }
  return steps.length > 0;
}

async function isWoken(step: Awaited<ReturnType<typeof stepsWaiting>>[number], { id }: PendingEvent): Promise<boolean> {
  try {
    return (await takeEvent(query, step, id)) !== null;
  } catch (error) {
    // Another step of the run has just taken it.
    if (isDuplicate(error)) return false;
    throw error;
  }
}

// A few per workspace, so that one with many events does not delay others.
const findPending = `
  SELECT id, workspace_id AS "workspaceId", key FROM (
    SELECT e.*, row_number() OVER (PARTITION BY workspace_id ORDER BY id) AS place
    FROM (SELECT id, workspace_id, key FROM event WHERE NOT told ORDER BY id LIMIT 1000) AS e) AS f
  WHERE place <= 20 ORDER BY place, id`;

/**
 * Wakes the runs that wait for pending events; returns how many events there were. Safe to call in several processes at
 * once: a run takes an event once.
 */
export async function wakeOnEvents(): Promise<number> {
  const events = await query<PendingEvent & Record<string, unknown>>("pending-events", findPending, []);
  for (const event of events) await wakeWaiting(event, Number.POSITIVE_INFINITY);
  return events.length;
}

/** A poll is one query on an index that is usually empty. */
const pollMs = 1_000;

/** Delivers events that a killed process left; started on first use, in every process. */
export function eventPoller(): Poller {
  return singleton("event-poller", () => new Poller(pollMs, "Events could not be delivered", wakeOnEvents).start());
}
