import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { readExecution as readExecutionEndpoint } from "#lib/contract/executions.ts";
import { iso } from "#lib/platform/clock.ts";
import type { ExecutionModel } from "#lib/platform/prisma/models.ts";
import { findExecution } from "./find-execution.ts";
import { showListItem } from "./list-executions.ts";
import { nodesOf, withItemCounts } from "./nodes-of-execution.ts";
import { logsOf } from "./read-logs.ts";

interface Options extends z.output<(typeof readExecutionEndpoint)["query"]> {
  readonly includeItemCounts?: boolean;
}

/** One execution, whole; outputs and logs when asked for. Throws NOT_FOUND. */
export async function readExecution(actor: Actor, id: string, options: Options) {
  const { includeLogs, includeNodeOutputs, includeItemCounts = false } = options;
  const row = await findExecution(actor, id);
  const { trigger } = showListItem(row);
  const nodes = await nodesOf(row, includeNodeOutputs);
  return {
    ...showListItem(row),
    flowVersion: row.flowVersion,
    trigger: { ...trigger, timestamp: iso(row.startedAt) },
    nodes: includeItemCounts ? await withItemCounts(id, nodes) : nodes,
    output: row.output === null ? null : JSON.parse(row.output),
    metadata: JSON.parse(row.metadata),
    warnings: row.warnings === null ? [] : JSON.parse(row.warnings),
    ...endOf(row),
    ...(includeLogs ? { logs: await logsOf(row) } : {}),
  };
}

/** The fields that only some executions have. */
function endOf(row: ExecutionModel) {
  return {
    ...(row.errorMessage === null
      ? {}
      : { error: { message: row.errorMessage, nodeId: row.errorNodeId, code: row.errorCode ?? "INTERNAL_ERROR" } }),
    ...(row.cancelledAt === null ? {} : { cancelledAt: iso(row.cancelledAt), reason: row.reason }),
    ...(row.originalExecutionId === null ? {} : { originalExecutionId: row.originalExecutionId }),
  };
}
