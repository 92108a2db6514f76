import type { CSSProperties } from "react";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { CardBadge, CardBranches, CardFace, itemsOf } from "./card-face.tsx";
import { type Layout, type Place, placeCards } from "./column-layout.ts";
import styles from "./first-picture.module.css";
import canvasStyles from "./flow-canvas.module.css";
import { type Card, cardHeight, cardSize, drawFlow, type FlowDocument, type FlowGraph } from "./flow-graph.ts";
import cardStyles from "./node-card.module.css";
import { lanePath, type NodeRuns, wireState } from "./wire-data.ts";

/**
 * A larger flow is too small to read as a whole, so the canvas opens at a part of it; sizes are in pixels. Wires are
 * limited because placing the cards takes time for each column that a wire crosses.
 */
const most = { nodes: 40, wires: 160, width: 2_800, height: 1_150 } as const;
/** As the canvas fits a flow: 7 % more than the flow. */
const room = 1.07;
/** From a card's upper edge to the middle of its plain handle, and of its first branch's. */
const [headMiddle, branchMiddle] = [30, 73] as const;
/** How far a handle stands out of its card. */
const handleReach = 4;

interface FirstPictureProps {
  readonly flow: FlowDocument;
  readonly types: readonly NodeType[];
  readonly runs: NodeRuns;
  readonly live: boolean;
}

/**
 * A run's flow, drawn by the server: visible before any script has run, with each card where the canvas will have it.
 * Not interactive. Null for a flow that the canvas would not open as a whole.
 */
export function FirstPicture({ flow, types, runs, live }: FirstPictureProps) {
  if (flow.nodes.length > most.nodes || flow.edges.length > most.wires) return null;
  const graph = drawFlow(flow, types);
  const layout = placeCards(graph);
  const bounds = boundsOf(graph, layout);
  if (bounds.width > most.width || bounds.height > most.height) return null;
  const placed = (id: string): Place => {
    const { x, y } = layout.places.get(id) ?? bounds;
    return { x: x - bounds.x, y: y - bounds.y };
  };
  const size = { "--flow-width": `${bounds.width * room}px`, "--flow-height": `${bounds.height * room}px` };
  return (
    <div className={`${canvasStyles.canvas} ${styles.view}`} style={size as CSSProperties} aria-hidden="true">
      <div className={styles.flow} style={{ width: bounds.width, height: bounds.height }} data-first-picture="">
        <Wires {...{ graph, layout, runs, live, bounds }} />
        {graph.cards.map((card) => (
          <StillCard key={card.id} card={card} at={placed(card.id)} runs={runs} live={live} />
        ))}
      </div>
    </div>
  );
}

interface Bounds extends Place {
  readonly width: number;
  readonly height: number;
}

function boundsOf({ cards }: FlowGraph, { places }: Layout): Bounds {
  const boxes = cards.map((card) => ({ ...(places.get(card.id) ?? { x: 0, y: 0 }), height: cardHeight(card) }));
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x)) + cardSize.width - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}

interface WiresProps extends Pick<FirstPictureProps, "runs" | "live"> {
  readonly graph: FlowGraph;
  readonly layout: Layout;
  readonly bounds: Bounds;
}

function Wires({ graph, layout, runs, live, bounds }: WiresProps) {
  const cards = new Map(graph.cards.map((card) => [card.id, card]));
  const placeOf = (id: string) => layout.places.get(id) ?? bounds;
  return (
    <svg
      className={styles.wires}
      viewBox={`${bounds.x} ${bounds.y} ${bounds.width} ${bounds.height}`}
      aria-hidden="true"
    >
      {graph.wires.map((wire) => {
        const [from, to] = [placeOf(wire.source), placeOf(wire.target)];
        const branch = cards.get(wire.source)?.branches.indexOf(wire.handle ?? "") ?? -1;
        const ends = {
          sourceX: from.x + cardSize.width + handleReach,
          sourceY: from.y + (branch < 0 ? headMiddle : branchMiddle + branch * cardSize.branch),
          targetX: to.x - handleReach,
          targetY: to.y + headMiddle,
        };
        return (
          <g key={wire.id} className={canvasStyles[wireState(wire, runs, live)]}>
            <path className="react-flow__edge-path" fill="none" d={lanePath(ends, layout.lanes.get(wire.id) ?? [])} />
          </g>
        );
      })}
    </svg>
  );
}

interface StillCardProps extends Pick<FirstPictureProps, "runs" | "live"> {
  readonly card: Card;
  readonly at: Place;
}

function StillCard({ card, at, runs, live }: StillCardProps) {
  const run = runs.get(card.id);
  const status = run?.status ?? (card.id === triggerSource ? undefined : live ? "pending" : "skipped");
  return (
    <div
      className={`${cardStyles.card} ${styles.card}`}
      style={{ left: at.x, top: at.y, height: cardHeight(card) }}
      data-family={card.family}
      data-status={status}
      data-disabled={card.disabled}
    >
      {card.id !== triggerSource && <span className={styles.handle} data-in="" />}
      <div className={cardStyles.head}>
        <CardFace card={card} />
      </div>
      {card.plain && <span className={styles.handle} />}
      <CardBranches
        branches={card.branches}
        chosen={run?.handle}
        handle={() => <span className={styles.handle} data-branch="" />}
      />
      {status !== undefined && (
        <CardBadge of={{ ...run, status }} duration={run?.duration ?? null} items={itemsOf(card, run)} />
      )}
    </div>
  );
}
