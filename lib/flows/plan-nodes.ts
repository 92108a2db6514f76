import { type FlowNode, flowLimits, triggerSource } from "#lib/engine/flow.ts";
import { bodyOf, type FlowBody } from "#lib/engine/flow-body.ts";
import { nodeTypes, planNodeConfig } from "#lib/nodes/registry.ts";
import { readFor } from "#lib/reading/read-sources.ts";

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

type Unplanned = Omit<PlannedNode, "plan">;

interface Around {
  readonly path: string;
  readonly canRead: (id: string) => boolean;
  readonly loops: readonly string[];
  readonly isDisabled: boolean;
}

const flowItself: Around = { path: "", canRead: () => false, loops: [], isDisabled: false };

/**
 * All nodes of a flow, those of loops' bodies after their loop; `owner`: the workspace that asks. Of a flow with too many
 * expressions only the first nodes, of which `hasTooManyExpressions` is true.
 */
export async function planNodes(owner: string, body: FlowBody): Promise<PlannedNode[]> {
  const placed = placeNodes(body, flowItself);
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

function placeNodes(body: FlowBody, around: Around): Unplanned[] {
  const before = ancestry(body);
  return body.nodes.flatMap((node, index) => {
    const path = `${around.path}nodes[${index}].config`;
    const canRead = (id: string) => before(node.id, id) || around.canRead(id);
    const isDisabled = around.isDisabled || node.disabled === true;
    const own = { node, path, canRead, loops: around.loops, isDisabled };
    const inner = node.config.body == null ? null : bodyOf(node, nodeTypes.traits);
    if (inner === null) return [own];
    const loops = [...around.loops, node.id];
    return [own, ...placeNodes(inner, { path: `${path}.body.`, canRead, loops, isDisabled })];
  });
}

/**
 * Tells whether a node runs before another. Of each node, its ancestors are a row of bits, made from those of the nodes
 * that lead to it: at the flow's limits some hundred thousand words are written. In a cycle nothing is said to be before.
 */
function ancestry({ nodes, edges }: FlowBody): (id: string, ancestor: string) => boolean {
  const places = new Map(nodes.map((node, place) => [node.id, place]));
  const rows = nodes.map(() => new Uint32Array(Math.ceil(nodes.length / 32)));
  const leaving = Map.groupBy(edges, (edge) => edge.source);
  const waiting = new Int32Array(nodes.length);
  for (const { source, target } of edges) {
    const place = places.get(target);
    if (place !== undefined && source !== triggerSource && places.has(source))
      waiting[place] = (waiting[place] ?? 0) + 1;
  }
  const ready = [...places.values()].filter((place) => waiting[place] === 0);
  for (const place of ready) {
    for (const { target } of leaving.get(nodes[place]?.id ?? "") ?? []) {
      const next = places.get(target);
      if (next === undefined) continue;
      addAncestor(rows[next], rows[place], place);
      waiting[next] = (waiting[next] ?? 0) - 1;
      if (waiting[next] === 0) ready.push(next);
    }
  }
  return (id, ancestor) => {
    const [own, other] = [places.get(id), places.get(ancestor)];
    return own !== undefined && other !== undefined && (((rows[own]?.[other >> 5] ?? 0) >>> (other & 31)) & 1) === 1;
  };
}

/** Adds a node, and what is before it, to what is before another. */
function addAncestor(row: Uint32Array | undefined, parents: Uint32Array | undefined, parent: number): void {
  if (row === undefined || parents === undefined) return;
  for (const [index, word] of parents.entries()) row[index] = (row[index] ?? 0) | word;
  row[parent >> 5] = (row[parent >> 5] ?? 0) | (1 << (parent & 31));
}
