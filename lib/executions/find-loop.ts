import type { Actor } from "#lib/auth/actor.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import { bodyOf } from "#lib/engine/flow-body.ts";
import { handleOf } from "#lib/engine/graph.ts";
import { errorHandle } from "#lib/engine/outcome.ts";
import { notFound } from "#lib/errors.ts";
import { loadVersion } from "./compiled-version.ts";
import { findExecution } from "./find-execution.ts";

/** A loop of an execution, as far as its iterations are told by it. */
export interface FoundLoop {
  /** What it does for each item; empty for a node that is no loop. */
  readonly body: readonly FlowNode[];
  /** Nodes of the body whose failure an `error` edge catches. */
  readonly catching: readonly string[];
  readonly isOpen: boolean;
}

/** Finds a node of an execution, at any depth. Throws NOT_FOUND. */
export async function findLoop(actor: Actor, id: string, nodeId: string): Promise<FoundLoop> {
  const { flowId, flowVersion, status } = await findExecution(actor, id);
  const version = await loadVersion(flowId, flowVersion);
  const node = version?.allNodes.find((candidate) => candidate.id === nodeId);
  if (node === undefined) throw notFound("Node");
  const body = bodyOf(node);
  const caught = (body?.edges ?? []).filter((edge) => handleOf(edge) === errorHandle).map((edge) => edge.source);
  return { body: body?.nodes ?? [], catching: caught, isOpen: status === "pending" || status === "running" };
}
