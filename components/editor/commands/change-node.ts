import type { FlowNode } from "#lib/engine/flow.ts";
import { handleOf } from "#lib/engine/graph.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { errorHandle } from "#lib/engine/outcome.ts";
import type { Command, FlowDraft } from "../draft/flow-draft.ts";

/** Changes fields of one node. */
export function changeNode(id: string, changes: Partial<Omit<FlowNode, "id">>): Command {
  return (draft) => {
    if (!draft.nodes.some((node) => node.id === id)) return draft;
    return { ...draft, nodes: draft.nodes.map((node) => (node.id === id ? { ...node, ...changes } : node)) };
  };
}

/**
 * Replaces a node's config. Edges that leave by a handle which the new config renames go by the new name; `renamed`
 * tells old names and new ones. Edges of a handle that is gone are removed: nothing could take them.
 */
export function changeConfig(
  id: string,
  config: JsonObject,
  handles: readonly string[],
  renamed: ReadonlyMap<string, string> = new Map(),
): Command {
  return (draft) => {
    const changed = changeNode(id, { config })(draft);
    if (changed === draft) return draft;
    return { ...changed, edges: keptEdges(changed, id, new Set(handles), renamed) };
  };
}

function keptEdges(
  { edges }: FlowDraft,
  id: string,
  handles: ReadonlySet<string>,
  renamed: ReadonlyMap<string, string>,
): FlowDraft["edges"] {
  const next = edges.flatMap((edge) => {
    const handle = handleOf(edge);
    if (edge.source !== id || handle === null || handle === errorHandle) return [edge];
    const name = renamed.get(handle) ?? handle;
    if (!handles.has(name)) return [];
    return [name === handle ? edge : { ...edge, sourceHandle: name }];
  });
  const isSame = next.length === edges.length && next.every((edge, index) => edge === edges[index]);
  return isSame ? edges : next;
}
