import { cardHeight, cardSize, drawFlow } from "#components/canvas/flow-graph.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import type { Box } from "../commands/align.ts";
import { canvasOf } from "../draft/canvas-settings.ts";
import { triggerPlace } from "../draft/place-draft.ts";
import type { Editor } from "../state/editor.ts";

/** The selected cards and notes with their places and sizes; `ids` where more is meant than what is selected. */
export function selectedBoxes({ draft, selection, types }: Editor, ids: ReadonlySet<string> = selection.nodes): Box[] {
  const places = new Map(draft.nodes.map((node) => [node.id, node.position]));
  places.set(triggerSource, triggerPlace(draft));
  const cards = drawFlow(draft, types).cards.map((card) => {
    const { x, y } = places.get(card.id) ?? { x: 0, y: 0 };
    return { id: card.id, x, y, width: cardSize.width, height: cardHeight(card) };
  });
  return [...cards, ...canvasOf(draft).notes].filter((box) => ids.has(box.id));
}
