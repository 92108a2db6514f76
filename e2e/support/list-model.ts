// A reference model of the lists: filters every item, sorts all, and slices.
import type { Pagination } from "./api-client.ts";
import type { SeededExecution, SeededFlow } from "./seeded-workspace.ts";

export interface PageQuery {
  readonly page?: number;
  readonly limit?: number;
  readonly order?: "asc" | "desc";
}

export interface FlowQuery extends PageQuery {
  readonly status?: string;
  readonly tag?: string;
  readonly search?: string;
  readonly sortBy?: "name" | "createdAt" | "updatedAt";
}

export interface ExecutionQuery extends PageQuery {
  readonly flowId?: string;
  readonly status?: string;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly sortBy?: "startedAt" | "completedAt" | "duration";
}

export interface ModelPage {
  readonly ids: string[];
  readonly pagination: Pagination;
}

export function flowsByModel(flows: readonly SeededFlow[], query: FlowQuery): ModelPage {
  const { status, tag, search = "", sortBy = "createdAt" } = query;
  const folded = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = folded(search).split(/\s+/);
  const found = flows
    .filter((flow) => status === undefined || flow.status === status)
    .filter((flow) => tag === undefined || flow.tags.includes(tag))
    .filter(({ name, description }) => words.every((word) => folded(`${name} ${description ?? ""}`).includes(word)));
  return pageOf(
    sorted(found, (flow) => flow[sortBy], query.order),
    query,
  );
}

export function executionsByModel(executions: readonly SeededExecution[], query: ExecutionQuery): ModelPage {
  const { sortBy = "startedAt" } = query;
  const found = matchingExecutions(executions, query);
  return pageOf(
    sorted(found, (execution) => execution[sortBy], query.order),
    query,
  );
}

export function matchingExecutions(executions: readonly SeededExecution[], query: ExecutionQuery): SeededExecution[] {
  const { flowId, status, startDate, endDate } = query;
  return executions
    .filter((execution) => flowId === undefined || execution.flowId === flowId)
    .filter((execution) => status === undefined || status.split(",").includes(execution.status))
    .filter(({ startedAt }) => startDate === undefined || Date.parse(startedAt) >= Date.parse(startDate))
    .filter(({ startedAt }) => endDate === undefined || Date.parse(startedAt) <= endOf(endDate));
}

/** A bare date is the whole day. */
function endOf(date: string): number {
  return Date.parse(date.includes("T") ? date : `${date}T23:59:59.999Z`);
}

/** Ties break by id in the same direction; missing values come last in either direction. */
function sorted<Item extends { readonly id: string }>(
  items: readonly Item[],
  keyOf: (item: Item) => string | number | null,
  order: "asc" | "desc" = "desc",
): Item[] {
  const sign = order === "asc" ? 1 : -1;
  const compare = (a: string | number, b: string | number) => (a < b ? -sign : a > b ? sign : 0);
  return items.toSorted((first, second) => {
    const [a, b] = [keyOf(first), keyOf(second)];
    if (a === null || b === null) return Number(a === null) - Number(b === null) || compare(first.id, second.id);
    return compare(a, b) || compare(first.id, second.id);
  });
}

function pageOf(items: readonly { readonly id: string }[], { page = 1, limit = 20 }: PageQuery): ModelPage {
  const total = items.length;
  const totalPages = Math.ceil(total / limit);
  const ids = items.slice((page - 1) * limit, page * limit).map(({ id }) => id);
  return { ids, pagination: { page, limit, total, totalPages, hasNext: page < totalPages, hasPrev: page > 1 } };
}
