import type { z } from "zod";
import type { flowChanges } from "#lib/contract/flows/flows.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";

/** The body of a PATCH. */
type SentChanges = z.input<typeof flowChanges>;

/** The fields in which a draft differs from what is stored; drafts are never changed in place, so objects are compared as such. */
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

/** True when there is nothing that a PATCH would send. */
export function isUnchanged(stored: FlowDraft, draft: FlowDraft): boolean {
  return stored === draft || Object.keys(draftChanges(stored, draft)).length === 0;
}
