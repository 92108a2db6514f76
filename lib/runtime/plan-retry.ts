import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { retryPlan } from "#lib/contract/executions.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { loadVersion } from "#lib/executions/compiled-version.ts";
import { findExecution } from "#lib/executions/find-execution.ts";
import { database } from "#lib/platform/database.ts";
import { nodesToKeep } from "./nodes-to-keep.ts";

type RetryPlan = z.output<typeof retryPlan>;

/** What running an execution again would reuse and run. Throws NOT_FOUND (the flow is gone too). */
export async function planRetry(actor: Actor, id: string, fromNode: string | null): Promise<RetryPlan> {
  const original = await findExecution(actor, id);
  const flow = await database().flow.findFirst({ where: { id: original.flowId, workspaceId: actor.workspaceId } });
  const version = flow && (await loadVersion(flow.id, flow.version));
  if (flow === null || version === null) throw notFound("Flow");
  const shown = { flowVersion: flow.version, originalVersion: original.flowVersion };
  const nodesBy = (planOf: (nodeId: string) => RetryPlan["nodes"][number]["plan"]) =>
    version.graph.order.map(({ node }) => ({ nodeId: node.id, nodeName: node.name, plan: planOf(node.id) }));
  if (fromNode === null) return { ...shown, problem: null, nodes: nodesBy(() => "runs") };
  try {
    const { done, skipped } = await nodesToKeep(original.id, version, fromNode);
    const planOf = (nodeId: string) =>
      done.includes(nodeId) ? "reused" : skipped.includes(nodeId) ? "skipped" : "runs";
    return { ...shown, problem: null, nodes: nodesBy(planOf) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "VALIDATION_ERROR") throw error;
    return { ...shown, problem: String(error.details?.fromNode ?? error.message), nodes: [] };
  }
}
