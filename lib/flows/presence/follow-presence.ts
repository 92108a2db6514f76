import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { type PresenceEvent, presenceLimits, presenceMs } from "#lib/contract/flows/presence.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { ChangeSignal, takeStreamSlot } from "#lib/executions/live/change-signal.ts";
import { sleep } from "#lib/platform/clock.ts";
import { database, isUnavailable, query } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import { isThere, type Presence, presenceWatch, readPresence } from "./read-presence.ts";

/** Changes within this time are sent together: selections change faster than people can follow. */
const gatherMs = 200;
const awayMs = 1_000;
const retryAfter = 1;

// Limits how often a tab's row is written. Also removes the person's stale rows: expired leases, and tabs beyond the
// latest. Skips rows that another of their tabs is writing.
const enter = `
  WITH f AS (SELECT id FROM flow WHERE id = $1 AND workspace_id = $2),
  put AS (
    INSERT INTO flow_presence AS p (user_id, tab, flow_id, selection, within, entered_at, seen_at)
    SELECT $3, $4, f.id, $5, $6, now(), now() FROM f
    ON CONFLICT (user_id, tab) DO UPDATE SET flow_id = excluded.flow_id, selection = excluded.selection,
      within = excluded.within, seen_at = excluded.seen_at,
      entered_at = CASE WHEN p.flow_id = excluded.flow_id AND ${isThere} THEN p.entered_at ELSE excluded.entered_at END
      WHERE p.seen_at NOT BETWEEN now() - interval '${presenceMs.apart} ms' AND now() + interval '1 minute'
    RETURNING p.tab),
  gone AS (
    DELETE FROM flow_presence WHERE user_id = $3 AND tab IN (
      SELECT p.tab FROM flow_presence p WHERE p.user_id = $3 AND p.tab <> $4 AND (NOT (${isThere}) OR p.tab IN (
        SELECT o.tab FROM flow_presence o WHERE o.user_id = $3 AND o.tab <> $4
        ORDER BY o.seen_at DESC OFFSET ${presenceLimits.tabsOfPersonMax - 1}))
      FOR UPDATE SKIP LOCKED)
    RETURNING flow_id)
  SELECT (SELECT count(*)::int FROM f) AS flows, (SELECT count(*)::int FROM put) AS put`;

interface Tab {
  readonly tab: string;
  /** Ids, within the contract's limits. */
  readonly selection: readonly string[];
  /** The loop whose body is open. */
  readonly within?: string | null | undefined;
}

/**
 * Renews the lease of a person's tab in a flow, and announces its level and selection. Throws FORBIDDEN for an API key,
 * NOT_FOUND, and RATE_LIMIT_EXCEEDED if the tab's last request was too recent.
 */
export async function enterFlow(actor: Actor, id: string, { tab, selection, within = null }: Tab): Promise<null> {
  const user = requireUser(actor);
  if (!isId("flow", id)) throw notFound("Flow");
  // As JSON: an id may hold what PostgreSQL's text cannot.
  const open = within === null ? null : JSON.stringify(within);
  const values = [id, actor.workspaceId, user.id, tab, JSON.stringify(selection), open];
  const [row] = await query<{ flows: number; put: number }>("enter-flow", enter, values);
  if (row === undefined || row.flows === 0) throw notFound("Flow");
  if (row.put === 0) {
    throw new AppError("RATE_LIMIT_EXCEEDED", `A tab can send at most one request every ${presenceMs.apart} ms`, {
      details: { retryAfter },
      retryAfterSeconds: retryAfter,
    });
  }
  presenceWatch().changed([id]);
  return null;
}

const leave = `
  WITH f AS (SELECT id FROM flow WHERE id = $1 AND workspace_id = $2),
  gone AS (DELETE FROM flow_presence USING f
    WHERE flow_id = f.id AND user_id = $3 AND ($4::text IS NULL OR tab = $4) RETURNING tab)
  SELECT count(*)::int AS flows FROM f`;

/**
 * Ends the lease of a person's tab in a flow, or of all their tabs in it. Throws FORBIDDEN for an API key, and
 * NOT_FOUND.
 */
export async function leaveFlow(actor: Actor, id: string, tab: string | undefined): Promise<null> {
  const user = requireUser(actor);
  if (!isId("flow", id)) throw notFound("Flow");
  const values = [id, actor.workspaceId, user.id, tab ?? null];
  const [row] = await query<{ flows: number }>("leave-flow", leave, values);
  if (row === undefined || row.flows === 0) throw notFound("Flow");
  presenceWatch().changed([id]);
  return null;
}

/**
 * Streams who is in a flow: first the current state, then each change. Ends when `signal` is aborted, when the flow is
 * deleted, and when this process shuts down. Throws FORBIDDEN for an API key, NOT_FOUND, and RATE_LIMIT_EXCEEDED if the
 * workspace follows too many flows on this process.
 */
export async function* followPresence(
  actor: Actor,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<PresenceEvent, void, undefined> {
  const { id: you } = requireUser(actor);
  if (!isId("flow", id)) throw notFound("Flow");
  const release = takeStreamSlot(actor.workspaceId, "flows", presenceLimits.streamsMax);
  const watch = presenceWatch();
  const changes = new ChangeSignal(id, signal, { watch, gatherMs });
  try {
    const row = await database().flow.findFirst({
      where: { id, workspaceId: actor.workspaceId },
      select: { id: true },
    });
    if (row === null) throw notFound("Flow");
    let lastSent = "";
    for (let event = 0; !signal.aborted && !watch.isClosed; ) {
      const nextChange = changes.nextChange();
      const data = await readIfThere(id, event > 0);
      if (data === undefined) return;
      const text = JSON.stringify(data);
      if (data !== "away" && text !== lastSent) {
        lastSent = text;
        event += 1;
        yield { id: event, event: "presence", data: { you, ...data } };
      }
      if (data !== "away") await nextChange();
    }
  } finally {
    changes.close();
    release();
  }
}

/** Once started, a stream survives a short outage of the database. */
async function readIfThere(id: string, hasBegun: boolean): Promise<Presence | "away" | undefined> {
  try {
    return await readPresence(id);
  } catch (error) {
    if (!hasBegun || !isUnavailable(error)) throw error;
    await sleep(awayMs);
    return "away";
  }
}
