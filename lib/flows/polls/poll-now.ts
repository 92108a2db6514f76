import type { Actor } from "#lib/auth/actor.ts";
import { AppError } from "#lib/errors.ts";
import { findFlow } from "#lib/flows/show-flow.ts";
import { database } from "#lib/platform/database.ts";
import { pollState } from "./stored-poll.ts";

/** Makes an active flow poll now instead of when it is due. Throws NOT_FOUND, CONFLICT. */
export async function pollNow(actor: Actor, flowId: string) {
  await findFlow(actor, flowId);
  await database()
    .$executeRaw`UPDATE flow_poll SET next_at = least(next_at, date_trunc('milliseconds', now())) WHERE flow_id = ${flowId}`;
  const state = await pollState(flowId);
  if (state === null) throw new AppError("CONFLICT", "The flow is not active, or its trigger does not poll");
  return state;
}
