import type { Actor } from "#lib/auth/actor.ts";
import { exportVersion } from "#lib/contract/flow-copies.ts";
import { listExecutions } from "#lib/executions/list-executions.ts";
import { readExecution } from "#lib/executions/read-execution.ts";
import { findFlow } from "./find-flow.ts";

interface Wish {
  readonly includeVariables: boolean;
  readonly includeExecutions: boolean;
}

const executionsMax = 100;

/** The flow as a document that stands by itself, without what only this service gives it. Throws NOT_FOUND. */
export async function exportFlow(actor: Actor, id: string, { includeVariables, includeExecutions }: Wish) {
  const { row, definition } = await findFlow(actor, id);
  const { trigger, nodes, edges, variables } = definition;
  return {
    version: exportVersion,
    exportedAt: new Date().toISOString(),
    flow: {
      name: row.name,
      description: row.description,
      trigger,
      nodes: [...nodes],
      edges: [...edges],
      ...(includeVariables ? { variables } : {}),
      ...(row.settings === null ? {} : { settings: JSON.parse(row.settings) }),
    },
    ...(includeExecutions ? { executions: await latestExecutions(actor, id) } : {}),
  };
}

async function latestExecutions(actor: Actor, flowId: string) {
  const filter = { page: 1, limit: executionsMax, sortBy: "startedAt", order: "desc", flowId } as const;
  const { items } = await listExecutions(actor, filter);
  const whole = { includeLogs: true, includeNodeOutputs: true };
  return await Promise.all(items.map((item) => readExecution(actor, item.id, whole)));
}

/** A name for the file that an export is saved as: what every file system takes. */
export function exportFileName(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  return `${plain.slice(0, 100) || "flow"}.json`;
}
