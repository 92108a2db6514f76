import { database, query } from "#lib/platform/database.ts";
import { Prisma } from "#lib/platform/prisma/client.ts";

/** Concurrent attempts per subscription, all from one process at a time. */
export const attemptsPerSubscriptionMax = 2;

/** Deliveries claimed ahead for a healthy receiver, so that not every delivery costs a claim. */
const claimedPerSubscriptionMax = 20;

/** How long a claim lasts without renewal: a dead process loses its deliveries after this. */
export const leaseMs = 5_000;

/** A delivery that this process may attempt while it renews the claim. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly subscriptionId: string;
  readonly workspaceId: string;
  readonly url: string;
  readonly secret: Uint8Array;
  readonly keyVersion: number;
  readonly executionId: string | null;
  readonly event: string;
  readonly body: string;
  readonly failures: number;
  /** The claim that may record the result. */
  readonly fence: number;
}

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
 * Claims up to `limit` due deliveries, most overdue first: either of failing subscriptions or of the others. A run's
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
  const rows = await database().$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${claimLock}::bigint)`;
    return await tx.$queryRaw<(ClaimedDelivery & { sequence: bigint })[]>`
      WITH RECURSIVE ${Prisma.raw(subscriptionsWithPending)},
      room AS (
        SELECT s.id, s.workspace_id, s.url, s.secret, s.key_version, CASE WHEN held.elsewhere OR held.count > ${ahead}::int / 2 THEN 0 ELSE ${ahead}::int - held.count END AS places
        FROM waiting w
        JOIN webhook_subscription s ON s.id = w.id AND s.active
          AND (s.failing_since IS NOT NULL) = ${failing}::boolean
        CROSS JOIN LATERAL (
          SELECT count(*), coalesce(bool_or(d.lease_owner <> ${owner}), false) AS elsewhere FROM webhook_delivery d
          WHERE d.subscription_id = s.id AND d.status = 'pending' AND d.lease_until IS NOT NULL
            AND d.lease_until > coalesce(${time}::timestamptz, now())) AS held),
      picked AS MATERIALIZED (
        SELECT d.id, r.workspace_id, r.url, r.secret, r.key_version FROM room r CROSS JOIN LATERAL (
          SELECT d.id, d.next_attempt_at FROM webhook_delivery d
          WHERE d.subscription_id = r.id AND d.status = 'pending' AND d.next_attempt_at <= coalesce(${time}::timestamptz, now())
            AND (d.lease_until IS NULL OR d.lease_until <= coalesce(${time}::timestamptz, now()))
            AND NOT EXISTS (
              SELECT FROM webhook_delivery e WHERE e.execution_id = d.execution_id
                AND e.subscription_id = d.subscription_id AND e.status = 'pending' AND e.sequence < d.sequence)
          ORDER BY d.next_attempt_at, d.sequence LIMIT r.places FOR UPDATE OF d SKIP LOCKED) AS d
        ORDER BY d.next_attempt_at LIMIT ${limit}::int)
      UPDATE webhook_delivery d SET fence = d.fence + 1, lease_owner = ${owner}, lease_until = coalesce(${time}::timestamptz, now()) + ${leaseMs} * interval '1 millisecond'
      FROM picked p WHERE d.id = p.id
      RETURNING d.id::text, d.subscription_id AS "subscriptionId", p.workspace_id AS "workspaceId", p.url, p.secret,
        p.key_version AS "keyVersion",
        d.execution_id AS "executionId", d.event, d.body, d.failures, d.fence,
        d.sequence`;
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

const holds = `
  SELECT 1 AS held FROM webhook_delivery d JOIN webhook_subscription s ON s.id = d.subscription_id
  WHERE d.id = $1 AND d.fence = $2 AND d.status = 'pending' AND s.active AND s.url = $3
    AND d.lease_until > now()`;

/** False if the subscription was changed, disabled or deleted since the claim, or the claim was lost. */
export async function holdsClaim({ id, fence, url }: ClaimedDelivery): Promise<boolean> {
  return (await query("holds-claim", holds, [id, fence, url])).length > 0;
}
