import type { Command, FlowDraft } from "../draft/flow-draft.ts";

/** Changes what the flow is called, what it is described as, its tags, trigger, variables or settings. */
export function changeDetails(changes: Partial<Omit<FlowDraft, "nodes" | "edges">>): Command {
  return (draft) => ({ ...draft, ...changes });
}
