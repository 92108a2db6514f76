import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { checkFlow as checkFlowEndpoint } from "#lib/contract/flow-check.ts";
import { database } from "#lib/platform/database.ts";
import { adviceOn } from "./flow-advice.ts";
import { findFlowProblems } from "./flow-problems.ts";
import { planNodes } from "./plan-nodes.ts";

type Body = z.output<(typeof checkFlowEndpoint)["body"]>;

/** Every reason why such a flow could not be active, an empty list when it could; and advice on what may be wrong. */
export async function checkFlow(actor: Actor, body: Body) {
  const planned = await planNodes(actor.workspaceId, body);
  const problems = await findFlowProblems(database(), actor.workspaceId, { ...body, variables: {} }, planned);
  return { problems, advice: adviceOn(planned) };
}
