import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import { flowTagsMax } from "#lib/contract/flows/flow-tags.ts";
import type { listFlows as listFlowsEndpoint } from "#lib/contract/flows/flows.ts";
import { flowListItem } from "#lib/contract/flows/shown-flow.ts";
import { splitByBytes } from "#lib/executions/split-by-bytes.ts";
import { database, query } from "#lib/platform/database.ts";
import type { FlowModel, FlowWhereInput } from "#lib/platform/prisma/models.ts";
import { yieldAfter } from "#lib/platform/turns.ts";
import { parseDefinition } from "../definition.ts";
import { flowFigures } from "../flow-figures.ts";
import { showListItem } from "../show-flow.ts";
import { favoritesAmong } from "./favorites.ts";
import { findFlows } from "./find-flows.ts";

interface Span {
  readonly skip: number;
  readonly take: number;
}

type Filter = z.output<(typeof listFlowsEndpoint)["query"]>;

/** A page of the workspace's flows, in chunks. Ties break by id, so that pages never repeat or skip an item. */
export async function listFlows(actor: Actor, filter: Filter) {
  // An API key has no favorites.
  if (filter.favorite && actor.by.kind === "key") return { texts: itemTexts(actor, []), total: 0 };
  const { rows, total } = filter.search ? await searchFlows(actor, filter) : await pageOfAll(actor, filter);
  return { texts: itemTexts(actor, rows), total };
}

/** Definitions read and parsed at once; a single one may have more. */
const partBytesMax = 1_048_576;
const currentVersions = `
  FROM unnest($1::text[], $2::int[]) AS f(id, version)
  JOIN flow_version v ON v.flow_id = f.id AND v.version = f.version`;
const measure = `SELECT f.id, octet_length(v.definition) AS bytes ${currentVersions}`;
const readDefinitions = `SELECT f.id, v.definition ${currentVersions}`;

async function* itemTexts(actor: Actor, rows: readonly FlowModel[]): AsyncGenerator<string, void, undefined> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  const figures = await flowFigures(actor.workspaceId, ids);
  const favorites = await favoritesAmong(actor, ids);
  const valuesOf = (some: readonly FlowModel[]) => [some.map(({ id }) => id), some.map(({ version }) => version)];
  const sizes = await query<{ id: string; bytes: number }>("measure-definitions", measure, valuesOf(rows));
  const bytesOf = new Map(sizes.map(({ id, bytes }) => [id, bytes]));
  for (const part of splitByBytes(rows, ({ id }) => bytesOf.get(id) ?? 0, partBytesMax)) {
    const read = await query<{ id: string; definition: string }>("read-definitions", readDefinitions, valuesOf(part));
    const definitions = new Map(read.map(({ id, definition }) => [id, definition]));
    for (const row of part) {
      const [definition, figure] = [definitions.get(row.id), figures.get(row.id)];
      // Deleted meanwhile.
      if (definition === undefined || figure === undefined) continue;
      const item = showListItem(row, parseDefinition(definition), figure);
      // Parsing drops fields that are not in the contract.
      yield JSON.stringify(flowListItem.parse({ ...item, ...(favorites && { favorite: favorites.has(row.id) }) }));
      await yieldAfter(definition.length);
    }
  }
}

/** The person to whose favorites the list is limited. */
const favoriteOf = ({ by }: Actor, { favorite }: Filter) => (favorite ? by.id : undefined);

async function pageOfAll(actor: Actor, filter: Filter) {
  const { status, tag, page, limit, sortBy, order } = filter;
  const where: FlowWhereInput = { workspaceId: actor.workspaceId };
  const userId = favoriteOf(actor, filter);
  if (userId !== undefined) where.favorites = { some: { userId, workspaceId: actor.workspaceId } };
  if (status !== undefined) where.status = status;
  if (tag !== undefined && tag !== "") where.tags = { has: tag };
  const total = await database().flow.count({ where });
  const span = { skip: (page - 1) * limit, take: limit };
  if (span.skip >= total) return { rows: [], total };
  if (isByRuns(sortBy)) {
    const all = await database().flow.findMany({
      where,
      select: { id: true, updatedAt: true },
      orderBy: { id: order },
    });
    return { rows: await flowsOf(actor, await pageByRuns(actor, all, { sortBy, order, ...span })), total };
  }
  // Without a search, all are equally relevant.
  const key = sortBy === "relevance" ? "updatedAt" : sortBy;
  return {
    rows: await database().flow.findMany({ where, orderBy: [{ [key]: order }, { id: order }], ...span }),
    total,
  };
}

async function searchFlows(actor: Actor, filter: Filter) {
  const { search = "", status, tag, page, limit, sortBy, order } = filter;
  const span = { skip: (page - 1) * limit, take: limit };
  const request = { workspaceId: actor.workspaceId, search, status, tag, order, favoriteOf: favoriteOf(actor, filter) };
  if (!isByRuns(sortBy)) {
    const { ids, total } = await findFlows({ ...request, sortBy, ...span });
    return { rows: await flowsOf(actor, ids), total };
  }
  const { ids, total } = await findFlows({ ...request, sortBy: "id", skip: 0, take: null });
  const { workspaceId } = actor;
  const select = { id: true, updatedAt: true } as const;
  const found = await database().flow.findMany({
    where: { workspaceId, id: { in: ids } },
    select,
    orderBy: { id: order },
  });
  return { rows: await flowsOf(actor, await pageByRuns(actor, found, { sortBy, order, ...span })), total };
}

/** These flows in their order; one that was deleted in the meantime is left out. */
async function flowsOf({ workspaceId }: Actor, ids: readonly string[]) {
  const rows = await database().flow.findMany({ where: { workspaceId, id: { in: [...ids] } } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

type SortByRuns = "lastExecutedAt" | "activity";
const isByRuns = (sortBy: Filter["sortBy"]): sortBy is SortByRuns =>
  sortBy === "lastExecutedAt" || sortBy === "activity";

interface RunOrder extends Span {
  readonly sortBy: SortByRuns;
  readonly order: Filter["order"];
}

/** Ids by when flows last ran, with those that never did at the end; or by when they last ran or changed. */
async function pageByRuns(
  actor: Actor,
  flows: readonly { readonly id: string; readonly updatedAt: Date }[],
  { sortBy, order, skip, take }: RunOrder,
): Promise<string[]> {
  const figures = await flowFigures(
    actor.workspaceId,
    flows.map(({ id }) => id),
  );
  const dated = flows.map(({ id, updatedAt }) => {
    const lastRunMs = figures.get(id)?.lastExecutedAt?.getTime() ?? null;
    return { id, at: sortBy === "activity" ? Math.max(updatedAt.getTime(), lastRunMs ?? 0) : lastRunMs };
  });
  const sign = order === "asc" ? 1 : -1;
  const sorted = dated.filter(({ at }) => at !== null).toSorted((a, b) => sign * ((a.at ?? 0) - (b.at ?? 0)));
  return [...sorted, ...dated.filter(({ at }) => at === null)].slice(skip, skip + take).map(({ id }) => id);
}

interface Row extends Record<string, unknown> {
  readonly tag: string;
  readonly flows: number;
}

// A flow with a repeated tag counts once.
const count = `
  SELECT tag, count(*)::int AS flows
  FROM (SELECT DISTINCT f.id, t.tag FROM flow f CROSS JOIN LATERAL unnest(f.tags) AS t(tag)
    WHERE f.workspace_id = $1) AS tagged
  GROUP BY tag ORDER BY flows DESC, tag LIMIT ${flowTagsMax}`;

/** The tags of the workspace's flows with the number of flows for each, in alphabetical order. */
export async function listFlowTags({ workspaceId }: Actor): Promise<{ tag: string; flows: number }[]> {
  const rows = await query<Row>("count-flow-tags", count, [workspaceId]);
  return rows.toSorted((a, b) => a.tag.localeCompare(b.tag, "en"));
}
