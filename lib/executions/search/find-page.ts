import { type Span, spanOfDays } from "#lib/executions/statistics/counted-parts.ts";
import { queryPlanned } from "#lib/platform/database.ts";
import type { ExecutionCount } from "./count-executions.ts";
import {
  conditionsOf,
  type ExecutionFilter,
  endedOf,
  hasStatus,
  openOf,
  parameters,
  spanOf,
} from "./execution-filter.ts";

export interface PageRequest {
  readonly sortBy: "startedAt" | "completedAt" | "duration";
  readonly order: "asc" | "desc";
  readonly offset: number;
  readonly limit: number;
}

/** Up to this many ended runs are sorted; beyond that, an ordered index is walked. */
const sortedMax = 50_000;
/** A flow's runs may all be at one end of the workspace's order, so for a flow the limit is higher. */
const sortedOfFlowMax = 250_000;

/**
 * The ids of a page of the matching executions, in order; ties break by id. In the order of ends or durations, open
 * runs come last.
 */
export async function findPage(filter: ExecutionFilter, count: ExecutionCount, page: PageRequest): Promise<string[]> {
  const { sortBy, offset, limit } = page;
  if (sortBy === "startedAt") return await byStart(filter, count, page);
  const ended = Math.max(0, Math.min(limit, count.ended - offset));
  const open = { ...page, offset: Math.max(0, offset - count.ended), limit: limit - ended };
  const [first, last] = await Promise.all([
    ended === 0 ? [] : byEnd(filter, count.ended, { ...page, sortBy, limit: ended }),
    open.limit === 0 || open.offset >= count.open ? [] : openById(filter, open),
  ]);
  return [...first, ...last];
}

/**
 * Merges the statuses, whose runs are each ordered by start in an index. Daily counts tell where a late page begins.
 */
async function byStart(filter: ExecutionFilter, { days }: ExecutionCount, page: PageRequest): Promise<string[]> {
  const { bind, values } = parameters();
  const { span, skipped } = days === null ? { span: spanOf(filter), skipped: 0 } : daysOfPage(filter, days, page);
  const offset = page.offset - skipped;
  const kinds = [
    ...openOf(filter).map((status) => hasStatus([status], "open")),
    ...endedOf(filter).map((status) => hasStatus([status], "ended")),
  ];
  const order = `ORDER BY started_at ${page.order}, id ${page.order}`;
  const branches = kinds.map(
    (kind) =>
      `(SELECT id, started_at FROM execution WHERE ${conditionsOf(filter, bind, span)} AND ${kind}
        ${order} LIMIT ${offset + page.limit})`,
  );
  const text = `SELECT id FROM (${branches.join(" UNION ALL ")}) AS runs ${order} LIMIT ${page.limit} OFFSET ${offset}`;
  return (await queryPlanned<{ id: string }>(text, values)).map((row) => row.id);
}

/** The days that the page covers, and how many runs precede them. */
function daysOfPage(
  filter: ExecutionFilter,
  days: NonNullable<ExecutionCount["days"]>,
  { order, offset, limit }: PageRequest,
): { span: { from: Date | null; to: Date | null }; skipped: number } {
  const ordered = order === "asc" ? days : days.toReversed();
  let passed = 0;
  let skipped = 0;
  const touched: string[] = [];
  for (const { day, count } of ordered) {
    if (passed >= offset + limit) break;
    if (passed + count > offset) touched.push(day);
    else skipped += count;
    passed += count;
  }
  const [first, last] = [touched[0], touched.at(-1)].toSorted();
  if (first === undefined || last === undefined) return { span: spanOf(filter), skipped: 0 };
  return { span: overlap(spanOf(filter), spanOfDays(first, last)), skipped };
}

function overlap({ from, to }: { from: Date | null; to: Date | null }, span: Span): Span {
  return {
    from: from !== null && from > span.from ? from : span.from,
    to: to !== null && to < span.to ? to : span.to,
  };
}

const endColumns = { completedAt: "completed_at", duration: "duration_ms" } as const;

/** Walks from the nearer end of the order. */
async function byEnd(filter: ExecutionFilter, total: number, page: PageRequest & { sortBy: keyof typeof endColumns }) {
  const { offset, limit } = page;
  const isFar = offset > total / 2;
  const order = (page.order === "asc") === isFar ? "desc" : "asc";
  const { bind, values } = parameters();
  const column = endColumns[page.sortBy];
  const isWalked = hasIndex(filter, page.sortBy) || total > sortedMaxOf(filter, page.sortBy);
  const ended =
    filter.status === undefined && isWalked ? "completed_at IS NOT NULL" : hasStatus(endedOf(filter), "ended");
  const runs = `SELECT id, ${column} FROM execution WHERE ${conditionsOf(filter, bind)} AND ${ended}`;
  const from = isWalked ? `(${runs}) AS runs` : "runs";
  const text = `${isWalked ? "" : `WITH runs AS MATERIALIZED (${runs})`} SELECT id FROM ${from}
    ORDER BY ${column} ${order}, id ${order} LIMIT ${limit} OFFSET ${isFar ? total - offset - limit : offset}`;
  const ids = (await queryPlanned<{ id: string }>(text, values)).map((row) => row.id);
  return isFar ? ids.reverse() : ids;
}

/** Whether an index has exactly these runs in this order. */
function hasIndex(
  { workspaceId: _, flowId, drafts: __, ...others }: ExecutionFilter,
  sortBy: keyof typeof endColumns,
): boolean {
  const isNarrowed = Object.values(others).some((value) => value !== undefined);
  return !isNarrowed && (flowId === undefined || sortBy === "duration");
}

function sortedMaxOf({ flowId }: ExecutionFilter, sortBy: keyof typeof endColumns): number {
  return flowId !== undefined && sortBy === "completedAt" ? sortedOfFlowMax : sortedMax;
}

async function openById(filter: ExecutionFilter, { order, offset, limit }: PageRequest): Promise<string[]> {
  const { bind, values } = parameters();
  const text = `SELECT id FROM execution WHERE ${conditionsOf(filter, bind)} AND ${hasStatus(openOf(filter), "open")}
    ORDER BY id ${order} LIMIT ${limit} OFFSET ${offset}`;
  return (await queryPlanned<{ id: string }>(text, values)).map((row) => row.id);
}
