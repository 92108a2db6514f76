import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import { flowTagsMax, type listFlows as listFlowsEndpoint } from "#lib/contract/flows/flows.ts";
import { database, query } from "#lib/platform/database.ts";
import type { FlowWhereInput } from "#lib/platform/prisma/models.ts";
import { parseDefinition } from "./definition.ts";
import { flowFigures } from "./flow-figures.ts";
import { showListItem } from "./show-flow.ts";

interface Span {
  readonly skip: number;
  readonly take: number;
}

type Filter = z.output<(typeof listFlowsEndpoint)["query"]>;

/** A page of the workspace's flows. Ties break by id, so that pages never repeat or skip an item. */
export async function listFlows(actor: Actor, filter: Filter) {
  const { page, limit, sortBy, order } = filter;
  const where = whereOf(actor, filter);
  const total = await database().flow.count({ where });
  if ((page - 1) * limit >= total) return { items: [], total };
  const span = { skip: (page - 1) * limit, take: limit };
  const rows =
    sortBy === "lastExecutedAt"
      ? await pageByLastRun(actor, where, order, span)
      : await database().flow.findMany({ where, orderBy: [{ [sortBy]: order }, { id: order }], ...span });
  const versions = await database().flowVersion.findMany({
    where: { OR: rows.map((row) => ({ flowId: row.id, version: row.version })) },
    select: { flowId: true, definition: true },
  });
  const definitions = new Map(versions.map((version) => [version.flowId, parseDefinition(version.definition)]));
  const figures = await flowFigures(
    actor.workspaceId,
    rows.map((row) => row.id),
  );
  const items = rows.flatMap((row) => {
    const definition = definitions.get(row.id);
    const figure = figures.get(row.id);
    return definition === undefined || figure === undefined ? [] : [showListItem(row, definition, figure)];
  });
  return { items, total };
}

/** Flows by when they last ran, which is not in their rows; those that never ran come last. */
async function pageByLastRun(actor: Actor, where: FlowWhereInput, order: Filter["order"], span: Span) {
  const all = await database().flow.findMany({ where, select: { id: true }, orderBy: { id: order } });
  const figures = await flowFigures(
    actor.workspaceId,
    all.map(({ id }) => id),
  );
  const lastOf = (id: string) => figures.get(id)?.lastExecutedAt?.getTime() ?? null;
  const sign = order === "asc" ? 1 : -1;
  const [ran, never] = [all.filter(({ id }) => lastOf(id) !== null), all.filter(({ id }) => lastOf(id) === null)];
  const sorted = ran.sort((one, other) => sign * ((lastOf(one.id) ?? 0) - (lastOf(other.id) ?? 0)));
  const wanted = [...sorted, ...never].slice(span.skip, span.skip + span.take).map(({ id }) => id);
  const rows = await database().flow.findMany({ where: { ...where, id: { in: wanted } } });
  return rows.sort((one, other) => wanted.indexOf(one.id) - wanted.indexOf(other.id));
}

function whereOf(actor: Actor, { status, tag, search }: Filter): FlowWhereInput {
  const where: FlowWhereInput = { workspaceId: actor.workspaceId };
  if (status !== undefined) where.status = status;
  if (tag !== undefined && tag !== "") where.tags = { has: tag };
  if (search !== undefined && search !== "") {
    // `%`, `_` and `\` are plain characters.
    const contains = { contains: search.replace(/[\\%_]/g, "\\$&"), mode: "insensitive" } as const;
    where.OR = [{ name: contains }, { description: contains }];
  }
  return where;
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
  return rows.toSorted((one, other) => one.tag.localeCompare(other.tag, "en"));
}
