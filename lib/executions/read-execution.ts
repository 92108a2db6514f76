import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { ExecutionStatus, readExecution as readExecutionEndpoint } from "#lib/contract/executions/executions.ts";
import { readStepId } from "#lib/engine/step.ts";
import { notFound } from "#lib/errors.ts";
import { memberText } from "#lib/json/member-text.ts";
import { parseOwnJson } from "#lib/json/parse-json.ts";
import { iso } from "#lib/platform/clock.ts";
import { database, query } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import type { ExecutionModel } from "#lib/platform/prisma/models.ts";
import { whyOf } from "./explain/why.ts";
import { loadVersion } from "./nodes/compiled-version.ts";
import { logsOf } from "./read-logs.ts";
import { retriesOf, showsRetry } from "./retries.ts";
import { draftSource } from "./search/execution-filter.ts";
import { showSummary } from "./search/list-executions.ts";
import { unfoldExecution } from "./store/folded-journal.ts";
import { nodesOf, showNode, traitsOf, withItemCounts } from "./store/nodes-of-execution.ts";
import type { FoundExecution } from "./store/run-row.ts";
import { waitingRunsOf, waitOfNodes } from "./waiting/waiting-for.ts";

interface Options extends z.output<(typeof readExecutionEndpoint)["query"]> {
  readonly includeItemCounts?: boolean;
}

/** One complete execution; outputs and logs on request. Throws NOT_FOUND. */
export async function readExecution(actor: Actor, id: string, options: Options) {
  const { row, shown, data, output } = await readUnparsed(actor, id, options);
  return {
    ...shown,
    ...(options.includeLogs ? { logs: await logsOf(row) } : {}),
    trigger: { ...shown.trigger, data: data === undefined ? undefined : await parseOwnJson(data) },
    output: output === null ? null : await parseOwnJson(output),
  };
}

/**
 * The same without its log, and with its output and trigger data as the stored text, because all may be large. Throws
 * NOT_FOUND.
 */
export async function readUnparsed(actor: Actor, id: string, options: Omit<Options, "includeLogs">) {
  const { includeNodeOutputs, includeItemCounts = false } = options;
  const row = await findWithOutput(actor, id);
  const nodes = await nodesOf(row, includeNodeOutputs);
  const summary = showSummary(row);
  const waiting = row.status === "running" ? ((await waitingRunsOf([row])).get(id) ?? waitOfNodes(nodes)) : undefined;
  const retry = showsRetry(row.status) ? (await retriesOf([id])).get(id) : undefined;
  const shown = {
    ...summary,
    ...waiting,
    ...(retry !== undefined && { retry }),
    ...(await versionOf(row)),
    trigger: { ...summary.trigger, timestamp: iso(row.startedAt) },
    nodes: includeItemCounts ? await withItemCounts(id, nodes) : nodes,
    metadata: JSON.parse(row.metadata),
    warnings: row.warnings === null ? [] : JSON.parse(row.warnings),
    ...endOf(row),
  };
  return { row, shown, data: memberText(row.trigger, "body"), output: row.output };
}

/** The version that ran; for a working copy, its base version and its revision. */
export async function versionOf({ flowId, flowVersion, source }: FoundExecution) {
  if (source !== draftSource) return { flowVersion };
  const where = { flowId_version: { flowId, version: flowVersion } };
  const version = await database().flowVersion.findUnique({ where, select: { basedOn: true } });
  return { flowVersion: version?.basedOn ?? 1, draftRevision: -flowVersion };
}

/** The fields that only some executions have. */
function endOf(row: FoundExecution) {
  return {
    ...(row.errorMessage === null
      ? {}
      : { error: { message: row.errorMessage, nodeId: row.errorNodeId, code: row.errorCode ?? "INTERNAL_ERROR" } }),
    ...(row.cancelledAt === null ? {} : { cancelledAt: iso(row.cancelledAt), reason: row.reason }),
    ...(row.originalExecutionId === null ? {} : { originalExecutionId: row.originalExecutionId }),
  };
}

/** An execution of the actor's workspace, without its output. Throws NOT_FOUND. */
export async function findExecution({ workspaceId }: Actor, id: string): Promise<FoundExecution> {
  if (!isId("execution", id)) throw notFound("Execution");
  return await unfolded(await database().execution.findFirst({ where: { id, workspaceId }, omit: { output: true } }));
}

async function findWithOutput({ workspaceId }: Actor, id: string): Promise<ExecutionModel> {
  if (!isId("execution", id)) throw notFound("Execution");
  return await unfolded(await database().execution.findFirst({ where: { id, workspaceId } }));
}

async function unfolded<Row extends Pick<ExecutionModel, "id" | "journal">>(row: Row | null): Promise<Row> {
  if (row === null) throw notFound("Execution");
  if (row.journal !== null) await unfoldExecution(row.id, row.journal);
  return row;
}

/** Only the status, for pollers. Throws NOT_FOUND. */
export async function findStatus(actor: Actor, id: string): Promise<ExecutionStatus> {
  if (!isId("execution", id)) throw notFound("Execution");
  const text = "SELECT status, journal FROM execution WHERE id = $1 AND workspace_id = $2";
  const values = [id, actor.workspaceId];
  const [row] = await query<{ status: ExecutionStatus; journal: string | null }>("find-status", text, values);
  if (row === undefined) throw notFound("Execution");
  if (row.journal !== null) await unfoldExecution(id, row.journal);
  return row.status;
}

/**
 * One node of an execution and why it is in its state, with its input and output as the stored text. Throws NOT_FOUND.
 */
export async function readNodeExecution(actor: Actor, id: string, nodeId: string) {
  const execution = await findExecution(actor, id);
  // No node id contains U+0000, and PostgreSQL would refuse to search for one.
  if (nodeId.includes("\u0000")) throw notFound("Node");
  const where = { executionId_nodeId: { executionId: id, nodeId } };
  const row = await database().nodeExecution.findUnique({ where });
  const reasons = await whyOf(execution, nodeId);
  const why = reasons.length === 0 ? {} : { why: reasons };
  const version = row === null ? null : await loadVersion(execution.flowId, execution.flowVersion);
  const node = version?.allNodes.find(({ id: known }) => known === readStepId(nodeId).nodeId);
  if (row !== null) {
    const shown = { ...showNode(row, execution.completedAt), ...(node && traitsOf(node)), ...why };
    return { shown, input: row.input, output: row.output };
  }
  // Not reached: known from the version alone.
  const unreached = (await nodesOf(execution, false)).find((candidate) => candidate.nodeId === nodeId);
  if (unreached === undefined) throw notFound("Node");
  return { shown: { ...unreached, ...why }, input: null, output: null };
}
