import type { Api } from "#components/api/use-api.ts";
import { traitsIn } from "#components/canvas/flow-graph.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { type FlowDraft, openDraft } from "#lib/engine/changes/flow-draft.ts";
import { type FlowStatus, flowEdges, flowNodes } from "#lib/engine/flow.ts";

/** A state of the stored flow. Name, tags, status and settings change without a new version, but not without a new time. */
export interface Stamp {
  readonly version: number;
  readonly updatedAt: string;
}

/** The flow as the server has it. */
export interface ServerFlow extends Stamp {
  readonly draft: FlowDraft;
}

/** What the edits began from. */
export interface Beginning {
  readonly server: ServerFlow;
  /** The same flow exactly as it is stored, and as it is shown: nodes that nobody has placed are given places. */
  readonly stored: FlowDraft;
  readonly shown: FlowDraft;
  /** Where the edits of an earlier visit are kept that this one began with. */
  readonly keptAt: string | null;
}

/** What to send as `If-Match`, so that nothing is written over changes that this page does not know. */
export function tagOf({ version, updatedAt }: Stamp): string {
  return `"${version} ${updatedAt}"`;
}

/** Reads the flow as it is now. */
export async function fetchServerFlow(
  api: Api,
  id: string,
  types: readonly NodeType[],
): Promise<ServerFlow & { readonly status: FlowStatus }> {
  const flow = await api.call("readFlow", { params: { id } });
  const draft = openDraft(
    { ...flow, nodes: flowNodes.parse(flow.nodes), edges: flowEdges.parse(flow.edges) },
    traitsIn(types),
  );
  return { draft, version: flow.version, updatedAt: flow.updatedAt, status: flow.status };
}
