import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import type { Problem } from "#lib/engine/graph.ts";
import { isJsonObject, type Json } from "#lib/engine/json.ts";

/** A problem with the place of its node. */
export interface PlacedProblem extends Problem {
  /** The loops around its node, from the outermost on; missing for the flow's own nodes. */
  readonly within?: readonly string[];
}

/** An error's details, by path, as problems of nodes. */
export function readProblems(details: Readonly<Record<string, unknown>>, draft: FlowDraft): PlacedProblem[] {
  return Object.entries(details).map(([path, message]) => placeProblem({ path, message: String(message) }, draft));
}

/** A problem with its node, which may be in a loop's body, and the loops around that. */
export function placeProblem<Found extends Problem>(
  problem: Found,
  { nodes }: Pick<FlowDraft, "nodes">,
): Found & PlacedProblem {
  const { path, nodeId } = problem;
  if (path.startsWith(`${triggerSource}.`)) return { ...problem, nodeId: triggerSource };
  const ids = idsAlong(path, nodes);
  // Something shaped like a body inside the reported node is the node's own data.
  const end = nodeId === undefined ? -1 : ids.indexOf(nodeId);
  const chain = end === -1 ? ids : ids.slice(0, end + 1);
  const own = chain.at(-1) ?? nodeId;
  const within = chain.slice(0, -1);
  return { ...problem, ...(own !== undefined && { nodeId: own }), ...(within.length > 0 && { within }) };
}

const step = /^(nodes|edges)\[(\d+)\](\.config\.body\.)?/;

/** The ids of the nodes on a path such as `nodes[2].config.body.edges[0].target`, an edge counting as its target. */
function idsAlong(path: string, nodes: readonly unknown[], edges: readonly unknown[] = []): string[] {
  const [start = "", list, index, isInBody] = step.exec(path) ?? [];
  if (list === "edges") return [idIn(edges[Number(index)], "target")].flatMap((id) => id ?? []);
  const node = list === "nodes" ? nodes[Number(index)] : undefined;
  const id = idIn(node, "id");
  if (id === undefined) return [];
  const config = member(node, "config");
  const body = isInBody === undefined ? undefined : member(config, "body");
  return [id, ...idsAlong(path.slice(start.length), listIn(body, "nodes"), listIn(body, "edges"))];
}

function idIn(item: unknown, key: string): string | undefined {
  const id = member(item, key);
  return typeof id === "string" ? id : undefined;
}

function listIn(item: unknown, key: string): readonly Json[] {
  const list = member(item, key);
  return Array.isArray(list) ? list : [];
}

function member(item: unknown, key: string): Json | undefined {
  return isJsonObject(item) ? item[key] : undefined;
}

/** The number of a node's problems, including those in its body. */
export function problemsOn(problems: readonly PlacedProblem[], id: string): number {
  return problems.filter(({ nodeId, within }) => nodeId === id || within?.includes(id)).length;
}

/** The path of a problem's field within its node's config; null if the problem is not about the config. */
export function configPathOf({ path, within = [] }: Pick<PlacedProblem, "path" | "within">): string | null {
  let own = path;
  for (const _ of within) own = own.replace(/^nodes\[\d+\]\.config\.body\./, "");
  return /^(?:nodes\[\d+\]|trigger)\.config\.?(.*)$/.exec(own)?.[1] ?? null;
}
