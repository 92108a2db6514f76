import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { iso } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { parseDefinition } from "./definition.ts";
import { findFlow, showTrigger } from "./show-flow.ts";
import { updateFlow } from "./update-flow.ts";

interface PageRequest {
  readonly page: number;
  readonly limit: number;
}

/** A page of a flow's history, newest first. Throws NOT_FOUND. */
export async function listFlowVersions(actor: Actor, id: string, { page, limit }: PageRequest) {
  const { row } = await findFlow(actor, id);
  // Working copies that were run have negative numbers.
  const where = { flowId: id, version: { gt: 0 } };
  const total = await database().flowVersion.count({ where });
  const versions = await database().flowVersion.findMany({
    where,
    orderBy: { version: "desc" },
    skip: Math.min((page - 1) * limit, total),
    take: limit,
    select: { version: true, createdAt: true, createdBy: true, name: true, summary: true, liveAt: true },
  });
  const authors = await namesOfAuthors(
    actor,
    versions.map(({ createdBy }) => createdBy),
  );
  const items = versions.map(({ version, createdAt, createdBy, name, summary, liveAt }) => ({
    version,
    createdAt: iso(createdAt),
    createdBy,
    createdByName: createdBy === null ? null : (authors.get(createdBy) ?? null),
    isCurrent: version === row.version,
    name,
    summary,
    liveAt: liveAt && iso(liveAt),
  }));
  return { items, total };
}

const keptDraft = /^draft-([1-9]\d{0,8})$/;

/** One complete version of a flow. `draft-7`: its working copy as run at that revision. Throws NOT_FOUND. */
export async function readFlowVersion(actor: Actor, id: string, version: string) {
  const { row } = await findFlow(actor, id);
  const revision = keptDraft.exec(version)?.[1];
  const found = await (revision === undefined ? findVersion(id, version) : findNumbered(id, -Number(revision)));
  const { trigger, nodes, edges, variables } = parseDefinition(found.definition);
  return {
    version: found.basedOn ?? found.version,
    ...(revision === undefined ? {} : { draft: true }),
    createdAt: iso(found.createdAt),
    createdBy: found.createdBy,
    createdByName: (await namesOfAuthors(actor, [found.createdBy])).get(found.createdBy ?? "") ?? null,
    isCurrent: found.version === row.version,
    name: found.name,
    summary: found.summary,
    liveAt: found.liveAt && iso(found.liveAt),
    trigger: showTrigger(trigger, row.hookId),
    nodes: [...nodes],
    edges: [...edges],
    variables,
  };
}

/** Names a version, or removes its name. Throws NOT_FOUND. */
export async function nameFlowVersion(actor: Actor, id: string, version: string, name: string | null) {
  await findFlow(actor, id);
  const found = await findVersion(id, version);
  const where = { flowId_version: { flowId: id, version: found.version } };
  await database().flowVersion.update({ where, data: { name } });
  return { version: found.version, name };
}

/** Restores that version's content as a new version. Throws NOT_FOUND, VALIDATION_ERROR, CONFLICT. */
export async function restoreFlowVersion(actor: Actor, id: string, version: string, ifMatch: string | null) {
  const made = actor.once?.made as Awaited<ReturnType<typeof updateFlow>> | null | undefined;
  const restored = made ?? (await restore(actor, id, version, ifMatch));
  return { ...restored, payload: { ...restored.payload, version: restored.version } };
}

async function restore(actor: Actor, id: string, version: string, ifMatch: string | null) {
  await findFlow(actor, id);
  const { definition } = await findVersion(id, version);
  const { trigger, nodes, edges, variables } = parseDefinition(definition);
  return await updateFlow(actor, id, { trigger, nodes: [...nodes], edges: [...edges], variables }, ifMatch);
}

async function findVersion(flowId: string, version: string) {
  if (!/^[1-9]\d{0,8}$/.test(version)) throw notFound("Version");
  return await findNumbered(flowId, Number(version));
}

async function findNumbered(flowId: string, version: number) {
  const where = { flowId_version: { flowId, version } };
  const found = await database().flowVersion.findUnique({ where });
  if (found === null) throw notFound("Version");
  return found;
}

/** Names of people and API keys by id, if they belong to the actor's workspace. */
export async function namesOfAuthors(
  { workspaceId }: Pick<Actor, "workspaceId">,
  ids: Iterable<string | null>,
): Promise<ReadonlyMap<string, string>> {
  const userIds = [...new Set(ids)].filter((id) => id !== null);
  if (userIds.length === 0) return new Map();
  const select = { id: true, name: true };
  const [people, keys] = await Promise.all([
    database().user.findMany({ where: { id: { in: userIds }, memberships: { some: { workspaceId } } }, select }),
    database().apiKey.findMany({ where: { id: { in: userIds }, workspaceId }, select }),
  ]);
  return new Map([...people, ...keys].map(({ id, name }) => [id, name]));
}
