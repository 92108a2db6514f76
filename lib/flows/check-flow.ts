import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { checkFlow as checkFlowEndpoint, FlowAdvice } from "#lib/contract/flows/checks.ts";
import { whyHeaderRefused } from "#lib/engine/answer-headers.ts";
import { formatPath, isJsonObject } from "#lib/engine/json.ts";
import { mapNamesMax } from "#lib/nodes/config-fields.ts";
import { findUnknownSettings } from "#lib/nodes/registry.ts";
import { database } from "#lib/platform/database.ts";
import { nextTurn } from "#lib/platform/turns.ts";
import { findFlowProblems, toldProblems } from "./flow-problems.ts";
import { hasTooManyExpressions, type PlannedNode, planNodes } from "./plan-nodes.ts";

/** What is likely to be wrong with a flow that may be stored and active all the same. */
export function adviceOn(nodes: readonly PlannedNode[]): FlowAdvice[] {
  const loopsOf = new Map(nodes.map(({ node, loops }) => [node.id, loops]));
  return nodes.flatMap((planned) => [
    ...unknownNodes(planned, loopsOf),
    ...settingsUnknown(planned),
    ...headersRefused(planned),
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

const headersToldMax = 20;

/** Headers that the answer of a `respond` node goes without. */
function headersRefused({ node, path }: PlannedNode): FlowAdvice[] {
  const { headers, status = 200 } = node.config;
  if (node.type !== "respond" || !isJsonObject(headers)) return [];
  const few = Object.entries(headers).slice(0, mapNamesMax);
  const told = few.flatMap(([name, value]): FlowAdvice[] => {
    const why = whyHeaderRefused(name, String(value), typeof status === "number" ? status : null);
    if (why === null) return [];
    const at = formatPath(["headers", name]);
    return [
      {
        code: "REFUSED_HEADER",
        severity: "warning",
        nodeId: node.id,
        path: `${path}.${at}`,
        message: `${why}: the answer goes without it`,
        fix: null,
      },
    ];
  });
  return told.slice(0, headersToldMax);
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

/** Every reason why such a flow could not be active, an empty list when it could; and advice on what may be wrong. */
export async function checkFlow(actor: Actor, body: Body) {
  const planned = await planNodes(actor.workspaceId, body);
  const problems = await findFlowProblems(database(), actor.workspaceId, { ...body, variables: {} }, planned);
  await nextTurn();
  const advice = hasTooManyExpressions(planned) ? [] : adviceOn(planned).slice(0, adviceMax);
  return { problems: [...toldProblems(problems)], advice };
}
