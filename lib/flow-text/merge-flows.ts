import { type AnyNode, configOf, readBody } from "#lib/engine/changes/body-parts.ts";
import { isDeepEqual } from "#lib/engine/changes/deep-equal.ts";
import { type FlowDraft, openDraft } from "#lib/engine/changes/flow-draft.ts";
import { mergeDraftsBy } from "#lib/engine/changes/merge-drafts.ts";
import { byName, type Choose, mapSides, mergeByKey, type Sides } from "#lib/engine/changes/merge-sides.ts";
import type { FlowSettings } from "#lib/engine/flow.ts";
import { formatPath } from "#lib/engine/json.ts";
import type { TraitsOf } from "#lib/engine/node-types.ts";
import type { FlowDocument, FlowDocumentTest } from "./flow-document.ts";
import { chooseByField, keyOf, mergeOrder, type OrderedEdge, orderMerged } from "./merge-parts.ts";

/** A field that both sides changed differently, or that one changed and the other removed. */
export interface FlowConflict {
  /** `nodes.check.config.url`, `edges["a→b"]`, `variables.rate`, `tests["An empty order"].expect`. */
  readonly path: string;
  /** For people: `Check: config.url`. */
  readonly what: string;
  /** Undefined if missing on that side. */
  readonly base: unknown;
  readonly ours: unknown;
  readonly theirs: unknown;
}

export interface MergedFlows {
  /** The changes of both sides; for conflicts, ours. */
  readonly merged: FlowDocument;
  readonly conflicts: readonly FlowConflict[];
}

/**
 * Three-way merge, field by field. A card that both sides moved keeps our position, without a conflict.
 * @param traitsOf as for `diffFlows`. With it, merged edges name their handles.
 */
export function mergeFlows(
  base: FlowDocument,
  ours: FlowDocument,
  theirs: FlowDocument,
  traitsOf: TraitsOf = () => undefined,
): MergedFlows {
  const conflicts: FlowConflict[] = [];
  const choose = chooseByField(conflicts);
  const documents: Sides<FlowDocument> = { old: base, own: ours, other: theirs };
  const drafts = mapSides(documents, ({ flow }) => draftOf(flow, traitsOf));
  // Anything shaped like a graph is merged as a graph, whatever the node's type.
  const draft = mergeDraftsBy(drafts, () => true, choose);
  const edges = mapSides(drafts, (side) => side.edges);
  const ordered = orderMerged(draft.edges, edges, conflicts);
  conflicts.push(...lostEdges(draft, drafts));
  const flow = {
    name: draft.name,
    description: described(draft.description, documents),
    ...(draft.tags.length === 0 ? {} : { tags: draft.tags }),
    trigger: draft.trigger,
    nodes: inOrder(draft, drafts),
    edges: ordered,
    ...mergedField("variables", draft.variables, documents),
    ...mergedField("settings", withoutUndefined(draft.settings), documents),
  };
  const tests = mergeTests(documents, choose);
  const merged: FlowDocument = { version: ours.version, flow, ...(tests === undefined ? {} : { tests }) };
  return { merged, conflicts };
}

/** A flow's document in the form in which drafts are compared and merged. */
export function draftOf(flow: FlowDocument["flow"], traitsOf: TraitsOf): FlowDraft {
  return openDraft({ ...flow, tags: flow.tags ?? [], variables: flow.variables ?? {} }, traitsOf);
}

/** Edges that one side added or changed while the other removed their source or target. */
function lostEdges(draft: FlowDraft, drafts: Sides<FlowDraft>): FlowConflict[] {
  const merged = edgesWithin(draft, []);
  const { old, own, other } = mapSides(drafts, (side) => edgesWithin(side, []));
  return [...new Set([...own.keys(), ...other.keys()])].flatMap((path) => {
    // A missing loop is already a conflict, or the other side did not change it.
    const [edge, level = ""] = [own.get(path) ?? other.get(path), (own.get(path) ?? other.get(path))?.level];
    if (edge === undefined || merged.has(path) || !isThere(draft, level)) return [];
    const sides = { base: old.get(path)?.edge, ours: own.get(path)?.edge, theirs: other.get(path)?.edge };
    const isChanged = [sides.ours, sides.theirs].some((side) => side !== undefined && !isDeepEqual(side, sides.base));
    if (!isChanged) return [];
    return [{ path, what: `The edge ${keyOf(edge.edge)}: an end of it was removed`, ...sides }];
  });
}

interface PlacedEdge {
  readonly edge: OrderedEdge;
  /** The id of the enclosing loop; empty at the top level. */
  readonly level: string;
}

/** All edges by path, including those in loops. */
function edgesWithin({ nodes, edges }: EdgedGraph, steps: readonly string[]): Map<string, PlacedEdge> {
  const level = steps.at(-2) ?? "";
  const found = new Map(edges.map((edge) => [formatPath([...steps, "edges", keyOf(edge)]), { edge, level }]));
  for (const node of nodes) {
    const body = readBody(configOf(node).body);
    if (body === null) continue;
    const inner = { nodes: [...body.nodes.values()], edges: [...body.edges.values()] as unknown as OrderedEdge[] };
    for (const [path, edge] of edgesWithin(inner, ["nodes", String(node.id), "body"])) found.set(path, edge);
  }
  return found;
}

interface EdgedGraph {
  readonly nodes: readonly AnyNode[];
  readonly edges: readonly OrderedEdge[];
}

function isThere({ nodes }: { readonly nodes: readonly AnyNode[] }, id: string): boolean {
  if (id === "") return true;
  return nodes.some((node) => {
    const body = readBody(configOf(node).body);
    return node.id === id || (body !== null && isThere({ nodes: [...body.nodes.values()] }, id));
  });
}

/** Nodes in the order of the side that changed it; if both did, in ours. */
function inOrder({ nodes }: FlowDraft, sides: Sides<FlowDraft>): FlowDraft["nodes"] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const orders = mapSides(sides, (side) => side.nodes.map(({ id }) => id));
  const order = mergeOrder([...byId.keys()], orders) ?? [];
  const ordered = order.flatMap((id) => byId.get(id) ?? []);
  return ordered.length === nodes.length ? ordered : nodes;
}

function described(text: string, { own, other }: Sides<FlowDocument>): string | null {
  if (text !== "") return text;
  return own.flow.description === "" || other.flow.description === "" ? "" : null;
}

/** Omits an empty object if either side omits it. */
function mergedField<Key extends "variables" | "settings">(
  key: Key,
  value: object,
  { own, other }: Sides<FlowDocument>,
) {
  const isNone = Object.keys(value).length === 0 && (own.flow[key] === undefined || other.flow[key] === undefined);
  return isNone ? {} : { [key]: value };
}

function withoutUndefined(settings: FlowSettings): FlowSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function mergeTests(sides: Sides<FlowDocument>, choose: Choose): FlowDocumentTest[] | undefined {
  if (sides.own.tests === undefined && sides.other.tests === undefined) return undefined;
  const named = mapSides(sides, ({ tests = [] }) => byName(tests, ({ name }) => name));
  const merged = mergeByKey(named, (name, test) => choose({ key: `test ${name}`, what: `The test ${name}` }, test));
  return [...merged.values()];
}
