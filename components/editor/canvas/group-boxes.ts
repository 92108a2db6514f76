import { cardHeight, cardSize, type FlowGraph, type Wire } from "#components/canvas/flow-graph.ts";
import type { Place } from "../commands/move.ts";
import type { CanvasGroup } from "../draft/canvas-settings.ts";

const padding = { side: 20, top: 40 } as const;

export interface GroupBox extends Place {
  readonly group: CanvasGroup;
  readonly width: number;
  readonly height: number;
}

/** Where the frames of groups are: around their nodes, or in the place of the first where they are closed. */
export function groupBoxes(
  groups: readonly CanvasGroup[],
  { cards }: FlowGraph,
  places: ReadonlyMap<string, Place>,
): GroupBox[] {
  return groups.flatMap((group) => {
    const members = cards
      .filter((card) => group.nodeIds.includes(card.id))
      .map((card) => ({ card, place: places.get(card.id) ?? { x: 0, y: 0 } }));
    if (members.length === 0) return [];
    const left = Math.min(...members.map(({ place }) => place.x));
    const top = Math.min(...members.map(({ place }) => place.y));
    if (group.collapsed) return [{ group, x: left, y: top, width: cardSize.width, height: cardSize.head }];
    const right = Math.max(...members.map(({ place }) => place.x + cardSize.width));
    const bottom = Math.max(...members.map(({ card, place }) => place.y + cardHeight(card)));
    return [
      {
        group,
        x: left - padding.side,
        y: top - padding.top,
        width: right - left + 2 * padding.side,
        height: bottom - top + padding.top + padding.side,
      },
    ];
  });
}

/** The closed group that hides each hidden node. */
export function hiddenBy(groups: readonly CanvasGroup[]): ReadonlyMap<string, string> {
  return new Map(
    groups.filter((group) => group.collapsed).flatMap((group) => group.nodeIds.map((id) => [id, group.id] as const)),
  );
}

/** Where a wire is drawn while nodes are hidden: from and to the group that hides them; null within one group. */
export function wireOutside(
  wire: Wire,
  hidden: ReadonlyMap<string, string>,
): { source: string; target: string } | null {
  const source = hidden.get(wire.source) ?? wire.source;
  const target = hidden.get(wire.target) ?? wire.target;
  return source === target ? null : { source, target };
}
