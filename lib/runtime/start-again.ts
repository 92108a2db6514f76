import type { Actor } from "#lib/auth/actor.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { notFound } from "#lib/errors.ts";
import { type CompiledVersion, loadVersion } from "#lib/executions/compiled-version.ts";
import { findExecution } from "#lib/executions/find-execution.ts";
import type { TriggerData } from "#lib/executions/run.ts";
import { database, type RunStatement } from "#lib/platform/database.ts";
import { type Kept, nodesToKeep } from "./nodes-to-keep.ts";
import { nodesBeyond } from "./partial-run.ts";
import { type PreparedRun, prepareRun } from "./queue-run.ts";
import { writeBeginning } from "./write-beginning.ts";

export interface RetryRequest {
  readonly overrideData?: JsonObject | null | undefined;
  readonly fromNode?: string | null | undefined;
  /** With `fromNode`: no node after this one runs. */
  readonly untilNode?: string | null | undefined;
}

export interface Caller {
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** A retry that is ready to be stored; `along` writes, with its record, what it finds done. */
export interface PreparedRetry extends PreparedRun {
  readonly along: (run: RunStatement) => Promise<void>;
}

/**
 * Makes ready a new execution of the flow's current version from an earlier one's input, or from one of its nodes with
 * the outputs that the earlier one left. Throws NOT_FOUND (the flow is gone too), VALIDATION_ERROR (`fromNode`).
 */
export async function prepareRetry(
  actor: Actor,
  id: string,
  given: RetryRequest,
  caller: Caller,
  newId?: string,
): Promise<PreparedRetry> {
  const original = await findExecution(actor, id);
  const where = { id: original.flowId, workspaceId: actor.workspaceId };
  const flow = await database().flow.findFirst({ where });
  const version = flow && (await loadVersion(flow.id, flow.version));
  if (flow === null || version === null) throw notFound("Flow");
  const fromNode = given.fromNode ?? null;
  const kept = fromNode === null ? null : await nodesToKeep(original.id, version, fromNode);
  const untilNode = given.untilNode ?? null;
  const beyond = untilNode === null ? [] : nodesBeyond(version.graph, untilNode);

  const earlier = JSON.parse(original.trigger) as TriggerData;
  const known = new Set([...(kept?.done ?? []), ...(kept?.skipped ?? [])]);
  const skipped = beyond.filter((nodeId) => !known.has(nodeId));
  const prepared = await prepareRun(flow, {
    ...(newId === undefined ? {} : { id: newId }),
    triggerType: original.triggerType,
    trigger: { ...earlier, body: given.overrideData ?? earlier.body },
    source: "retry",
    ...caller,
    originalExecutionId: original.id,
    fromNode: fromNode ?? untilNode,
  });
  const { id: executionId } = prepared.execution;
  const along = async (run: RunStatement) => {
    if (kept !== null) await copyKept(run, original.id, executionId, version, kept);
    if (skipped.length > 0) await writeBeginning(run, executionId, version, { skipped, pinned: {} });
  };
  return { ...prepared, along };
}

const copyNodes = `
  INSERT INTO node_execution (execution_id, node_id, position, node_name, type, status, started_at, completed_at,
                              retries, handle, input, output, error, answer)
  SELECT $2, node_id, position, node_name, type, status, started_at, completed_at, retries, handle, input, output, error,
    answer
  FROM node_execution WHERE execution_id = $1 AND node_id = ANY($3::text[])
  UNION ALL
  SELECT $2, n.id, n.position, n.name, n.type, 'skipped', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL
  FROM unnest($4::text[], $5::int[], $6::text[], $7::text[]) AS n(id, position, name, type)
  RETURNING node_id`;

/** Throws NOT_FOUND when the original has been deleted meanwhile, with what was to be kept of it. */
async function copyKept(
  run: RunStatement,
  originalId: string,
  executionId: string,
  { graph }: CompiledVersion,
  kept: Kept,
): Promise<void> {
  const nodes = kept.skipped.flatMap((id) => graph.byId.get(id) ?? []);
  const columns = [
    nodes.map(({ node }) => node.id),
    nodes.map(({ index }) => index),
    nodes.map(({ node }) => node.name),
    nodes.map(({ node }) => node.type),
  ];
  const copied = await run("copy-nodes", copyNodes, [originalId, executionId, kept.done, ...columns]);
  if (copied.length < kept.done.length + nodes.length) throw notFound("Execution");
}
