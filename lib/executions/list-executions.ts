import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { ExecutionStatus, listExecutions as listExecutionsEndpoint } from "#lib/contract/executions.ts";
import { iso } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import type { ExecutionModel } from "#lib/platform/prisma/models.ts";
import { countExecutions } from "./count-executions.ts";
import { findPage } from "./find-page.ts";
import type { ExecutionSource } from "./new-execution.ts";
import type { TriggerData } from "./run.ts";
import { searchExecutions } from "./search-executions.ts";

type Filter = z.output<(typeof listExecutionsEndpoint)["query"]>;

/** A page of the workspace's executions. What has not ended sorts after all that has, whichever the order. */
export async function listExecutions(actor: Actor, given: Filter) {
  const { page, limit, sortBy, order, search, flowId, ...others } = given;
  const filter = { ...others, workspaceId: actor.workspaceId, flowId: flowId || undefined };
  const wish = { sortBy, order, limit, offset: (page - 1) * limit };
  if (search !== undefined && search !== "") {
    const { ids, total, searchedSince } = await searchExecutions(filter, search, wish);
    return { items: await itemsOf(actor, ids), total, searchedSince: searchedSince && iso(searchedSince) };
  }
  const count = await countExecutions(filter);
  const total = count.ended + count.open;
  const ids = wish.offset >= total ? [] : await findPage(filter, count, wish);
  return { items: await itemsOf(actor, ids), total };
}

/** The ids of a flow's latest executions, latest first. */
export async function latestIds({ workspaceId }: Actor, flowId: string, most: number): Promise<string[]> {
  const filter = { workspaceId, flowId };
  const wish = { sortBy: "startedAt", order: "desc", limit: most, offset: 0 } as const;
  return await findPage(filter, await countExecutions(filter), wish);
}

/** The items of these runs in their order; one that was deleted in the meantime is left out. */
async function itemsOf({ workspaceId }: Actor, ids: readonly string[]) {
  const where = { workspaceId, id: { in: [...ids] } };
  const rows = await database().execution.findMany({
    where,
    omit: { output: true, warnings: true, metadata: true, journal: true },
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []).map(showListItem);
}

type ListRow = Omit<ExecutionModel, "output" | "warnings" | "metadata" | "journal">;

export function showListItem(row: ListRow) {
  return {
    id: row.id,
    flowId: row.flowId,
    flowName: row.flowName,
    status: row.status as ExecutionStatus,
    trigger: { type: row.triggerType, data: (JSON.parse(row.trigger) as TriggerData).body },
    source: row.source as ExecutionSource,
    startedAt: iso(row.startedAt),
    completedAt: row.completedAt === null ? null : iso(row.completedAt),
    duration: row.durationMs,
    nodesExecuted: row.nodesExecuted,
    errorCount: row.errorCount,
    warningCount: row.warningCount,
    ...(row.errorMessage !== null && {
      error: { message: row.errorMessage, nodeId: row.errorNodeId, code: row.errorCode ?? "INTERNAL_ERROR" },
    }),
  };
}
