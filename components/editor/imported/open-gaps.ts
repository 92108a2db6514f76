import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { type CanvasGap, canvasOf } from "../draft/canvas-settings.ts";
import { allPlaced } from "../levels/level.ts";

/** What is left to fix in an imported flow. A gap closes with the deletion of its node, and undo opens it again. */
export function openGaps(draft: FlowDraft, types: Parameters<typeof allPlaced>[1]): readonly CanvasGap[] {
  const gaps = canvasOf(draft).imported?.gaps ?? [];
  if (gaps.length === 0) return gaps;
  const known = new Set([triggerSource, ...allPlaced(draft.nodes, types).map(({ node }) => node.id)]);
  return gaps.filter(({ nodeId }) => nodeId === null || known.has(nodeId));
}
