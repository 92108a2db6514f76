import type { PresenceEvent } from "#lib/contract/flows/presence.ts";
import { presenceLimits, presenceMs } from "#lib/contract/flows/presence.ts";
import { StateWatch } from "#lib/executions/live/watch-runs.ts";
import { iso } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";

/** Presence as all followers see it. */
export type Presence = Omit<PresenceEvent["data"], "you">;

/**
 * A tab is present while its lease lasts, by the database's clock. A time in the future is from before the clock was
 * set back.
 */
export const isThere = `p.seen_at BETWEEN now() - interval '${presenceMs.lease} ms' AND now() + interval '1 minute'`;

// A published or discarded working copy keeps its row and its revision.
const copyOfFlow = "LEFT JOIN flow_draft d ON d.flow_id = f.id AND d.definition IS NOT NULL";

/** The tabs in a flow `f` of people who are still members. */
const tabsThere = `
  FROM flow_presence p JOIN membership m ON m.user_id = p.user_id AND m.workspace_id = f.workspace_id
  WHERE p.flow_id = f.id AND ${isThere}`;

const readStates = `
  SELECT f.id, concat_ws(' ', f.version, f.updated_at, d.revision,
    (SELECT md5(string_agg(p.user_id || p.tab || coalesce(p.within, '') || p.selection, ' ' ORDER BY p.user_id, p.tab)) ${tabsThere})) AS state
  FROM flow f ${copyOfFlow} WHERE f.id = ANY($1::text[])`;

/** Wakes the followers of a flow's presence. */
export function presenceWatch(): StateWatch {
  return singleton("presence-watch", () => new StateWatch("read-presence-states", readStates));
}

interface PresenceRow {
  readonly id: string;
  readonly version: number;
  readonly updatedAt: Date;
  readonly revision: number;
  readonly count: number;
  /** `{tab, userId, name, selection, within}`, where the last two are JSON text. */
  readonly tabs: readonly { tab: string; userId: string; name: string; selection: string; within: string | null }[];
}

const readRows = `
  SELECT f.id, f.version, f.updated_at AS "updatedAt", coalesce(d.revision, 0) AS revision,
    (SELECT count(*)::int ${tabsThere}) AS count,
    coalesce((SELECT json_agg(json_build_object(
        'tab', t.tab, 'userId', t.user_id, 'name', u.name, 'selection', t.selection, 'within', t.within)
        ORDER BY t.entered_at, t.user_id, t.tab)
      FROM (SELECT p.* ${tabsThere} ORDER BY p.entered_at, p.user_id, p.tab LIMIT ${presenceLimits.listedMax}) t
        JOIN "user" u ON u.id = t.user_id), '[]') AS tabs
  FROM flow f ${copyOfFlow} WHERE f.id = ANY($1::text[])`;

type Presences = ReadonlyMap<string, Presence>;

/** Flows requested within one turn of the event loop, and their presence, read after it. */
interface PendingRead {
  readonly ids: Set<string>;
  readonly presences: Promise<Presences>;
}

/**
 * Who is in a flow, and the state of its content; undefined once it is deleted. Requests in the same turn share one
 * statement, because a change wakes all followers at once. Checks no permissions.
 */
export async function readPresence(flowId: string): Promise<Presence | undefined> {
  const next = singleton("presence-asking", () => ({ pending: null as PendingRead | null }));
  if (next.pending === null) {
    const ids = new Set<string>();
    const begun = new Promise<void>((resolve) => setImmediate(resolve));
    const presences = begun.then(async () => {
      next.pending = null;
      return await readAll([...ids]);
    });
    next.pending = { ids, presences };
  }
  next.pending.ids.add(flowId);
  return (await next.pending.presences).get(flowId);
}

async function readAll(ids: readonly string[]): Promise<Presences> {
  const rows = await query<PresenceRow & Record<string, unknown>>("read-presence", readRows, [ids]);
  return new Map(rows.map((row) => [row.id, presenceOf(row)]));
}

function presenceOf({ version, updatedAt, revision, count, tabs }: PresenceRow): Presence {
  return {
    people: tabs.map(({ selection, within, ...tab }) => ({
      ...tab,
      selection: JSON.parse(selection) as string[],
      within: within === null ? null : (JSON.parse(within) as string),
    })),
    others: Math.max(0, count - tabs.length),
    saved: { version, updatedAt: iso(updatedAt), revision },
  };
}
