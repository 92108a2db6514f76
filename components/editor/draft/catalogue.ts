import { traitsIn } from "#components/canvas/flow-graph.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { handlesOf, type NodeTypes } from "#lib/engine/node-types.ts";

/**
 * What the engine's graph checks need to know about node types, from the server's catalogue. A type that this
 * server does not know (any more) is treated as one with a plain handle: its nodes stay, and can be wired and fixed.
 */
export function catalogueOf(types: readonly NodeType[]): NodeTypes {
  const traits = traitsIn(types);
  return {
    known: () => types.map(({ type }) => type),
    traits,
    handles: (type, config) => {
      const spec = traits(type)?.handles;
      return spec === undefined ? [] : handlesOf(spec, config);
    },
  };
}
