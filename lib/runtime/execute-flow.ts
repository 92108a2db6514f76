import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { executeFlow as executeFlowEndpoint } from "#lib/contract/flows.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { notFound } from "#lib/errors.ts";
import { loadVersion } from "#lib/executions/compiled-version.ts";
import { insertExecution } from "#lib/executions/insert-execution.ts";
import { newExecution, type StartedFlow } from "#lib/executions/new-execution.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import type { RunEnd } from "./drive-run.ts";
import { type RunHere, runHere } from "./run-here.ts";
import { worker } from "./worker.ts";

type Body = z.output<(typeof executeFlowEndpoint)["body"]>;

interface Caller {
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** Runs a flow whatever its status: at once with the answer (200), or in the background (202). Throws NOT_FOUND. */
export async function executeFlow(actor: Actor, id: string, body: Body, caller: Caller) {
  const flow = await findStartedFlow(actor, id);
  const version = await loadVersion(id, flow.version);
  if (version === null) throw notFound("Flow");
  const request = {
    triggerType: "manual",
    trigger: { body: body.data, headers: {}, query: {}, method: "POST" },
    source: actor.by.kind === "user" ? ("ui" as const) : ("api" as const),
    ip: caller.ip,
    userAgent: caller.userAgent,
    metadata: body.metadata as JsonObject,
  };
  if (body.async) {
    const execution = newExecution(flow, { ...request, leaseOwner: null });
    await insertExecution(execution);
    worker().wake();
    return accepted(id, { executionId: execution.id, startedAt: execution.startedAt });
  }
  worker();
  const run = await runHere(flow, version, request);
  const end = await run.end;
  if (end === null) return accepted(id, run);
  const nodeIds = version.definition.nodes.map((node) => node.id);
  return { payload: ended(id, run, end, nodeIds), status: 200 };
}

async function findStartedFlow(actor: Actor, id: string): Promise<StartedFlow> {
  if (!isId("flow", id)) throw notFound("Flow");
  const flow = await database().flow.findFirst({ where: { id, workspaceId: actor.workspaceId } });
  if (flow === null) throw notFound("Flow");
  return flow;
}

function accepted(flowId: string, { executionId, startedAt }: Pick<RunHere, "executionId" | "startedAt">) {
  return { payload: { executionId, status: "running", startedAt, flowId }, status: 202 };
}

function ended(flowId: string, run: RunHere, end: RunEnd, nodeIds: readonly string[]) {
  return {
    executionId: run.executionId,
    flowId,
    status: end.status,
    startedAt: run.startedAt,
    completedAt: end.completedAt,
    duration: Math.max(0, Date.parse(end.completedAt) - Date.parse(run.startedAt)),
    output: end.output?.value ?? null,
    ...(end.error === null ? {} : { error: end.error }),
    nodes: nodeIds.map((nodeId) => {
      const outcome = end.outcomes.get(nodeId);
      const output = outcome?.status === "completed" ? outcome.output.value : null;
      return { nodeId, status: outcome?.status ?? "skipped", output };
    }),
  };
}
