import type { NodeType } from "#lib/contract/node-types.ts";
import { type FlowNode, flowLimits } from "#lib/engine/flow.ts";
import { handleOf } from "#lib/engine/graph.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { type Renames, renameReferences } from "#lib/engine/rename-references.ts";
import type { DraftEdge, FlowDraft } from "../draft/flow-draft.ts";
import { newId, newName } from "../draft/new-id.ts";
import { programFields } from "../draft/program-fields.ts";
import { freshEdge } from "./connect.ts";
import type { CopiedNodes } from "./copied-nodes.ts";
import type { Place } from "./move.ts";

/** A flow with nodes pasted into it, and the ids that they got. */
export interface Pasted {
  readonly draft: FlowDraft;
  readonly ids: ReadonlySet<string>;
}

/**
 * Puts copied nodes into a flow. Every node gets an id that is free here, and expressions that read another pasted
 * node read it by its new id; those that read a node which was not copied stay as they are. `at`: where the upper left
 * corner of the pasted nodes comes to stand. Throws RangeError when the flow would have too many nodes.
 */
export function paste(draft: FlowDraft, copied: CopiedNodes, at: Place, types: readonly NodeType[]): Pasted {
  if (draft.nodes.length + copied.nodes.length > flowLimits.nodesMax) {
    throw new RangeError(`A flow has at most ${flowLimits.nodesMax} nodes`);
  }
  const renames = chooseIds(draft, copied.nodes);
  const left = Math.min(...copied.nodes.map((node) => node.position.x));
  const top = Math.min(...copied.nodes.map((node) => node.position.y));
  const names = new Set(draft.nodes.map((node) => node.name));
  const nodes = copied.nodes.map((node): FlowNode => {
    const name = newName(node.name, names);
    names.add(name);
    return {
      ...node,
      id: renames.get(node.id) ?? node.id,
      name,
      position: { x: at.x + node.position.x - left, y: at.y + node.position.y - top },
      config: renamedConfig(node, renames, types),
    };
  });
  const edges: DraftEdge[] = [...draft.edges];
  for (const edge of copied.edges) {
    const source = renames.get(edge.source);
    const target = renames.get(edge.target);
    if (source === undefined || target === undefined) continue;
    edges.push(freshEdge({ source, handle: handleOf(edge), target }, edges));
  }
  return {
    draft: { ...draft, nodes: [...draft.nodes, ...nodes], edges },
    ids: new Set(nodes.map((node) => node.id)),
  };
}

/** Free among the flow's own ids and among those that the other pasted nodes got. */
function chooseIds(draft: FlowDraft, nodes: readonly FlowNode[]): Map<string, string> {
  const taken = new Set(["trigger", ...draft.nodes.map((node) => node.id)]);
  const ids = new Map<string, string>();
  for (const node of nodes) {
    const id = taken.has(node.id) ? newId(node.id, taken) : node.id;
    taken.add(id);
    ids.set(node.id, id);
  }
  return ids;
}

function renamedConfig(node: FlowNode, ids: Renames, types: readonly NodeType[]): FlowNode["config"] {
  const programs = programFields(types.find((type) => type.type === node.type));
  const changed = new Map([...ids].filter(([from, to]) => from !== to));
  const config = renameReferences(node.config, changed, (field) => programs.has(field));
  return isJsonObject(config) ? config : node.config;
}
