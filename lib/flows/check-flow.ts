import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { checkFlow as checkFlowEndpoint } from "#lib/contract/flows/checks.ts";
import { findGraphProblems } from "#lib/engine/graph.ts";
import { nodeTypes } from "#lib/nodes/registry.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { nextTurn } from "#lib/platform/turns.ts";
import { adviceOnFlow } from "./advice/advice.ts";
import { referencesOf } from "./advice/find-references.ts";
import { noLearned } from "./advice/learned-types.ts";
import { adviceOn } from "./advice/node-advice.ts";
import { findFlowProblems, toldProblems } from "./flow-problems.ts";
import { typesFor } from "./learned-types/types-still-true.ts";
import { hasTooManyExpressions, type PlannedNode, planNodes } from "./plan-nodes.ts";

type Body = z.output<(typeof checkFlowEndpoint)["body"]>;

/** One answer gives so much advice: each is made, checked and written. */
const adviceMax = 1_000;

/** Advice on a flow as a whole; none on a graph that could not be stored. */
async function adviceOnBuild(actor: Actor, { flowId, trigger, nodes, edges }: Body, planned: readonly PlannedNode[]) {
  if (findGraphProblems(nodes, edges, nodeTypes).length > 0) return [];
  const types = flowId == null ? noLearned : await typesFor(actor, flowId, { trigger, nodes, edges });
  const references = await referencesOf(actor.workspaceId, planned);
  const around = { references, ownId: flowId ?? null, callerWaitsMs: env().syncWaitMs, types };
  return await adviceOnFlow({ trigger, nodes, edges }, planned, around);
}

/** Every reason why such a flow could not be active, an empty list when it could; and advice on what may be wrong. */
export async function checkFlow(actor: Actor, body: Body) {
  const planned = await planNodes(actor.workspaceId, body);
  const problems = await findFlowProblems(database(), actor.workspaceId, { ...body, variables: {} }, planned);
  await nextTurn();
  const advice = hasTooManyExpressions(planned)
    ? []
    : [...adviceOn(planned), ...(await adviceOnBuild(actor, body, planned))];
  return { problems: [...toldProblems(problems)], advice: advice.slice(0, adviceMax) };
}
