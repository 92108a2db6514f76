import type { Actor } from "#lib/auth/actor.ts";
import {
  type FlowDefinition,
  type FlowStatus,
  type FlowTrigger,
  isCalledTrigger,
  isPollTrigger,
} from "#lib/engine/flow.ts";
import { notFound } from "#lib/errors.ts";
import { iso } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { isId } from "#lib/platform/ids.ts";
import { parseDefinition } from "./definition.ts";
import { type FlowFigures, flowFigures } from "./flow-figures.ts";
import { favoritesAmong } from "./list/favorites.ts";
import { pollState } from "./polls/stored-poll.ts";

/** A flow's own row. */
interface FlowRow {
  readonly id: string;
  readonly hookId: string;
  readonly name: string;
  readonly description: string | null;
  readonly status: string;
  readonly tags: string[];
  readonly settings: string | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The trigger as clients see it: a webhook or form with its URL. */
export function showTrigger(trigger: FlowTrigger, hookId: string): FlowTrigger {
  if (!isCalledTrigger(trigger.type)) return trigger;
  return { ...trigger, config: { ...trigger.config, url: `${env().triggersUrl}/webhooks/${hookId}` } };
}

export function showListItem(row: FlowRow, definition: FlowDefinition, figures: FlowFigures) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    status: row.status as FlowStatus,
    tags: row.tags,
    trigger: showTrigger(definition.trigger, row.hookId),
    nodes: [...definition.nodes],
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
    lastExecutedAt: figures.lastExecutedAt === null ? null : iso(figures.lastExecutedAt),
    executionCount: figures.executionCount,
  };
}

/** The whole document with the flow's own fields; figures are added by the single read. */
export function showFlow(row: FlowRow, definition: FlowDefinition) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    status: row.status as FlowStatus,
    tags: row.tags,
    variables: definition.variables,
    trigger: showTrigger(definition.trigger, row.hookId),
    nodes: [...definition.nodes],
    edges: [...definition.edges],
    ...(row.settings === null ? {} : { settings: JSON.parse(row.settings) }),
    version: row.version,
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  };
}

/** One whole flow, with the figures of its runs. Throws NOT_FOUND. */
export async function readFlow(actor: Actor, id: string) {
  const { row, definition } = await findFlow(actor, id);
  const figures = (await flowFigures(actor.workspaceId, [id])).get(id);
  const last = figures?.lastExecutedAt ?? null;
  const favorites = await favoritesAmong(actor, [id]);
  return {
    ...showFlow(row, definition),
    draft: await draftOf(id),
    lastExecutedAt: last === null ? null : iso(last),
    executionCount: figures?.executionCount ?? 0,
    averageExecutionTime: figures?.averageExecutionTime ?? null,
    ...(favorites && { favorite: favorites.has(id) }),
    ...(definition.trigger.type === "schedule" ? { nextRunAt: await nextRunAt(id) } : {}),
    ...(isPollTrigger(definition.trigger.type) ? { poll: await pollState(id) } : {}),
  };
}

async function draftOf(flowId: string) {
  const select = { revision: true, basedOn: true, updatedAt: true };
  const draft = await database().flowDraft.findFirst({ where: { flowId, definition: { not: null } }, select });
  return draft === null ? null : { ...draft, updatedAt: iso(draft.updatedAt) };
}

async function nextRunAt(flowId: string): Promise<string | null> {
  const schedule = await database().flowSchedule.findUnique({ where: { flowId } });
  return schedule?.nextRunAt ? iso(schedule.nextRunAt) : null;
}

/** A flow of the actor's workspace with its current version. Throws NOT_FOUND. */
export async function findFlow(actor: Actor, id: string): Promise<{ row: FlowRow; definition: FlowDefinition }> {
  if (!isId("flow", id)) throw notFound("Flow");
  const row = await database().flow.findFirst({ where: { id, workspaceId: actor.workspaceId } });
  if (row === null) throw notFound("Flow");
  const where = { flowId_version: { flowId: id, version: row.version } };
  const version = await database().flowVersion.findUnique({ where, select: { definition: true } });
  // Deleted between the two reads.
  if (version === null) throw notFound("Flow");
  return { row, definition: parseDefinition(version.definition) };
}
