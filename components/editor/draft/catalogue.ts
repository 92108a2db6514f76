import { handleSpec } from "#components/canvas/flow-graph.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { handlesOf } from "#lib/engine/branches.ts";
import type { NodeTypes } from "#lib/engine/graph.ts";

/**
 * What the engine's graph checks ask of node types, from the catalogue that the server tells. A type that this
 * server does not know (any more) counts as one with a plain handle: its nodes stay, and can be wired and mended.
 */
export function catalogueOf(types: readonly NodeType[]): NodeTypes {
  const known = new Map(types.map((type) => [type.type, handleSpec(type)]));
  return {
    known: () => [...known.keys()],
    handles: (type, config) => {
      const spec = known.get(type);
      return spec === undefined ? [] : handlesOf(spec, config);
    },
  };
}
