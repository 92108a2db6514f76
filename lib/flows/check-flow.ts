import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { checkFlow as checkFlowEndpoint } from "#lib/contract/flow-check.ts";
import { database } from "#lib/platform/database.ts";
import { findFlowProblems } from "./flow-problems.ts";

type Body = z.output<(typeof checkFlowEndpoint)["body"]>;

/** Every reason why such a flow could not be active; an empty list when it could. */
export async function checkFlow(actor: Actor, body: Body) {
  return { problems: await findFlowProblems(database(), actor.workspaceId, { ...body, variables: {} }) };
}
