import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { checkFlow as checkFlowEndpoint, FlowAdvice } from "#lib/contract/flows/checks.ts";
import { findGraphProblems } from "#lib/engine/graph.ts";
import { findUnknownSettings, nodeDefinition, nodeTypes } from "#lib/nodes/registry.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { nextTurn } from "#lib/platform/turns.ts";
import { adviceOnFlow } from "./advice/advice.ts";
import { referencesOf } from "./advice/references.ts";
import { findFlowProblems, toldProblems } from "./flow-problems.ts";
import { hasTooManyExpressions, type PlannedNode, planNodes } from "./plan-nodes.ts";

/** What is likely to be wrong with a flow that may be stored and active all the same. */
export function adviceOn(nodes: readonly PlannedNode[]): FlowAdvice[] {
  const loopsOf = new Map(nodes.map(({ node, loops }) => [node.id, loops]));
  const enabled = nodes.filter(({ isDisabled }) => !isDisabled);
  return enabled.flatMap((planned) => [
    ...unknownNodes(planned, loopsOf),
    ...settingsUnknown(planned),
    ...adviceOfType(planned),
  ]);
}

const namesToldMax = 10;

/** Settings that are stored and do nothing: most often another name was meant. */
function settingsUnknown({ node, path: config }: PlannedNode): FlowAdvice[] {
  return findUnknownSettings(node.type, node.config).map(({ path, nearest, known }) => {
    const names = known.slice(0, namesToldMax).join(", ");
    const meant = nearest === null ? `known here are ${names}` : `did you mean ${nearest}?`;
    return {
      code: "UNKNOWN_SETTING",
      severity: "warning",
      nodeId: node.id,
      path: path.startsWith("[") ? `${config}${path}` : `${config}.${path}`,
      message: `is no setting of this node and does nothing; ${meant}`,
      fix: null,
    };
  });
}

/** What the node's own type has to say of its config. */
function adviceOfType({ node, path }: PlannedNode): FlowAdvice[] {
  const own = nodeDefinition(node.type)?.advice?.(node.config) ?? [];
  return own.map(({ code, path: at, message }) => ({
    code,
    severity: "warning",
    nodeId: node.id,
    path: `${path}.${at}`,
    message,
    fix: null,
  }));
}

/** References to nodes whose output the expression can never see. */
function unknownNodes(
  { node, path, plan, canRead, loops }: PlannedNode,
  loopsOf: ReadonlyMap<string, readonly string[]>,
): FlowAdvice[] {
  const read = new Map<string, Set<string>>();
  for (const { slot, expression } of [...plan.code, ...plan.expressions]) {
    for (const id of expression.nodeIds ?? []) {
      if (!canRead(id)) read.set(slot.path, (read.get(slot.path) ?? new Set()).add(id));
    }
  }
  return [...read].flatMap(([at, ids]) =>
    [...ids].map(
      (id): FlowAdvice => ({
        code: "UNKNOWN_NODE",
        severity: "error",
        nodeId: node.id,
        path: at.startsWith("[") ? `${path}${at}` : `${path}.${at}`,
        message: `reads "${id}", ${whyUnknown(loopsOf.get(id), loops)}`,
        fix: null,
      }),
    ),
  );
}

/** `there`, `here`: the loops around the node that is read, and around the one that reads. */
function whyUnknown(there: readonly string[] | undefined, here: readonly string[]): string {
  if (there === undefined) return "which is no node of this flow";
  const isAround = there.every((loop, depth) => here[depth] === loop);
  return isAround ? "which does not run before this node" : "which is in a loop: only nodes of that loop can read it";
}

type Body = z.output<(typeof checkFlowEndpoint)["body"]>;

/** One answer gives so much advice: each is made, checked and written. */
const adviceMax = 1_000;

/** Advice on a flow as a whole; none on a graph that could not be stored. */
async function adviceOnBuild(actor: Actor, { flowId, trigger, nodes, edges }: Body, planned: readonly PlannedNode[]) {
  if (findGraphProblems(nodes, edges, nodeTypes).length > 0) return [];
  const references = await referencesOf(actor.workspaceId, planned);
  const around = { references, ownId: flowId ?? null, callerWaitsMs: env().syncWaitMs };
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
