import { Position } from "@xyflow/react";
import { shallow } from "zustand/shallow";
import {
  type Card,
  cardHeight,
  cardSize,
  drawFlow,
  type FlowGraph,
  plainHandleId,
  type Wire,
  withItemStart,
} from "#components/canvas/flow-graph.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { type FlowNode, triggerSource } from "#lib/engine/flow.ts";
import { errorHandle } from "#lib/engine/outcome.ts";

/**
 * Draws a draft like `drawFlow`, reusing unchanged cards and wires, which then need no redrawing. `loop`: whose body it
 * is; its items take the trigger's place.
 */
export function drawDraft(
  draft: FlowDraft,
  types: readonly NodeType[],
  before: FlowGraph | null,
  loop?: FlowNode | undefined,
): FlowGraph {
  const drawn = drawFlow(draft, types);
  const graph = loop === undefined ? drawn : withItemStart(drawn, loop, types);
  if (before === null) return graph;
  const known = new Map(before.cards.map((card) => [card.id, card]));
  const cards = graph.cards.map((card) => {
    const old = known.get(card.id);
    return old !== undefined && looksTheSame(old, card) ? old : card;
  });
  return {
    cards: keepUnchanged(cards, before.cards, Object.is),
    wires: keepUnchanged(graph.wires, before.wires, isSameWire),
  };
}

/** Each card's handles without a wire, except `error`; computed once per list of wires. */
export function openHandles(wires: readonly Wire[]): (card: Card) => readonly string[] {
  const leaving = Map.groupBy(wires, (wire) => wire.source);
  const announced = new WeakMap<Card, readonly string[]>();
  return (card) => {
    const known = announced.get(card);
    if (known !== undefined) return known;
    const used = new Set(leaving.get(card.id)?.map(({ handle }) => handle ?? plainHandleId));
    const own = [...(hasPlainHandle(card) ? [plainHandleId] : []), ...card.branches];
    const open = own.filter((handle) => handle !== errorHandle && !used.has(handle));
    announced.set(card, open);
    return open;
  };
}

/** The previous list if nothing changed. */
function keepUnchanged<Item>(items: readonly Item[], before: readonly Item[], isSame: (a: Item, b?: Item) => boolean) {
  return items.length === before.length && items.every((item, index) => isSame(item, before[index])) ? before : items;
}

function isSameWire(a: Wire, b?: Wire): boolean {
  return a.id === b?.id && a.source === b.source && a.target === b.target && a.handle === b.handle;
}

function looksTheSame(old: Card, card: Card): boolean {
  if (old === card) return true;
  const { stored: _, branches, ...a } = old;
  const { stored: __, branches: others, ...b } = card;
  return shallow(a, b) && shallow(branches, others);
}

/** Whether a card has an unnamed handle: every node with a single way out has. */
export function hasPlainHandle(card: Card): boolean {
  return card.plain || card.branches.every((branch) => branch === errorHandle);
}

const handleSize = 9;
/** Handles are on the inner side of the card's border. */
const border = 1;
const headMiddle = 29 + border;
/** The error handle is on the lower edge, away from the branches. */
const errorInset = 25;

/** A card's handle positions, so that its wires can be drawn without measuring it. */
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

/** The id of a card's status text, which describes the card. */
export function statusId(nodeId: string): string {
  return `status-${encodeURIComponent(nodeId)}`;
}
