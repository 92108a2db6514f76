import { layOutInColumns } from "#components/canvas/column-layout.ts";
import { cardHeight, cardSize, drawFlow } from "#components/canvas/flow-graph.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { Command, FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { canvasOf, withCanvas } from "./canvas-settings.ts";

const triggerGap = 88;

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Up to this many nodes that cover others are moved aside. */
const coveringMax = 10;

/**
 * Gives nodes without positions a place: a flow created over the API may have them all in one spot. Flows with
 * positions stay as they are, except for a few nodes that cover others, as when two people add one in the same place.
 */
export function placeDraft(draft: FlowDraft, types: readonly NodeType[]): FlowDraft {
  const spots = new Set<string>();
  const covering = draft.nodes.filter(({ position: { x, y } }) => spots.size === spots.add(`${x} ${y}`).size);
  if (covering.length === 0) return draft;
  const areFew = covering.length <= coveringMax && covering.length * 2 < draft.nodes.length;
  return areFew ? covering.reduce((placed, { id }) => moveAside(placed, id, types), draft) : layOutAll(draft, types);
}

function moveAside(draft: FlowDraft, id: string, types: readonly NodeType[]): FlowDraft {
  const others = { ...draft, nodes: draft.nodes.filter((node) => node.id !== id), edges: [] };
  const nodes = draft.nodes.map((node) =>
    node.id === id ? { ...node, position: freePlace(others, node.position, types) } : node,
  );
  return { ...draft, nodes };
}

function layOutAll(draft: FlowDraft, types: readonly NodeType[]): FlowDraft {
  const { places } = layOutInColumns(drawFlow(draft, types));
  const offset = places.get(triggerSource)?.y ?? 0;
  const nodes = draft.nodes.map((node) => {
    const { x, y } = places.get(node.id) ?? node.position;
    return { ...node, position: { x, y: y - offset } };
  });
  return { ...draft, nodes };
}

/** Keeps showing nodes without stored positions where they were shown before. */
export function keepPlaces(draft: FlowDraft, stored: FlowDraft, shown: FlowDraft): FlowDraft {
  if (stored === shown) return draft;
  const before = new Map(stored.nodes.map((node) => [node.id, node.position]));
  const now = new Map(shown.nodes.map((node) => [node.id, node.position]));
  const nodes = draft.nodes.map((node) => {
    const [was, position] = [before.get(node.id), now.get(node.id)];
    const isThere = was !== undefined && was.x === node.position.x && was.y === node.position.y;
    return isThere && position !== undefined ? { ...node, position } : node;
  });
  return { ...draft, nodes };
}

/** The trigger card's position: as stored, or before the nodes that it leads to. */
export function triggerPlace(draft: FlowDraft): Place {
  const { trigger } = canvasOf(draft);
  if (trigger !== null) return trigger;
  const reached = new Set(draft.edges.filter((edge) => edge.source !== triggerSource).map((edge) => edge.target));
  const starts = draft.nodes.filter((node) => !reached.has(node.id));
  if (starts.length === 0) return { x: 0, y: 0 };
  const left = Math.min(...draft.nodes.map((node) => node.position.x));
  const y = starts.reduce((sum, node) => sum + node.position.y, 0) / starts.length;
  return { x: left - cardSize.width - triggerGap, y: Math.round(y) };
}

/** Also stores the trigger card's position if the command would move the card. In an empty flow, it follows the first node. */
export function keepTrigger(command: Command): Command {
  return (before) => {
    const after = command(before);
    const isPlaced = canvasOf(after).trigger !== null || before.nodes.length === 0;
    if (isPlaced || (after.nodes === before.nodes && after.edges === before.edges)) return after;
    const [was, now] = [triggerPlace(before), triggerPlace(after)];
    return was.x === now.x && was.y === now.y ? after : withCanvas(after, { trigger: was });
  };
}

const plainCard: { readonly width: number; readonly height: number } = {
  width: cardSize.width,
  height: cardHeight({ branches: [] }),
};
/** Gaps between cards, horizontally and vertically; the trigger's includes room for its URL. */
const [besides, below] = [20, 40];

/** The nearest free position at or below `preferred` for a card, or something of the given size. */
export function freePlace(draft: FlowDraft, preferred: Place, types: readonly NodeType[], size = plainCard): Place {
  const { width, height } = size;
  const places = new Map(draft.nodes.map((node) => [node.id, node.position]));
  const taken = drawFlow(draft, types).cards.map((card) => {
    return { ...(places.get(card.id) ?? triggerPlace(draft)), height: cardHeight(card) };
  });
  const place = { x: Math.round(preferred.x / 10) * 10, y: Math.round(preferred.y / 10) * 10 };
  const isTaken = () =>
    taken.some(
      (card) =>
        place.x < card.x + cardSize.width + besides &&
        card.x < place.x + width + besides &&
        place.y < card.y + card.height + below &&
        card.y < place.y + height + below,
    );
  for (let tries = 0; tries < 200 && isTaken(); tries += 1) place.y += 40;
  return place;
}
