import { triggerSource } from "#lib/engine/flow.ts";
import { bodyOf, type FlowBody } from "#lib/engine/flow-body.ts";
import type { PlannedNode } from "#lib/flows/plan-nodes.ts";
import { nodeTypes } from "#lib/nodes/registry.ts";

/** A node, its place, and the nodes it can read. */
export type Unplanned = Omit<PlannedNode, "plan">;

interface Enclosing {
  readonly path: string;
  readonly canRead: (id: string) => boolean;
  readonly loops: readonly string[];
  readonly isDisabled: boolean;
}

const topLevel: Enclosing = { path: "", canRead: () => false, loops: [], isDisabled: false };

/** All nodes of a flow; those in a loop's body come after the loop. */
export function placeNodes(body: FlowBody, enclosing: Enclosing = topLevel): Unplanned[] {
  const before = ancestry(body);
  return body.nodes.flatMap((node, index) => {
    const path = `${enclosing.path}nodes[${index}].config`;
    const canRead = (id: string) => before(node.id, id) || enclosing.canRead(id);
    const isDisabled = enclosing.isDisabled || node.disabled === true;
    const own = { node, path, canRead, loops: enclosing.loops, isDisabled };
    const inner = node.config.body == null ? null : bodyOf(node, nodeTypes.traits);
    if (inner === null) return [own];
    const loops = [...enclosing.loops, node.id];
    return [own, ...placeNodes(inner, { path: `${path}.body.`, canRead, loops, isDisabled })];
  });
}

/**
 * Tells whether a node runs before another. Each node's ancestors are a bit set, built from those of its parents: a few
 * hundred thousand words at the flow's limits. In a cycle, no node runs before another.
 */
function ancestry({ nodes, edges }: FlowBody): (id: string, ancestor: string) => boolean {
  const places = new Map(nodes.map((node, index) => [node.id, index]));
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

/** Adds a parent and its ancestors to a node's ancestors. */
function addAncestor(row: Uint32Array | undefined, parents: Uint32Array | undefined, parent: number): void {
  if (row === undefined || parents === undefined) return;
  for (const [index, word] of parents.entries()) row[index] = (row[index] ?? 0) | word;
  row[parent >> 5] = (row[parent >> 5] ?? 0) | (1 << (parent & 31));
}
