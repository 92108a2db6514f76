// Delivers events to the steps that wait for them. An event wakes each run that waits for its key, once: a run takes an
// event once even if several of its steps wait for the same key.

import type { Actor } from "#lib/auth/actor.ts";
import type { NewEvent, ShownEvent } from "#lib/contract/executions/events.ts";
import { inTransaction, query, type RunStatement } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";

/** A step that waits for an event. */
export interface EventWait {
  readonly executionId: string;
  readonly stepId: string;
}

/** The event that woke a step. */
export interface TakenEvent extends Record<string, unknown> {
  readonly resumed_at: Date;
  readonly value: string;
}

// Writes the run's row first, as a call does: this serializes everything that wakes one run, and sees a run being
// suspended in its new state.
const take = `
  WITH open AS (
    UPDATE execution SET wake_at = CASE WHEN wake_at IS NULL THEN NULL ELSE now() END
    WHERE id = $1 AND status IN ('pending', 'running') RETURNING id),
  woken AS (
    UPDATE execution_wait w SET resumed_at = now(), value = e.data FROM open, event e
    WHERE w.execution_id = open.id AND w.step_id = $2 AND e.id = $3 AND w.kind = 'event' AND w.resumed_at IS NULL
      AND (w.until IS NULL OR w.until > clock_timestamp())
    RETURNING w.execution_id, w.resumed_at, w.value),
  noted AS (INSERT INTO event_taken (event_id, execution_id) SELECT $3, execution_id FROM woken),
  gone AS (DELETE FROM event_wait WHERE execution_id = $1 AND step_id = $2)
  SELECT resumed_at, value FROM woken`;

/** Wakes a step with an event; null if it no longer waits. Either way, it stops being listed as waiting. */
export async function takeEvent(
  run: RunStatement,
  { executionId, stepId }: EventWait,
  eventId: string,
): Promise<TakenEvent | null> {
  const [taken] = await run<TakenEvent>("take-event", take, [executionId, stepId, eventId]);
  return taken ?? null;
}

const lock = (mode: "" | "_shared") =>
  `SELECT pg_advisory_xact_lock${mode}(hashtextextended($1, 4019)) IS NULL AS held`;

/**
 * Until the transaction ends, keeps an event with this key from being delivered while a step starts to wait for it, and
 * vice versa: whichever comes second sees the other.
 */
export async function lockKey(run: RunStatement, key: string, by: "waiting" | "telling"): Promise<void> {
  const mode = by === "waiting" ? "_shared" : "";
  await run(`lock-event-key${mode}`, lock(mode), [key]);
}

const find = `
  SELECT e.id FROM execution x JOIN event e ON e.workspace_id = x.workspace_id
  WHERE x.id = $1 AND e.key = $2 AND e.created_at >= x.started_at
    AND NOT EXISTS (SELECT FROM event_taken t WHERE t.event_id = e.id AND t.execution_id = $1)
  ORDER BY e.id LIMIT 1`;

/** An event that came after the run started and before its step waited, if the run has not taken it yet. */
export async function takeEarlierEvent(run: RunStatement, key: string, wait: EventWait): Promise<TakenEvent | null> {
  const [earlier] = await run<{ id: string }>("find-earlier-event", find, [wait.executionId, key]);
  return earlier === undefined ? null : await takeEvent(run, wait, earlier.id);
}

const waiting = `
  SELECT DISTINCT ON (w.execution_id) w.execution_id AS "executionId", w.step_id AS "stepId" FROM event_wait w
  WHERE w.workspace_id = $1 AND w.key = $2
    AND NOT EXISTS (SELECT FROM event_taken t WHERE t.event_id = $3 AND t.execution_id = w.execution_id)
  ORDER BY w.execution_id, w.created_at, w.step_id LIMIT $4`;

/** Steps of different runs that wait for this key, and whose runs have not taken this event. */
export async function stepsWaiting(
  run: RunStatement,
  { workspaceId, key, id }: { readonly workspaceId: string; readonly key: string; readonly id: string },
  limit: number,
): Promise<readonly EventWait[]> {
  return await run<EventWait & Record<string, unknown>>("steps-waiting-for-event", waiting, [
    workspaceId,
    key,
    id,
    limit,
  ]);
}

/** Marks an event as delivered to all steps that waited for it. */
export async function markHandled(eventId: string): Promise<void> {
  await query("mark-event-told", "UPDATE event SET told = true WHERE id = $1 AND NOT told", [eventId]);
}

const insert = `
  INSERT INTO event (id, workspace_id, key, data, created_at) VALUES ($1, $2, $3, $4, now()) RETURNING created_at AS "createdAt"`;

/** Stores an event. With an `Idempotency-Key`, stores it once: a repeated request returns the first one's event. */
export async function publishEvent(actor: Actor, { key, data }: NewEvent): Promise<ShownEvent> {
  const { once, workspaceId } = actor;
  if (once?.made) return once.made as ShownEvent;
  const id = newId("event");
  const values = [id, workspaceId, key, JSON.stringify(data ?? null)];
  const store = async (run: RunStatement): Promise<ShownEvent> => {
    const [row] = await run<{ createdAt: Date }>("publish-event", insert, values);
    return { id, key, createdAt: row?.createdAt.toISOString() ?? "" };
  };
  if (once === undefined) return await store(query);
  return await inTransaction(async (run) => {
    const made = await store(run);
    await once.keep(run, made);
    return made;
  });
}
