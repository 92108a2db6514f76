import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import {
  type ExecutionStatus,
  executionListItem,
  type listExecutions as listExecutionsEndpoint,
  searchedMax,
} from "#lib/contract/executions/executions.ts";
import { retriesOf, showsRetry } from "#lib/executions/retries.ts";
import { splitByBytes } from "#lib/executions/split-by-bytes.ts";
import { waitingRunsOf } from "#lib/executions/waiting/waiting-for.ts";
import { memberText } from "#lib/json/member-text.ts";
import { iso } from "#lib/platform/clock.ts";
import { escapeLike } from "#lib/platform/containing.ts";
import { database, query, queryPlanned } from "#lib/platform/database.ts";
import type { ExecutionModel } from "#lib/platform/prisma/models.ts";
import { wordsOf } from "#lib/search-words.ts";
import { countExecutions } from "./count-executions.ts";
import {
  conditionsOf,
  type ExecutionFilter,
  endedOf,
  hasStatus,
  isOfDraft,
  openOf,
  parameters,
  shownSource,
  storedSources,
} from "./execution-filter.ts";
import { findPage, type PageRequest } from "./find-page.ts";

interface SearchResult {
  readonly ids: readonly string[];
  readonly total: number;
  /** The start of the earliest run searched; null if all were. */
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
 * Finds runs whose error, flow name, id or metadata contains each word, ignoring case.
 * Searches only the latest `searchedMax` runs: no index finds arbitrary substrings, and scanning a million rows takes
 * too long.
 */
async function searchExecutions(filter: ExecutionFilter, text: string, request: PageRequest): Promise<SearchResult> {
  const { bind, values } = parameters();
  const [row] = await queryPlanned<Row>(
    `WITH latest AS MATERIALIZED (${latest(filter, bind)}), found AS MATERIALIZED (${found(text, bind)})
     SELECT array(SELECT id FROM found ${orderOf(request)} LIMIT ${request.limit} OFFSET ${request.offset}) AS ids,
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
  // Open runs have no duration: a filter by both matches none.
  const branches = (kinds.length > 0 ? kinds : ["FALSE"]).map(
    (kind) =>
      `(SELECT id, started_at, completed_at, duration_ms, error_message, flow_name, metadata
        FROM execution WHERE ${conditionsOf(filter, bind)} AND ${kind} ${order})`,
  );
  return `SELECT * FROM (${branches.join(" UNION ALL ")}) AS runs ${order}`;
}

function found(text: string, bind: (value: unknown) => string): string {
  const columns = ["flow_name", "error_message", "id", "metadata"];
  const words = wordsOf(text);
  const isFound = (words.length > 0 ? words : [text]).map((word) => {
    const pattern = bind(`%${escapeLike(word)}%`);
    return `(${columns.map((column) => `${column} ILIKE ${pattern}`).join(" OR ")})`;
  });
  return `SELECT id, started_at, completed_at, duration_ms FROM latest WHERE ${isFound.join(" AND ")}`;
}

function orderOf({ sortBy, order }: PageRequest): string {
  return `ORDER BY ${sortColumns[sortBy]} ${order} NULLS LAST, id ${order}`;
}

type Filter = z.output<(typeof listExecutionsEndpoint)["query"]>;

/** A page of the workspace's executions, in chunks. Open runs sort last in either direction. */
export async function listExecutions(actor: Actor, given: Filter) {
  const { ids, ...found } = await findExecutions(actor, given);
  return { ...found, texts: itemTexts(actor, ids) };
}

/** The ids of a page of executions. */
export async function findExecutions(actor: Actor, given: Filter): Promise<Found> {
  const { page, limit, sortBy, order, search, flowId, source, ...others } = given;
  const sources = source && storedSources(source);
  const filter = { ...others, source: sources, workspaceId: actor.workspaceId, flowId: flowId || undefined };
  const request = { sortBy, order, limit, offset: (page - 1) * limit };
  if (search !== undefined && search !== "") {
    const { ids, total, searchedSince } = await searchExecutions(filter, search, request);
    return { ids, total, searchedSince: searchedSince && iso(searchedSince) };
  }
  const count = await countExecutions(filter);
  const total = count.ended + count.open;
  return { ids: request.offset >= total ? [] : await findPage(filter, count, request), total };
}

interface Found {
  readonly ids: readonly string[];
  readonly total: number;
  readonly searchedSince?: string | null;
}

/** The ids of a flow's latest executions, latest first. */
export async function latestIds({ workspaceId }: Actor, flowId: string, limit: number): Promise<string[]> {
  const filter = { workspaceId, flowId };
  const request = { sortBy: "startedAt", order: "desc", limit, offset: 0 } as const;
  return await findPage(filter, await countExecutions(filter), request);
}

/** The items for these runs in the same order, without those deleted in the meantime. */
async function* itemTexts({ workspaceId }: Actor, ids: readonly string[]): AsyncGenerator<string, void, undefined> {
  const rows = await database().execution.findMany({
    where: { workspaceId, id: { in: [...ids] } },
    omit: { trigger: true, output: true, warnings: true, metadata: true, journal: true, repeatedKeys: true },
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const shown = ids.flatMap((id) => byId.get(id) ?? []);
  const [waiting, retries] = await Promise.all([
    waitingRunsOf(shown.filter(({ status }) => status === "running")),
    retriesOf(shown.filter(({ status }) => showsRetry(status)).map(({ id }) => id)),
  ]);
  for await (const [row, trigger] of withTriggers(shown)) {
    // Parsing drops fields that are not in the contract.
    const item = executionListItem.parse({
      ...showSummary(row),
      source: shownSource(row.source),
      ...waiting.get(row.id),
      retry: retries.get(row.id),
    });
    yield withTriggerData(item, memberText(trigger, "body"));
  }
}

/** Runs with small bodies are read in one statement, others about 1 MiB at a time. */
const smallBytes = 10_240;
const partBytesMax = 1_048_576;
const measureTriggers = `
  SELECT id, octet_length(trigger) AS bytes, CASE WHEN octet_length(trigger) <= $2 THEN trigger END AS trigger
  FROM execution WHERE id = ANY($1)`;
const readTriggers = "SELECT id, trigger FROM execution WHERE id = ANY($1)";

/** Runs with their triggers as stored, without those deleted in the meantime. */
async function* withTriggers<Row extends { readonly id: string }>(rows: readonly Row[]) {
  type Measured = { id: string; bytes: number; trigger: string | null };
  const ids = rows.map(({ id }) => id);
  const measured = await query<Measured>("measure-triggers", measureTriggers, [ids, smallBytes]);
  const known = new Map(measured.map((row) => [row.id, row]));
  for (const part of splitByBytes(rows, ({ id }) => known.get(id)?.bytes ?? 0, partBytesMax)) {
    const large = part.flatMap(({ id }) => (known.get(id)?.trigger === null ? id : []));
    const read = large.length === 0 ? [] : await query<Trigger>("read-triggers", readTriggers, [large]);
    const triggers = new Map(read.map(({ id, trigger }) => [id, trigger]));
    for (const row of part) {
      const trigger = known.get(row.id)?.trigger ?? triggers.get(row.id);
      if (trigger !== undefined) yield [row, trigger] as const;
    }
  }
}

type Trigger = { id: string; trigger: string };

/** An execution as JSON, with its trigger data as the stored text. */
export function withTriggerData(
  { trigger: { data: _, ...trigger }, ...rest }: { readonly trigger: { readonly data: unknown } },
  data: string | undefined,
): string {
  const triggerText = JSON.stringify(trigger).slice(0, -1) + (data === undefined ? "" : `,"data":${data}`);
  return `${JSON.stringify(rest).slice(0, -1)},"trigger":${triggerText}}}`;
}

type ListRow = Omit<ExecutionModel, "trigger" | "output" | "warnings" | "metadata" | "journal" | "repeatedKeys">;

/** The fields that a list and a single read share; `withTriggerData` adds the trigger's data. */
export function showSummary(row: ListRow) {
  return {
    id: row.id,
    flowId: row.flowId,
    flowName: row.flowName,
    status: row.status as ExecutionStatus,
    trigger: { type: row.triggerType, data: null },
    startedAt: iso(row.startedAt),
    completedAt: row.completedAt === null ? null : iso(row.completedAt),
    duration: row.durationMs,
    nodesExecuted: row.nodesExecuted,
    errorCount: row.errorCount,
    warningCount: row.warningCount,
    ...(isOfDraft(row.source) && { draft: true }),
    ...(row.errorMessage !== null && {
      error: { message: row.errorMessage, nodeId: row.errorNodeId, code: row.errorCode ?? "INTERNAL_ERROR" },
    }),
  };
}
