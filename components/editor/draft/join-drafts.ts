import type { NodeType } from "#lib/contract/node-types.ts";
import type { FlowDraft } from "./flow-draft.ts";
import { type Merge, mergeDrafts, type Side } from "./merge-drafts.ts";
import { renameNodes, sharedIds } from "./separate-added.ts";

/** Merges what two sides made of a flow; nodes that both added under one id are two. */
export function joinDrafts(
  base: FlowDraft,
  mine: FlowDraft,
  theirs: FlowDraft,
  types: readonly NodeType[],
  prefer: (what: string) => Side = () => "mine",
): Merge {
  return mergeDrafts(base, renameNodes(mine, sharedIds(base, mine, theirs), types), theirs, prefer);
}
