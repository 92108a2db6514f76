import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { SearchedPage } from "#lib/contract/query.ts";
import type {
  DeliveryStatus,
  NewSubscription,
  ShownSubscription,
  SubscriptionChanges,
} from "#lib/contract/webhooks.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { iso, nowMs, sleep, timeNow } from "#lib/platform/clock.ts";
import { containing } from "#lib/platform/containing.ts";
import { newestFirst, pageOf } from "#lib/platform/database/page.ts";
import { database, query } from "#lib/platform/database.ts";
import { idOfUuid, isId, newId } from "#lib/platform/ids.ts";
import type { Outbound } from "#lib/platform/outbound/outbound.ts";
import { isOutboundError } from "#lib/platform/outbound/outbound-error.ts";
import type { WebhookSubscriptionModel } from "#lib/platform/prisma/models.ts";
import { closeDeliveries, retryDeliveries } from "./settle-delivery.ts";
import { newSecret, sealSecret } from "./sign-delivery.ts";

interface LastRow {
  subscription_id: string;
  id: string;
  event: string;
  status: DeliveryStatus;
  answer_status: number | null;
  last_attempt_at: Date;
}

const lastOfEach = `
  SELECT d.* FROM unnest($1::text[]) AS s(id) CROSS JOIN LATERAL (
    SELECT subscription_id, id, event, status, answer_status, last_attempt_at FROM webhook_delivery
    WHERE subscription_id = s.id AND last_attempt_at IS NOT NULL ORDER BY last_attempt_at DESC LIMIT 1) AS d`;

/** Subscriptions as the API shows them, with their last delivery. */
async function showSubscriptions(rows: readonly WebhookSubscriptionModel[]): Promise<ShownSubscription[]> {
  const found = await query<LastRow & Record<string, unknown>>("last-deliveries", lastOfEach, [
    rows.map((row) => row.id),
  ]);
  const last = new Map(found.map((row) => [row.subscription_id, row]));
  return rows.map((row) => showSubscription(row, last.get(row.id)));
}

function showSubscription(row: WebhookSubscriptionModel, last?: LastRow): ShownSubscription {
  const { id, url, events, active, createdAt, updatedAt } = row;
  const lastDelivery = last && {
    id: idOfUuid("delivery", last.id),
    event: last.event,
    status: last.status,
    statusCode: last.answer_status,
    attemptedAt: iso(last.last_attempt_at),
  };
  return {
    id,
    url,
    events,
    active,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
    lastDelivery: lastDelivery ?? null,
  };
}

/** A subscription of the actor's workspace. Throws NOT_FOUND. */
export async function findSubscription(actor: Actor, id: string): Promise<WebhookSubscriptionModel> {
  if (!isId("subscription", id)) throw notFound("Webhook subscription");
  const row = await database().webhookSubscription.findFirst({ where: { id, workspaceId: actor.workspaceId } });
  if (row === null) throw notFound("Webhook subscription");
  return row;
}

/** Throws NOT_FOUND. */
export async function readSubscription(actor: Actor, id: string): Promise<ShownSubscription> {
  const [shown] = await showSubscriptions([await findSubscription(actor, id)]);
  if (shown === undefined) throw notFound("Webhook subscription");
  return shown;
}

/** A page of the workspace's subscriptions, newest first. */
export async function listSubscriptions(actor: Actor, { search, ...asked }: SearchedPage) {
  const where = { workspaceId: actor.workspaceId, ...(search && { url: containing(search) }) };
  const { webhookSubscription } = database();
  return await pageOf(asked, webhookSubscription.count({ where }), async (part) => {
    const rows = await webhookSubscription.findMany({ where, ...newestFirst, ...part });
    return await showSubscriptions(rows);
  });
}

/** Bounds the delay by a slow name server. Each delivery is checked again. */
const lookupMsMax = 2_000;

/**
 * Throws VALIDATION_ERROR for a URL that deliveries may not reach. A name that does not resolve yet may do so later,
 * and is accepted.
 */
export async function checkReceiver(url: string, outbound: Pick<Outbound, "check">): Promise<void> {
  const refusal = outbound.check(url).then(
    () => null,
    (error: unknown) => error,
  );
  const error = await Promise.race([refusal, sleep(lookupMsMax).then(() => null)]);
  if (error === null || (isOutboundError(error) && error.code === "DNS_FAILED")) return;
  if (!isOutboundError(error)) throw error;
  throw new AppError("VALIDATION_ERROR", "The request body is not valid", { details: { url: error.message } });
}

/** The maximum number per workspace: the statement that starts or ends a run writes a delivery for each. */
const subscriptionsMax = 200;

/** Creates a subscription for events from now on; only this answer contains the secret. Throws VALIDATION_ERROR. */
export async function createSubscription(actor: Actor, given: NewSubscription, outbound: Pick<Outbound, "check">) {
  const { url, events, active } = given;
  await checkReceiver(url, outbound);
  const { workspaceId } = actor;
  const id = newId("subscription");
  const secret = given.secret ?? newSecret();
  const now = timeNow();
  const columns = { id, workspaceId, url, events, active, createdAt: now, updatedAt: now };
  const entry = { action: "webhook.created", id, name: new URL(url).host, after: { events, active } } as const;
  const row = await database().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM workspace WHERE id = ${workspaceId} FOR NO KEY UPDATE`;
    if ((await tx.webhookSubscription.count({ where: { workspaceId } })) >= subscriptionsMax) {
      const details = { url: `a workspace may have at most ${subscriptionsMax} subscriptions: delete one first` };
      throw new AppError("VALIDATION_ERROR", "The request body is not valid", { details });
    }
    const made = await tx.webhookSubscription.create({
      data: { ...columns, ...sealSecret(secret, workspaceId, id) },
    });
    await recordChange(tx, actor, entry);
    return made;
  });
  return { ...showSubscription(row), secret };
}

const batchMax = 1_000;

const remove = `
  DELETE FROM webhook_delivery WHERE id IN (
    SELECT id FROM webhook_delivery WHERE subscription_id = $1 LIMIT ${batchMax}) RETURNING id`;

/** Deletes a subscription; nothing more is sent to it. Throws NOT_FOUND. */
export async function deleteSubscription(actor: Actor, id: string): Promise<null> {
  if (!isId("subscription", id)) throw notFound("Webhook subscription");
  await database().$transaction(async (tx) => {
    const where = { id, workspaceId: actor.workspaceId };
    const found = await tx.webhookSubscription.findFirst({ where });
    const { count } = await tx.webhookSubscription.deleteMany({ where });
    if (found === null || count === 0) throw notFound("Webhook subscription");
    await recordChange(tx, actor, { action: "webhook.deleted", id, name: new URL(found.url).host });
  });
  while ((await query("delete-deliveries", remove, [id])).length === batchMax);
  return null;
}

/**
 * Changes the given fields. Enabling a subscription gives it five new days before failures disable it, as does a new URL,
 * where its pending deliveries are due at once; disabling it fails them. Throws NOT_FOUND, VALIDATION_ERROR.
 */
export async function updateSubscription(
  actor: Actor,
  id: string,
  { url, events, secret, active }: SubscriptionChanges,
  outbound: Pick<Outbound, "check">,
): Promise<ShownSubscription> {
  const before = await findSubscription(actor, id);
  if (url !== undefined) await checkReceiver(url, outbound);
  const isMoved = url !== undefined && url !== before.url;
  const data = {
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events }),
    ...(secret === undefined ? {} : sealSecret(secret, actor.workspaceId, id)),
    ...(active === undefined ? {} : { active }),
    ...(active === true || isMoved ? { failingSince: null } : {}),
    updatedAt: new Date(Math.max(nowMs(), before.updatedAt.getTime() + 1)),
  };
  await database().$transaction(async (tx) => {
    const where = { id, workspaceId: actor.workspaceId };
    const [row] = await tx.webhookSubscription.updateManyAndReturn({ where, data });
    if (row === undefined) throw notFound("Webhook subscription");
    const parts = { before: auditedFields(before), after: { ...auditedFields(row), newSecret: secret !== undefined } };
    await recordChange(tx, actor, { action: "webhook.updated", id, name: new URL(row.url).host, ...parts });
  });
  if (active === false) await closeDeliveries(id, timeNow());
  else if (isMoved) await retryDeliveries(id, timeNow());
  return await readSubscription(actor, id);
}

/** A subscription for the audit log. Only the URL's host: its path may be a capability. */
function auditedFields({
  url,
  events,
  active,
}: {
  readonly url: string;
  readonly events: string[];
  readonly active: boolean;
}) {
  return { host: new URL(url).host, events, active };
}
