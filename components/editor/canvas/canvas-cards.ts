import { Position } from "@xyflow/react";
import {
  type Card,
  cardHeight,
  cardSize,
  drawFlow,
  type FlowGraph,
  plainHandleId,
  type Wire,
} from "#components/canvas/flow-graph.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { errorHandle } from "#lib/engine/outcome.ts";
import { isDeepEqual } from "../draft/deep-equal.ts";
import type { FlowDraft } from "../draft/flow-draft.ts";

/**
 * Draws a draft as `drawFlow` does, and keeps the cards and wires of the time before that say the same: they need no new
 * drawing.
 */
export function drawDraft(draft: FlowDraft, types: readonly NodeType[], before: FlowGraph | null): FlowGraph {
  const graph = drawFlow(draft, types);
  if (before === null) return graph;
  const known = new Map(before.cards.map((card) => [card.id, card]));
  const cards = graph.cards.map((card) => {
    const old = known.get(card.id);
    return old !== undefined && looksTheSame(old, card) ? old : card;
  });
  return { cards, wires: keptWires(graph.wires, before.wires) };
}

/** The same list as before where it says the same. */
function keptWires(wires: readonly Wire[], before: readonly Wire[]): readonly Wire[] {
  const isSame = wires.length === before.length && wires.every((wire, index) => isDeepEqual(wire, before[index]));
  return isSame ? before : wires;
}

function looksTheSame({ stored: _, ...a }: Card, { stored: __, ...b }: Card): boolean {
  return isDeepEqual(a, b);
}

/** Whether a card has a handle without a name: every node that leads on in one way only. */
export function hasPlainHandle(card: Card): boolean {
  return card.plain || card.branches.every((branch) => branch === errorHandle);
}

const handleSize = 9;
/** Handles stand on the inner side of the card's border. */
const border = 1;
const headMiddle = 29 + border;
/** The error handle stands on the lower edge, out of the way of the branches. */
const errorInset = 25;

/** Where a card's handles are, so that its wires can be drawn without measuring it. */
export function cardHandles(card: Card) {
  const at = (x: number, y: number) => ({
    x: x - handleSize / 2,
    y: y - handleSize / 2,
    width: handleSize,
    height: handleSize,
  });
  const source = (id: string, y: number) => ({
    id,
    type: "source" as const,
    position: Position.Right,
    ...at(cardSize.width - border, y),
  });
  const errorAt = (y: number) => ({
    id: errorHandle,
    type: "source" as const,
    position: Position.Bottom,
    ...at(cardSize.width - errorInset, y - border),
  });
  const target = { id: null, type: "target" as const, position: Position.Left, ...at(border, headMiddle) };
  const branches = card.branches.map((branch, index) =>
    source(branch, cardSize.head + (index + 0.5) * cardSize.branch),
  );
  const isErrorFree = card.id !== triggerSource && !card.branches.includes(errorHandle);
  return [
    ...(card.id === triggerSource ? [] : [target]),
    ...(hasPlainHandle(card) ? [source(plainHandleId, headMiddle)] : []),
    ...branches,
    ...(isErrorFree ? [errorAt(cardHeight(card))] : []),
  ];
}

/** Of the words in a card that say how its node fares: the card is described by them. */
export function statusId(nodeId: string): string {
  return `status-${encodeURIComponent(nodeId)}`;
}
