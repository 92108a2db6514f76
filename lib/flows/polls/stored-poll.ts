import type { Actor } from "#lib/auth/actor.ts";
import { AppError } from "#lib/errors.ts";
import { findFlow } from "#lib/flows/show-flow.ts";
import { iso } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import type { Prisma, PrismaClient } from "#lib/platform/prisma/client.ts";
import { hashesOf, type Poll } from "./poll-trigger.ts";

/** The database, or a transaction in it. */
type Writer = Pick<PrismaClient, "$executeRaw">;

/**
 * Stores what the flow polls, in the transaction that changes it. Seen items are kept as long as the source is the
 * same; a poll in progress with another config ends without effect.
 */
export function storePoll(
  writer: Writer,
  workspaceId: string,
  flowId: string,
  poll: Poll,
): Prisma.PrismaPromise<number> {
  const { config, source } = hashesOf(poll);
  return writer.$executeRaw`
    WITH forgotten AS (
      DELETE FROM polled_item i USING flow_poll p
      WHERE p.flow_id = ${flowId} AND i.flow_id = p.flow_id AND p.source <> ${source})
    INSERT INTO flow_poll AS p (flow_id, workspace_id, config, source, is_begun, next_at)
    VALUES (${flowId}, ${workspaceId}, ${config}, ${source}, ${!poll.fromNow}, date_trunc('milliseconds', now()))
    ON CONFLICT (flow_id) DO UPDATE SET config = excluded.config, source = excluded.source,
      is_begun = CASE WHEN p.source = excluded.source THEN p.is_begun ELSE excluded.is_begun END,
      validators = CASE WHEN p.source = excluded.source THEN p.validators END, failures = 0, error = NULL, next_at = excluded.next_at, fence = p.fence + 1, lease_until = NULL
    WHERE p.config <> excluded.config`;
}

/** Stops the flow's polling and deletes what it has seen. */
export async function dropPoll(writer: Writer, flowId: string): Promise<void> {
  await writer.$executeRaw`DELETE FROM flow_poll WHERE flow_id = ${flowId}`;
}

/** The state of a flow's polling; null if it does not poll. */
export async function pollState(flowId: string) {
  const row = await database().flowPoll.findUnique({ where: { flowId } });
  if (row === null) return null;
  const { polledAt, nextAt, items, failures, error } = row;
  return { polledAt: polledAt === null ? null : iso(polledAt), nextAt: iso(nextAt), items, failures, error };
}

/** Makes an active flow's poll due now. Throws NOT_FOUND, CONFLICT. */
export async function pollNow(actor: Actor, flowId: string) {
  await findFlow(actor, flowId);
  await database()
    .$executeRaw`UPDATE flow_poll SET next_at = least(next_at, date_trunc('milliseconds', now())) WHERE flow_id = ${flowId}`;
  const state = await pollState(flowId);
  if (state === null) throw new AppError("CONFLICT", "The flow is not active, or its trigger does not poll");
  return state;
}
