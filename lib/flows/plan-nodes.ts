import { type FlowNode, flowLimits } from "#lib/engine/flow.ts";
import type { FlowBody } from "#lib/engine/flow-body.ts";
import { planNodeConfig } from "#lib/nodes/registry.ts";
import { readFor } from "#lib/reading/read-sources.ts";
import { placeNodes, type Unplanned } from "./checks/place-nodes.ts";

/** A node whose config is parsed once for all checks. */
export interface PlannedNode {
  readonly node: FlowNode;
  /** The path of its config in the flow: `nodes[2].config`. */
  readonly path: string;
  readonly plan: ReturnType<typeof planNodeConfig>;
  /** Whether the node runs before this one, so that expressions can read it. */
  readonly canRead: (id: string) => boolean;
  /** The ids of the loops around it, outermost first. */
  readonly loops: readonly string[];
  /** Whether it or a loop around it is disabled: it then never runs. */
  readonly isDisabled: boolean;
}

/**
 * Plans all nodes of a flow; those in a loop's body come after the loop. `owner`: the workspace. For a flow with too
 * many expressions, only the first nodes, for which `hasTooManyExpressions` is true.
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

/** Whether the flow of these nodes has more expressions, readable or not, than an active flow may have. */
export function hasTooManyExpressions(planned: readonly PlannedNode[]): boolean {
  const count = planned.reduce((sum, { plan }) => sum + plan.expressions.length + plan.problems.length, 0);
  return count > flowLimits.expressionsMax;
}
