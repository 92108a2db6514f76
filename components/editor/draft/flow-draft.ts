import type { FlowEdge, FlowNode, FlowSettings, FlowTrigger } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";

/** An edge as the editor knows it: always with an id, and with the handle that it leaves by. */
export type DraftEdge = FlowEdge & { readonly id: string };

/** A flow as it is being edited: everything that undo takes back. It is never changed, only replaced. */
export interface FlowDraft {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly trigger: FlowTrigger;
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly DraftEdge[];
  readonly variables: JsonObject;
  readonly settings: FlowSettings;
}

/** Takes a flow and what the user chose, and gives the flow after it; the same object when nothing changes. */
export type Command = (draft: FlowDraft) => FlowDraft;
