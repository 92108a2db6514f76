import type { ElkNode } from "elkjs/lib/elk-api.js";
import { cardHeight, cardSize, type FlowGraph, plainHandleId } from "#components/canvas/flow-graph.ts";

const options = {
  "elk.algorithm": "layered",
  "elk.direction": "RIGHT",
  "elk.layered.spacing.nodeNodeBetweenLayers": "88",
  "elk.spacing.nodeNode": "36",
  "elk.spacing.componentComponent": "60",
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
} as const;

/** A flow as ELK takes it: every card with its handles in their order, so that the first branch stays above the second. */
export function elkGraphOf({ cards, wires }: Pick<FlowGraph, "cards" | "wires">): ElkNode {
  return {
    id: "flow",
    layoutOptions: options,
    children: cards.map((card) => {
      const handles = [plainHandleId, ...card.branches];
      // ELK counts ports clockwise: on the right from top to bottom, on the left back up.
      const out = handles.map((handle, index) => ({
        id: `${card.id} > ${handle}`,
        x: cardSize.width,
        y: index === 0 ? 29 : cardSize.head + (index - 0.5) * cardSize.branch,
        width: 1,
        height: 1,
        layoutOptions: { "elk.port.side": "EAST" },
      }));
      const into = { id: `${card.id} <`, x: 0, y: 29, width: 1, height: 1, layoutOptions: { "elk.port.side": "WEST" } };
      return {
        id: card.id,
        width: cardSize.width,
        height: cardHeight(card),
        ports: [...out, into],
        layoutOptions: { "elk.portConstraints": "FIXED_POS" },
      };
    }),
    edges: wires.map((wire) => ({
      id: wire.id,
      sources: [`${wire.source} > ${wire.handle ?? plainHandleId}`],
      targets: [`${wire.target} <`],
    })),
  };
}
