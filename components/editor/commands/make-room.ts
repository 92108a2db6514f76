import { cardSize } from "#components/canvas/flow-graph.ts";
import type { NodeType } from "#lib/contract/node-types.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import type { FlowDraft } from "../draft/flow-draft.ts";
import { freePlace, triggerPlace } from "../draft/place-draft.ts";
import type { ImpliedEdge } from "./insert-on-edge.ts";
import type { Place } from "./move.ts";

/** Between a card and the next to its right. */
const gap = 88;
/** The least that is left between them where somebody has drawn them close. */
const gapMin = 40;

/** Where a new card stands between the ends of a wire: where it was let go if there is room for it, else beside the first. */
export function placeBetween(
  draft: FlowDraft,
  { source, target }: ImpliedEdge,
  wanted: Place,
  types: readonly NodeType[],
): Place {
  const from = placeOf(draft, source);
  const to = placeOf(draft, target);
  const [least, most] = [from.x + cardSize.width + gapMin, to.x - cardSize.width - gapMin];
  if (least > most) return { x: from.x + cardSize.width + gap, y: to.y };
  return freePlace(draft, { x: Math.max(least, Math.min(most, wanted.x)), y: wanted.y }, types);
}

/** Where the cards from `target` on have to go so that a card at `at` stands clear before it: as far right as it takes. */
export function roomBefore(draft: FlowDraft, target: string, at: Place): Map<string, Place> {
  const to = placeOf(draft, target);
  const missing = at.x + cardSize.width + gap - to.x;
  if (missing <= gap - gapMin) return new Map();
  const following = new Set([target]);
  for (const id of following) {
    for (const edge of draft.edges) if (edge.source === id) following.add(edge.target);
  }
  const moved = draft.nodes.filter((node) => following.has(node.id) && node.position.x >= to.x);
  return new Map(moved.map(({ id, position: { x, y } }) => [id, { x: x + missing, y }]));
}

function placeOf(draft: FlowDraft, id: string): Place {
  if (id === triggerSource) return triggerPlace(draft);
  return draft.nodes.find((node) => node.id === id)?.position ?? { x: 0, y: 0 };
}
