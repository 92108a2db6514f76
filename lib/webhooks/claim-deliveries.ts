import { database, query } from "#lib/platform/database.ts";
import { Prisma } from "#lib/platform/prisma/client.ts";

/** Concurrent attempts per subscription, all from one process at a time. */
export const attemptsPerSubscriptionMax = 2;

/** Deliveries claimed ahead for a healthy receiver, so that not every delivery costs a claim. */
const claimedPerSubscriptionMax = 20;

/**
 * Claims held at once by a process, and how many of them by one workspace: of failing subscriptions, and of the others.
 * A workspace whose receivers hang leaves room for others.
 */
export const claimsMax = { steady: 400, failing: 200 } as const;
const ofWorkspaceMax = { steady: claimsMax.steady / 4, failing: claimsMax.failing / 4 } as const;

/** How long a claim lasts without renewal: a dead process loses its deliveries after this. */
export const leaseMs = 5_000;

/** A delivery that this process may attempt while it renews the claim. Without its body, which may be megabytes. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly subscriptionId: string;
  readonly workspaceId: string;
  readonly executionId: string | null;
  readonly event: string;
  readonly bodyBytes: number;
  readonly failures: number;
  /** The claim that may record the result. */
  readonly fence: number;
}

/** A claimed delivery with what its attempt sends. */
export interface OpenedDelivery extends ClaimedDelivery {
  readonly url: string;
  readonly secret: Uint8Array;
  readonly keyVersion: number;
  readonly body: string;
}

/** SQL for the body of a row of `webhook_delivery`, which may share it with the event's other deliveries. */
export const bodyOf = (delivery: string) =>
  `coalesce((SELECT b.body FROM webhook_body b WHERE b.id = ${delivery}.body_id), ${delivery}.body)`;

/** Claims are serialized, so that each sees what earlier ones took. */
const claimLock = 72_707_370n;

// Goes from one subscription to the next in an index, so that neither a long log nor a long queue slows it down.
const subscriptionsWithPending = `
  waiting(id) AS (
    (SELECT subscription_id FROM webhook_delivery WHERE status = 'pending' ORDER BY subscription_id LIMIT 1)
    UNION ALL
    SELECT (SELECT subscription_id FROM webhook_delivery WHERE status = 'pending' AND subscription_id > w.id
            ORDER BY subscription_id LIMIT 1)
    FROM waiting w WHERE w.id IS NOT NULL)`;

const firstOfEach = `waiting w
  JOIN webhook_subscription s ON s.id = w.id AND s.active
  CROSS JOIN LATERAL (
    SELECT next_attempt_at FROM webhook_delivery WHERE subscription_id = s.id AND status = 'pending'
    ORDER BY next_attempt_at LIMIT 1) AS first`;

const isDue = (kind: string) => `EXISTS (SELECT FROM ${firstOfEach} WHERE ${kind} AND first.next_attempt_at <= now())`;
const due = `
  WITH RECURSIVE ${subscriptionsWithPending}
  SELECT ${isDue("s.failing_since IS NULL")} AS steady, ${isDue("s.failing_since IS NOT NULL")} AS failing`;

/** Whether deliveries are due: of failing subscriptions, and of the others. */
export async function findDue(): Promise<{ readonly steady: boolean; readonly failing: boolean }> {
  const [row] = await query<{ steady: boolean; failing: boolean }>("due-deliveries", due, []);
  return row ?? { steady: false, failing: false };
}

const nextDue = `
  WITH RECURSIVE ${subscriptionsWithPending}
  SELECT (extract(epoch FROM min(first.next_attempt_at) - now()) * 1000)::float8 AS ms FROM ${firstOfEach}`;

/** How soon to check again for a due delivery that waits for another one, or has just become due. */
const againMs = 250;

/** Milliseconds until the next delivery has to be checked; null if none is pending. */
export async function nextDeliveryMs(): Promise<number | null> {
  const [row] = await query<{ ms: number | null }>("next-delivery", nextDue, []);
  return row?.ms == null ? null : Math.max(againMs, row.ms);
}

/**
 * Claims up to `limit` due deliveries, either of failing subscriptions or of the others. Workspaces take turns, and so do
 * a workspace's subscriptions, whatever each has claimed already; within one, the most overdue comes first. A run's
 * event waits until its earlier one is delivered or has failed. `now`: for tests; the default is the database's.
 */
export async function claimDeliveries(
  owner: string,
  limit: number,
  failing: boolean,
  now: Date | null = null,
): Promise<ClaimedDelivery[]> {
  const time = now?.toISOString() ?? null;
  const ahead = failing ? attemptsPerSubscriptionMax : claimedPerSubscriptionMax;
  const ofWorkspace = failing ? ofWorkspaceMax.failing : ofWorkspaceMax.steady;
  const rows = await database().$transaction(async (tx) => {
    // Servers that do not say that they read shared bodies get a copy with each claim: see the migration `event_bodies`.
    await tx.$executeRaw`
      SELECT pg_advisory_xact_lock(${claimLock}::bigint), set_config('millrace.reads_shared_bodies', 'on', true)`;
    return await tx.$queryRaw<(ClaimedDelivery & { sequence: bigint })[]>`
      WITH RECURSIVE ${Prisma.raw(subscriptionsWithPending)},
      room AS (
        SELECT s.id, s.workspace_id, held.elsewhere, held.count,
          sum(CASE WHEN held.elsewhere THEN 0 ELSE held.count END) OVER (PARTITION BY s.workspace_id) AS of_workspace
        FROM waiting w
        JOIN webhook_subscription s ON s.id = w.id AND s.active
          AND (s.failing_since IS NOT NULL) = ${failing}::boolean
        CROSS JOIN LATERAL (
          SELECT count(*), coalesce(bool_or(d.lease_owner <> ${owner}), false) AS elsewhere FROM webhook_delivery d
          WHERE d.subscription_id = s.id AND d.status = 'pending' AND d.lease_until IS NOT NULL
            AND d.lease_until > coalesce(${time}::timestamptz, now())) AS held),
      due AS (
        SELECT d.id, d.next_attempt_at, r.workspace_id, r.of_workspace,
          r.count + row_number() OVER (PARTITION BY r.id ORDER BY d.next_attempt_at, d.sequence) AS place
        FROM room r CROSS JOIN LATERAL (
          SELECT d.id, d.next_attempt_at, d.sequence FROM webhook_delivery d
          WHERE d.subscription_id = r.id AND d.status = 'pending' AND d.next_attempt_at <= coalesce(${time}::timestamptz, now())
            AND (d.lease_until IS NULL OR d.lease_until <= coalesce(${time}::timestamptz, now()))
            AND NOT EXISTS (
              SELECT FROM webhook_delivery e WHERE e.execution_id = d.execution_id
                AND e.subscription_id = d.subscription_id AND e.status = 'pending' AND e.sequence < d.sequence)
          ORDER BY d.next_attempt_at, d.sequence
          LIMIT greatest(0, least(${ahead}::int - r.count, ${ofWorkspace}::int - r.of_workspace))) AS d
        WHERE NOT r.elsewhere AND r.count <= ${ahead}::int / 2 AND r.of_workspace < ${ofWorkspace}::int),
      turns AS (
        SELECT id, next_attempt_at,
          of_workspace + row_number() OVER (PARTITION BY workspace_id ORDER BY place, next_attempt_at) AS place
        FROM due),
      picked AS MATERIALIZED (
        SELECT d.id FROM turns t JOIN webhook_delivery d ON d.id = t.id
        WHERE t.place <= ${ofWorkspace}::int AND d.status = 'pending'
          AND (d.lease_until IS NULL OR d.lease_until <= coalesce(${time}::timestamptz, now()))
        ORDER BY t.place, t.next_attempt_at LIMIT ${limit}::int FOR UPDATE OF d SKIP LOCKED)
      UPDATE webhook_delivery d SET fence = d.fence + 1, lease_owner = ${owner}, lease_until = coalesce(${time}::timestamptz, now()) + ${leaseMs} * interval '1 millisecond'
      FROM picked p, webhook_subscription s WHERE d.id = p.id AND s.id = d.subscription_id
      RETURNING d.id::text, d.subscription_id AS "subscriptionId", s.workspace_id AS "workspaceId",
        d.execution_id AS "executionId", d.event, octet_length(${Prisma.raw(bodyOf("d"))}) AS "bodyBytes", d.failures, d.fence, d.sequence`;
  });
  return rows.sort((a, b) => Number(a.sequence - b.sequence));
}

const renew = `
  UPDATE webhook_delivery d SET lease_until = now() + ${leaseMs} * interval '1 millisecond'
  FROM unnest($1::uuid[], $2::int[]) AS c(id, fence)
  WHERE d.id = c.id AND d.fence = c.fence AND d.status = 'pending' AND d.lease_until > now()`;

/** Renews this process's claims. An expired claim is not renewed: another process may have it. */
export async function renewClaims(claimed: readonly Pick<ClaimedDelivery, "id" | "fence">[]): Promise<void> {
  await query("renew-claims", renew, [claimed.map(({ id }) => id), claimed.map(({ fence }) => fence)]);
}

const open = `
  SELECT s.url, s.secret, s.key_version AS "keyVersion", ${bodyOf("d")} AS body
  FROM webhook_delivery d JOIN webhook_subscription s ON s.id = d.subscription_id
  WHERE d.id = $1 AND d.fence = $2 AND d.status = 'pending' AND s.active AND d.lease_until > now()`;

/**
 * What to send, as the subscription is now; null if it was disabled or deleted since the claim, or if the claim was lost.
 */
export async function openDelivery(claimed: ClaimedDelivery): Promise<OpenedDelivery | null> {
  type Opened = Pick<OpenedDelivery, "url" | "secret" | "keyVersion" | "body">;
  const [row] = await query<Opened & Record<string, unknown>>("open-delivery", open, [claimed.id, claimed.fence]);
  return row === undefined ? null : { ...claimed, ...row };
}
