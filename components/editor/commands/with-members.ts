import { canvasOf } from "../draft/canvas-settings.ts";
import type { FlowDraft } from "../draft/flow-draft.ts";

/** What is selected, with all that is in the groups among it. */
export function withMembers(draft: FlowDraft, ids: ReadonlySet<string>): ReadonlySet<string> {
  const members = canvasOf(draft)
    .groups.filter((group) => ids.has(group.id))
    .flatMap((group) => group.nodeIds);
  return members.length === 0 ? ids : new Set([...ids, ...members]);
}
