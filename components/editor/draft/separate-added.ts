import type { NodeType } from "#lib/contract/node-types.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { handleOf } from "#lib/engine/graph.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { type Renames, renameReferences } from "#lib/engine/rename-references.ts";
import { canvasOf, withCanvas } from "./canvas-settings.ts";
import { isDeepEqual } from "./deep-equal.ts";
import type { FlowDraft } from "./flow-draft.ts";
import { newId } from "./new-id.ts";
import { edgeIdOf } from "./open-draft.ts";
import { programFields } from "./program-fields.ts";

/**
 * New ids for nodes of `mine` that were added on both sides under one id, as happens when two people add a node of the
 * same type: they are two nodes, not one that both changed.
 */
export function sharedIds(base: FlowDraft, mine: FlowDraft, theirs: FlowDraft): Renames {
  const old = new Set(base.nodes.map((node) => node.id));
  const other = new Map(theirs.nodes.map((node) => [node.id, node]));
  const taken = new Set([triggerSource, ...old, ...other.keys(), ...mine.nodes.map((node) => node.id)]);
  const renames = new Map<string, string>();
  for (const node of mine.nodes) {
    const twin = other.get(node.id);
    if (old.has(node.id) || twin === undefined || isDeepEqual(node, twin)) continue;
    const id = newId(node.id, taken);
    taken.add(id);
    renames.set(node.id, id);
  }
  return renames;
}

/** Gives nodes other ids, everywhere that they are named: in edges, expressions, groups and pinned outputs. */
export function renameNodes(draft: FlowDraft, renames: Renames, types: readonly NodeType[]): FlowDraft {
  if (!draft.nodes.some(({ id }) => renames.has(id))) return draft;
  const to = (id: string) => renames.get(id) ?? id;
  const nodes = draft.nodes.map((node) => {
    const programs = programFields(types.find(({ type }) => type === node.type));
    const config = renameReferences(node.config, renames, (field) => programs.has(field));
    return { ...node, id: to(node.id), config: isJsonObject(config) ? config : node.config };
  });
  const edges = draft.edges.map((edge) => {
    if (!renames.has(edge.source) && !renames.has(edge.target)) return edge;
    const [source, target] = [to(edge.source), to(edge.target)];
    return { ...edge, source, target, id: edgeIdOf(source, handleOf(edge), target) };
  });
  const { groups, pins } = canvasOf(draft);
  const renamed = { ...draft, nodes, edges };
  if (groups.length === 0 && Object.keys(pins).length === 0) return renamed;
  return withCanvas(renamed, {
    groups: groups.map((group) => ({ ...group, nodeIds: group.nodeIds.map(to) })),
    pins: Object.fromEntries(Object.entries(pins).map(([id, output]) => [to(id), output])),
  });
}
