import { type FlowNode, flowLimits } from "#lib/engine/flow.ts";
import type { FlowBody } from "#lib/engine/flow-body.ts";
import { planNodeConfig } from "#lib/nodes/registry.ts";
import { readFor } from "#lib/reading/read-sources.ts";
import { placeNodes, type Unplanned } from "./checks/place-nodes.ts";

/** A node with its config read once, for everything that is said of it. */
export interface PlannedNode {
  readonly node: FlowNode;
  /** Leads to its config in the flow: `nodes[2].config`. */
  readonly path: string;
  readonly plan: ReturnType<typeof planNodeConfig>;
  /** Whether the node runs before this one, so that expressions can read it. */
  readonly canRead: (id: string) => boolean;
  /** The ids of the loops that it is in, from the outermost. */
  readonly loops: readonly string[];
  /** Whether it, or a loop that it is in, is disabled: then it never runs. */
  readonly isDisabled: boolean;
}

/**
 * All nodes of a flow, those of loops' bodies after their loop; `owner`: the workspace that asks. Of a flow with too many
 * expressions only the first nodes, of which `hasTooManyExpressions` is true.
 */
export async function planNodes(owner: string, body: FlowBody): Promise<PlannedNode[]> {
  const placed = placeNodes(body);
  const plans = await readFor(
    owner,
    placed,
    ({ node }, read) => planNodeConfig(node.type, node.config, read),
    flowLimits.expressionsMax,
  );
  return plans.map((plan, index) => ({ ...(placed[index] as Unplanned), plan }));
}

/** Whether the flow that these nodes are of cannot be active for the number of its expressions alone, readable or not. */
export function hasTooManyExpressions(planned: readonly PlannedNode[]): boolean {
  const count = planned.reduce((sum, { plan }) => sum + plan.expressions.length + plan.problems.length, 0);
  return count > flowLimits.expressionsMax;
}
