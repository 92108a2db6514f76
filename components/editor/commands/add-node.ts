import { newId, newName } from "#components/editor/draft/node-ids.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { Command, FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { freshEdge } from "./connect.ts";

interface Place {
  readonly x: number;
  readonly y: number;
}

/** A new node's initial fields besides its type. */
export interface NodeStart {
  readonly name: string;
  readonly config: JsonObject;
}

/** Creates a node of a type, with an id that is not in `ids` and a unique name. */
export function makeNode(
  draft: FlowDraft,
  type: Pick<NodeType, "type" | "name">,
  position: Place,
  ids: ReadonlySet<string>,
  start?: NodeStart,
): FlowNode {
  const names = new Set(draft.nodes.map((node) => node.name));
  const name = newName(start?.name ?? type.name, names);
  return { id: newId(type.type, ids), type: type.type, name, position, config: start?.config ?? {} };
}

/** Adds a node; with `after`, connected to that node. */
export function addNode(node: FlowNode, after?: { readonly source: string; readonly handle: string | null }): Command {
  return (draft) => {
    const nodes = [...draft.nodes, node];
    if (after === undefined) return { ...draft, nodes };
    return { ...draft, nodes, edges: [...draft.edges, freshEdge({ ...after, target: node.id }, draft.edges)] };
  };
}
