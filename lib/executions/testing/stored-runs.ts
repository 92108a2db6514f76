// Runs for tests of what is stored about them.
import type { Actor } from "#lib/auth/actor.ts";
import type { FlowEdge, FlowNode } from "#lib/engine/flow.ts";
import type { RunLimit } from "#lib/executions/nodes/run-limit.ts";
import { insertExecution } from "#lib/executions/store/insert-execution.ts";
import { newExecution, type StartedFlow, triggerTextOf } from "#lib/executions/store/new-execution.ts";
import type { NodeRecord } from "#lib/executions/store/node-record.ts";
import type { FinishedRun } from "#lib/executions/store/run-row.ts";
import { createFlow } from "#lib/flows/create-flow.ts";
import { query } from "#lib/platform/database.ts";

export async function storedFlow(
  actor: Actor,
  nodes: readonly FlowNode[] = [],
  edges: readonly FlowEdge[] = [],
): Promise<StartedFlow> {
  const { id, version } = await createFlow(actor, {
    name: "Test",
    status: "draft",
    tags: [],
    variables: {},
    trigger: { type: "manual", config: {} },
    nodes: [...nodes],
    edges: [...edges],
  });
  return { id, workspaceId: actor.workspaceId, name: "Test", version, settings: null };
}

const request = {
  triggerType: "manual",
  trigger: triggerTextOf({ body: {}, headers: {}, query: {}, method: "POST" }),
  source: "api",
  ip: null,
  userAgent: null,
} as const;

/** Stores a run: `pending` without an owner, `running` under the first claim with one. Returns its id. */
export async function storedExecution(flow: StartedFlow, leaseOwner: string | null = null): Promise<string> {
  const execution = newExecution(flow, { ...request, leaseOwner });
  await insertExecution(execution);
  return execution.id;
}

/** Stores a run of a flow that limits its runs. Returns its id. */
export async function limitedExecution(flow: StartedFlow, limit: RunLimit): Promise<string> {
  const execution = newExecution(flow, { ...request, leaseOwner: null, limit });
  await insertExecution(execution);
  return execution.id;
}

/** Simulates a process that has not renewed its lease in time. */
export async function letLeaseExpire(id: string): Promise<void> {
  await query("expire-lease", "UPDATE execution SET lease_until = now() - interval '1 second' WHERE id = $1", [id]);
}

export function finished(executionId: string, fence: number | null, overrides: Partial<FinishedRun> = {}): FinishedRun {
  return {
    executionId,
    fence,
    status: "completed",
    completedAt: new Date().toISOString(),
    output: "null",
    error: null,
    warnings: null,
    nodesExecuted: 1,
    errorCount: 0,
    warningCount: 0,
    reason: null,
    nodes: [],
    logs: [],
    ...overrides,
  };
}

export function nodeRecord(nodeId: string, overrides: Partial<NodeRecord> = {}): NodeRecord {
  return {
    nodeId,
    position: 0,
    nodeName: nodeId,
    type: "log",
    status: "completed",
    startedAt: new Date().toISOString(),
    completedAt: new Date().toISOString(),
    retries: 0,
    handle: null,
    input: null,
    output: "null",
    error: null,
    answer: null,
    ...overrides,
  };
}
