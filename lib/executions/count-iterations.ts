import { type FlowNode, stepSeparator } from "#lib/engine/flow.ts";
import { bodyOf } from "#lib/engine/flow-body.ts";
import { query } from "#lib/platform/database.ts";

const countByNode = `
  SELECT split_part(node_id, $2, 1) AS node_id, count(*)::int AS turns FROM node_execution
  WHERE execution_id = $1 AND position($2 IN node_id) > 0 GROUP BY 1`;

/** How many iterations each loop among these nodes has begun, by the loops' ids. Every turn reaches a first node. */
export async function countIterations(executionId: string, nodes: readonly FlowNode[]): Promise<Map<string, number>> {
  const loops = nodes.flatMap((node) => {
    const body = bodyOf(node);
    return body === null ? [] : [{ id: node.id, body: body.nodes.map(({ id }) => id) }];
  });
  if (loops.length === 0) return new Map();
  const rows = await query<{ node_id: string; turns: number }>("count-iterations-by-node", countByNode, [
    executionId,
    stepSeparator,
  ]);
  const turns = new Map(rows.map((row) => [row.node_id, row.turns]));
  return new Map(loops.map(({ id, body }) => [id, Math.max(0, ...body.map((node) => turns.get(node) ?? 0))]));
}
