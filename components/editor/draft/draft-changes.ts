import type { z } from "zod";
import type { flowChanges } from "#lib/contract/flows/flows.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";

/** The body of a PATCH. */
type SentChanges = z.input<typeof flowChanges>;

/** The fields in which a draft differs from the stored flow, by identity: drafts are never mutated. */
export function draftChanges(stored: FlowDraft, draft: FlowDraft): SentChanges {
  const { name, description, tags, trigger, nodes, edges, variables, settings } = draft;
  return {
    ...(name === stored.name || name.trim() === "" ? {} : { name }),
    ...(description === stored.description ? {} : { description }),
    ...(tags === stored.tags ? {} : { tags: [...tags] }),
    ...(trigger === stored.trigger ? {} : { trigger }),
    ...(nodes === stored.nodes ? {} : { nodes: [...nodes] }),
    ...(edges === stored.edges ? {} : { edges: [...edges] }),
    ...(variables === stored.variables ? {} : { variables }),
    ...(settings === stored.settings ? {} : { settings }),
  };
}

/** Whether there is nothing for a PATCH to send. */
export function isUnchanged(stored: FlowDraft, draft: FlowDraft): boolean {
  return stored === draft || Object.keys(draftChanges(stored, draft)).length === 0;
}
