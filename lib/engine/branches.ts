import type { FlowEdge, FlowNode } from "./flow.ts";
import { bodyOf } from "./flow-body.ts";
import { handleOf } from "./graph.ts";
import { type HandleSpec, plainHandle, type TraitsOf } from "./node-types.ts";

/** Each edge's source handle, in the order of the edges, and which ones were guessed. */
export interface Branches {
  /** Null: the plain handle. */
  readonly handles: readonly (string | null)[];
  /** Ids of nodes with more plain edges than free handles. */
  readonly ambiguous: readonly string[];
  /** The same for the bodies of its nodes, by node id; missing if there are none. */
  readonly bodies?: Readonly<Record<string, Branches>>;
}

/**
 * Decides the handle of each edge without one, by the rule of its source's type (docs/api.md, "What a flow may contain").
 * A named handle wins. Decided once, when a version is created, so that a retry never changes what a flow means.
 */
export function settleBranches(nodes: readonly FlowNode[], edges: readonly FlowEdge[], traitsOf: TraitsOf): Branches {
  const handles = edges.map(handleOf);
  const ambiguous: string[] = [];
  const bodies: [string, Branches][] = [];
  const outgoing = new Map<string, number[]>();
  edges.forEach((edge, index) => {
    const list = outgoing.get(edge.source);
    if (list === undefined) outgoing.set(edge.source, [index]);
    else list.push(index);
  });
  for (const node of nodes) {
    const own = outgoing.get(node.id) ?? [];
    const body = bodyOf(node, traitsOf);
    if (body !== null) bodies.push([node.id, settleBranches(body.nodes, body.edges, traitsOf)]);
    const spec = traitsOf(node.type)?.handles ?? plainHandle;
    const { plain, fixed } = spec;
    const isDisabled = node.disabled === true;
    if (plain !== undefined && !isDisabled) for (const index of own) handles[index] ??= plain;
    if (spec.labels === undefined) continue;
    for (const index of own) handles[index] ??= namedBy(edges[index]?.label, spec);
    // A disabled node always leaves by its plain handle. A label still names a branch, as a handle would.
    if (isDisabled) continue;
    const left = own.filter((index) => handles[index] === null);
    const taken = new Set(own.map((index) => handles[index]));
    const free = fixed.filter((handle) => !taken.has(handle));
    left.forEach((index, place) => {
      handles[index] = free[place] ?? fixed.at(-1) ?? null;
    });
    if (left.length > free.length) ambiguous.push(node.id);
  }
  return { handles, ambiguous, ...(bodies.length === 0 ? {} : { bodies: Object.fromEntries(bodies) }) };
}

/** The handle that a label names, by its name or a synonym. */
function namedBy(label: string | null | undefined, { fixed, labels }: HandleSpec): string | null {
  const answer = label?.trim().toLowerCase() ?? "";
  return fixed.find((handle) => handle === answer || labels?.[handle]?.includes(answer)) ?? null;
}
