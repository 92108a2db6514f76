import type { FlowEdge, FlowNode } from "./flow.ts";
import { bodyOf } from "./flow-body.ts";
import { handleOf } from "./graph.ts";
import { isJsonObject } from "./json.ts";

/** Which handle each edge leaves by, in the order of the edges, and what had to be guessed. */
export interface Branches {
  /** Null: the plain handle. */
  readonly handles: readonly (string | null)[];
  /** Ids of if-else nodes with more plain edges than branches. */
  readonly ambiguous: readonly string[];
  /** The same of the bodies of its loops, by the loop's id; missing without any. */
  readonly bodies?: Readonly<Record<string, Branches>>;
}

const words = new Map<string, "true" | "false">([
  ["true", "true"],
  ["yes", "true"],
  ["then", "true"],
  ["false", "false"],
  ["no", "false"],
  ["else", "false"],
]);

/** The handle of a `wait` node that was resumed: what its plain edges mean. */
export const resumedHandle = "resumed";

/**
 * Decides which branch an `if-else` edge without a handle takes (docs/api.md, "What a flow may hold"). A handle or a label
 * that names a branch wins; the others fill what is left in list order, true first, and any further ones are false.
 * Done once, when a version is made, so that a retry never changes what a flow means.
 */
export function settleBranches(nodes: readonly FlowNode[], edges: readonly FlowEdge[]): Branches {
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
    const body = bodyOf(node);
    if (body !== null) bodies.push([node.id, settleBranches(body.nodes, body.edges)]);
    // A time limit that passed must not be taken for the answer that was waited for.
    if (node.type === "wait") for (const index of own) handles[index] ??= resumedHandle;
    if (node.type !== "if-else") continue;
    for (const index of own) handles[index] ??= words.get(edges[index]?.label?.trim().toLowerCase() ?? "") ?? null;
    const plain = own.filter((index) => handles[index] === null);
    const taken = new Set(own.map((index) => handles[index]));
    const free = ["true", "false"].filter((handle) => !taken.has(handle));
    plain.forEach((index, place) => {
      handles[index] = free[place] ?? "false";
    });
    if (plain.length > free.length) ambiguous.push(node.id);
  }
  return { handles, ambiguous, ...(bodies.length === 0 ? {} : { bodies: Object.fromEntries(bodies) }) };
}

/**
 * The handles that a node type can leave by, as data, so that server and browser read the same.
 * `error` exists on every node and is not listed.
 */
export interface HandleSpec {
  /** Always there; empty, and no `each`, for a node with only its plain handle. */
  readonly fixed: readonly string[];
  /** The config field with a list of `{id}`: a handle for each, before the fixed ones. */
  readonly each?: string;
}

/** For nodes that lead on in one way only. */
export const plainHandle: HandleSpec = { fixed: [] };

export function handlesOf(spec: HandleSpec, config: unknown): readonly string[] {
  if (spec.each === undefined || !isJsonObject(config)) return spec.fixed;
  const list = config[spec.each];
  const ids = Array.isArray(list) ? list.flatMap((item) => (isJsonObject(item) ? [item.id] : [])) : [];
  return [...ids.filter((id) => typeof id === "string"), ...spec.fixed];
}
