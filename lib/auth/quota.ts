import { type Tier, tierQuotas } from "#lib/access.ts";
import { AppError } from "#lib/errors.ts";
import { Batcher } from "#lib/platform/batcher.ts";
import { nowMs, timeNow } from "#lib/platform/clock.ts";
import { isUnavailable, query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";

/** A workspace's hourly quota. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** When the next hour starts, in Unix seconds. */
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
}

interface Counted {
  readonly used: number;
  readonly startedAt: Date;
}

const hourSeconds = 3_600;

// Hours follow the database's clock, so that all processes count the same ones.
const count = `
  INSERT INTO quota_window (workspace_id, started_at, used)
  SELECT id, date_trunc('hour', now()), used FROM unnest($1::text[], $2::int[]) AS w(id, used) ORDER BY id
  ON CONFLICT (workspace_id, started_at) DO UPDATE SET used = quota_window.used + excluded.used
  RETURNING workspace_id, used, started_at`;

const batcher = () =>
  singleton(
    "quota",
    () =>
      new Batcher<string, Counted>({
        handle: countAll,
        itemsMax: 500,
        batchesMax: 1,
        tryAlone: (error) => !isUnavailable(error),
      }),
  );

/** Counts one request by a workspace's key, exactly, however many processes count at once. */
export async function countRequest(workspaceId: string, tier: Tier): Promise<Quota> {
  const { used, startedAt } = await batcher().add(workspaceId);
  const limit = tierQuotas[tier];
  return {
    limit,
    remaining: Math.max(0, limit - used),
    resetSeconds: Math.floor(startedAt.getTime() / 1_000) + hourSeconds,
    isExceeded: used > limit,
  };
}

const readHour = `
  SELECT h.at + interval '1 hour' AS reset_at, coalesce(w.used, 0) AS used
  FROM date_trunc('hour', now()) AS h(at) LEFT JOIN quota_window w ON w.workspace_id = $1 AND w.started_at = h.at`;

/** A workspace's count for the current hour, without adding to it. */
export async function readQuota(workspaceId: string): Promise<{ readonly used: number; readonly resetAt: Date }> {
  const [row] = await query<{ used: number; reset_at: Date }>("read-quota", readHour, [workspaceId]);
  return { used: row?.used ?? 0, resetAt: row?.reset_at ?? timeNow() };
}

/** The three headers of every answer to a key. */
export function quotaHeaders({ limit, remaining, resetSeconds }: Quota): Record<string, string> {
  return {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String(resetSeconds),
  };
}

/** Throws RATE_LIMIT_EXCEEDED (`details.retryAfter`, seconds) if the hour's requests are used up. */
export function requireQuota({ isExceeded, resetSeconds }: Quota): void {
  if (!isExceeded) return;
  const retryAfter = Math.max(1, Math.ceil(resetSeconds - nowMs() / 1_000));
  throw new AppError("RATE_LIMIT_EXCEEDED", `Too many requests; retry after ${retryAfter} seconds`, {
    details: { retryAfter },
    retryAfterSeconds: retryAfter,
  });
}

/** Requests counted in one statement each get their own number. */
async function countAll(workspaceIds: readonly string[]): Promise<Counted[]> {
  const counts = new Map<string, number>();
  for (const id of workspaceIds) counts.set(id, (counts.get(id) ?? 0) + 1);
  const rows = await query<{ workspace_id: string; used: number; started_at: Date }>("count-requests", count, [
    [...counts.keys()],
    [...counts.values()],
  ]);
  const next = new Map(rows.map((row) => [row.workspace_id, row.used - (counts.get(row.workspace_id) ?? 0)]));
  const startedAt = new Map(rows.map((row) => [row.workspace_id, row.started_at]));
  return workspaceIds.map((id) => {
    const used = (next.get(id) ?? 0) + 1;
    next.set(id, used);
    return { used, startedAt: startedAt.get(id) ?? timeNow() };
  });
}
