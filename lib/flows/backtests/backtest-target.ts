import { settleBranches } from "#lib/engine/branches.ts";
import { compileVersion } from "#lib/executions/nodes/compiled-version.ts";
import { parseDefinition } from "#lib/flows/definition.ts";
import { nodeTypes } from "#lib/nodes/registry.ts";
import { database } from "#lib/platform/database.ts";
import { yieldAfter } from "#lib/platform/turns.ts";
import type { Compared } from "./compare-past-run.ts";

/** The parts of a stored backtest that name its target. */
export interface StoredTarget {
  readonly workspaceId: string;
  readonly flowId: string;
  readonly definition: string;
}

/** The version that a backtest compares runs with, prepared for replays. */
export async function targetOfBacktest({ workspaceId, flowId, definition }: StoredTarget): Promise<Compared> {
  await yieldAfter(definition.length);
  const { nodes, edges, variables } = parseDefinition(definition);
  const branches = settleBranches(nodes, edges, nodeTypes.traits);
  const target = compileVersion({ trigger: { type: "manual", config: {} }, nodes, edges, variables }, branches);
  await target.planAll(workspaceId);
  const flow = await database().flow.findUnique({ where: { id: flowId }, select: { name: true } });
  return { workspaceId, flowName: flow?.name ?? "", target };
}
