import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { ExecutionStatus, listExecutions as listExecutionsEndpoint } from "#lib/contract/executions.ts";
import { iso } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import type { ExecutionModel, ExecutionWhereInput } from "#lib/platform/prisma/models.ts";
import type { TriggerData } from "./run.ts";

type Filter = z.output<(typeof listExecutionsEndpoint)["query"]>;

const sortColumns = { startedAt: "startedAt", completedAt: "completedAt", duration: "durationMs" } as const;

/** A page of the workspace's executions. What has not ended sorts after all that has, whichever the order. */
export async function listExecutions(actor: Actor, filter: Filter) {
  const { page, limit, sortBy, order } = filter;
  const where = whereOf(actor, filter);
  const total = await database().execution.count({ where });
  if ((page - 1) * limit >= total) return { items: [], total };
  const sort = sortBy === "startedAt" ? order : { sort: order, nulls: "last" as const };
  const rows = await database().execution.findMany({
    where,
    orderBy: [{ [sortColumns[sortBy]]: sort }, { id: order }],
    skip: (page - 1) * limit,
    take: limit,
    omit: { output: true, warnings: true, metadata: true },
  });
  return { items: rows.map(showListItem), total };
}

function whereOf(actor: Actor, filter: Filter): ExecutionWhereInput {
  const { flowId, status, source, search } = filter;
  return {
    workspaceId: actor.workspaceId,
    ...(flowId === undefined || flowId === "" ? {} : { flowId }),
    ...(status === undefined ? {} : { status: { in: status } }),
    ...(source === undefined ? {} : { source: { in: source } }),
    ...between("startedAt", filter.startDate, filter.endDate),
    ...between("durationMs", filter.minDuration, filter.maxDuration),
    ...(search === undefined || search === "" ? {} : { OR: found(search) }),
  };
}

/** Each bound is written only when it was given: `undefined` would mean "any" to Prisma. */
function between(column: "startedAt" | "durationMs", from: Date | number | undefined, to: Date | number | undefined) {
  if (from === undefined && to === undefined) return {};
  return { [column]: { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lte: to }) } };
}

function found(search: string): ExecutionWhereInput[] {
  // `%`, `_` and `\` are plain characters.
  const contains = { contains: search.replace(/[\\%_]/g, "\\$&"), mode: "insensitive" } as const;
  return [{ errorMessage: contains }, { flowName: contains }, { metadata: contains }];
}

type ListRow = Omit<ExecutionModel, "output" | "warnings" | "metadata">;

export function showListItem(row: ListRow) {
  return {
    id: row.id,
    flowId: row.flowId,
    flowName: row.flowName,
    status: row.status as ExecutionStatus,
    trigger: { type: row.triggerType, data: (JSON.parse(row.trigger) as TriggerData).body },
    startedAt: iso(row.startedAt),
    completedAt: row.completedAt === null ? null : iso(row.completedAt),
    duration: row.durationMs,
    nodesExecuted: row.nodesExecuted,
    errorCount: row.errorCount,
    warningCount: row.warningCount,
  };
}
