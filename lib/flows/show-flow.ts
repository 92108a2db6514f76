import type { FlowDefinition, FlowStatus, FlowTrigger } from "#lib/engine/flow.ts";
import { iso } from "#lib/platform/clock.ts";
import { env } from "#lib/platform/env.ts";
import type { FlowFigures } from "./flow-figures.ts";

/** A flow's own row. */
export interface FlowRow {
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

/** The trigger as clients see it: a webhook with the address that starts the flow. */
export function showTrigger(trigger: FlowTrigger, hookId: string): FlowTrigger {
  if (trigger.type !== "webhook") return trigger;
  return { ...trigger, config: { ...trigger.config, url: `${env().publicUrl}/api/v1/webhooks/${hookId}` } };
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
