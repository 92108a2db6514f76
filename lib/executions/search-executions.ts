import { searchedMax } from "#lib/contract/executions.ts";
import { queryPlanned } from "#lib/platform/database.ts";
import { conditionsOf, type ExecutionFilter, endedOf, hasStatus, openOf, parameters } from "./execution-filter.ts";
import type { PageWish } from "./find-page.ts";

export interface SearchResult {
  readonly ids: readonly string[];
  readonly total: number;
  /** The start of the earliest run that was looked at where there are more; null when all were. */
  readonly searchedSince: Date | null;
}

interface Row {
  ids: string[];
  total: number;
  looked: number;
  since: Date | null;
}

const sortColumns = { startedAt: "started_at", completedAt: "completed_at", duration: "duration_ms" } as const;

/**
 * Finds text, in any case, in the error, the flow's name, the id or the metadata of runs that a filter fits. Looks at
 * the latest `searchedMax` of them: no index finds any part of a text, and nobody waits for a million rows.
 */
export async function searchExecutions(filter: ExecutionFilter, text: string, wish: PageWish): Promise<SearchResult> {
  const { bind, values } = parameters();
  const [row] = await queryPlanned<Row>(
    `WITH latest AS MATERIALIZED (${latest(filter, bind)}), found AS MATERIALIZED (${found(text, bind)})
     SELECT array(SELECT id FROM found ${orderOf(wish)} LIMIT ${wish.limit} OFFSET ${wish.offset}) AS ids,
       (SELECT count(*)::int FROM found) AS total, (SELECT count(*)::int FROM latest) AS looked,
       (SELECT min(started_at) FROM latest) AS since`,
    values,
  );
  const { ids = [], total = 0, looked = 0, since = null } = row ?? {};
  return { ids, total, searchedSince: looked < searchedMax ? null : since };
}

function latest(filter: ExecutionFilter, bind: (value: unknown) => string): string {
  const kinds = [
    ...openOf(filter).map((status) => hasStatus([status], "open")),
    ...endedOf(filter).map((status) => hasStatus([status], "ended")),
  ];
  const order = `ORDER BY started_at DESC, id DESC LIMIT ${searchedMax}`;
  const branches = kinds.map(
    (kind) =>
      `(SELECT id, started_at, completed_at, duration_ms, error_message, flow_name, metadata
        FROM execution WHERE ${conditionsOf(filter, bind)} AND ${kind} ${order})`,
  );
  return `SELECT * FROM (${branches.join(" UNION ALL ")}) AS runs ${order}`;
}

function found(text: string, bind: (value: unknown) => string): string {
  // `%`, `_` and `\` are plain characters.
  const pattern = bind(`%${text.replace(/[\\%_]/g, "\\$&")}%`);
  const columns = ["error_message", "flow_name", "id", "metadata"];
  const isFound = columns.map((column) => `${column} ILIKE ${pattern}`).join(" OR ");
  return `SELECT id, started_at, completed_at, duration_ms FROM latest WHERE ${isFound}`;
}

function orderOf({ sortBy, order }: PageWish): string {
  return `ORDER BY ${sortColumns[sortBy]} ${order} NULLS LAST, id ${order}`;
}
