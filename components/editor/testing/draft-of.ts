import { traitsIn } from "#components/canvas/flow-graph.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { type FlowDraft, identifyEdges } from "#lib/engine/changes/flow-draft.ts";
import type { FlowEdge, FlowNode } from "#lib/engine/flow.ts";

/** A node for tests, by default a `log`. */
export function nodeOf(id: string, changes: Partial<FlowNode> = {}): FlowNode {
  return { id, type: "log", name: id, position: { x: 0, y: 0 }, config: {}, ...changes };
}

type Given = Partial<Omit<FlowDraft, "edges">> & { readonly edges?: readonly FlowEdge[] };

/** A draft for tests, with the given parts. */
export function draftOf({ edges = [], ...given }: Given = {}): FlowDraft {
  const nodes = given.nodes ?? [];
  return {
    name: "A flow",
    description: "",
    tags: [],
    trigger: { type: "webhook", config: {} },
    variables: {},
    settings: {},
    ...given,
    nodes,
    edges: identifyEdges(nodes, edges, traitsIn(testTypes)),
  };
}

const typeOf = (type: string, handles: NodeType["handles"], hasBody = false): NodeType => ({
  type,
  name: type,
  family: "action",
  icon: "world",
  iconPath: "M3 12h18",
  summary: [],
  description: "",
  keywords: [],
  effect: "none",
  handles,
  hasBody,
  hasSteps: false,
  waitsFor: null,
  configSchema: { type: "object", properties: {} },
  example: {},
});

/** A small catalogue for tests. */
export const testTypes: readonly [NodeType, ...NodeType[]] = [
  typeOf("log", { fixed: [] }),
  typeOf("if-else", { fixed: ["true", "false"], labels: {} }),
  typeOf("switch", { fixed: ["default"], each: "cases" }),
  typeOf("loop", { fixed: [] }, true),
];
