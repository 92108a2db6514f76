import type { ElkNode } from "elkjs/lib/elk-api.js";
import { layOutInColumns } from "#components/canvas/column-layout.ts";
import { cardHeight, cardSize, drawFlow, type FlowGraph, plainHandleId } from "#components/canvas/flow-graph.ts";
import type { Action } from "#components/editor/actions/action.ts";
import { selectedNodeIds } from "#components/editor/actions/edit-actions.ts";
import { move, type Place } from "#components/editor/commands/move.ts";
import { triggerPlace } from "#components/editor/draft/place-draft.ts";
import type { EditorSession } from "#components/editor/state/editor-session.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { triggerSource } from "#lib/engine/flow.ts";

const options = {
  "elk.algorithm": "layered",
  "elk.direction": "RIGHT",
  "elk.layered.spacing.nodeNodeBetweenLayers": "88",
  "elk.spacing.nodeNode": "36",
  "elk.spacing.componentComponent": "60",
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
} as const;

/** A flow for ELK: every card with its handles in order, so that the first branch stays above the second. */
export function elkGraphOf({ cards, wires }: Pick<FlowGraph, "cards" | "wires">): ElkNode {
  return {
    id: "flow",
    layoutOptions: options,
    children: cards.map((card) => {
      const handles = [plainHandleId, ...card.branches];
      // ELK counts ports clockwise: top to bottom on the right, bottom to top on the left.
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

const patienceMs = 8_000;

/**
 * Positions with as few crossing wires as possible. `ids`: lays out only these, around their current position; null
 * lays out everything. Runs in a worker; if that fails, falls back to columns by depth.
 */
async function layOut(
  draft: FlowDraft,
  types: readonly NodeType[],
  ids: ReadonlySet<string> | null,
): Promise<Map<string, Place>> {
  const graph = drawFlow(draft, types);
  const cards = graph.cards.filter((card) => ids === null || ids.has(card.id));
  const known = new Set(cards.map((card) => card.id));
  const wires = graph.wires.filter((wire) => known.has(wire.source) && known.has(wire.target));
  const places = await inWorker({ cards, wires }).catch(() => layOutInColumns({ cards, wires }).places);
  return keepCorner(draft, places);
}

/** The upper left corner stays, so that the flow does not jump. */
function keepCorner(draft: FlowDraft, places: ReadonlyMap<string, Place>): Map<string, Place> {
  const before = new Map<string, Place>(draft.nodes.map((node) => [node.id, node.position]));
  before.set(triggerSource, triggerPlace(draft));
  const corner = (all: Iterable<Place>) => {
    const list = [...all];
    return { x: Math.min(...list.map(({ x }) => x)), y: Math.min(...list.map(({ y }) => y)) };
  };
  const from = corner(places.values());
  const to = corner([...places.keys()].map((id) => before.get(id) ?? { x: 0, y: 0 }));
  const onGrid = (value: number) => Math.round(value / 10) * 10;
  return new Map(
    [...places].map(([id, { x, y }]) => [id, { x: onGrid(x - from.x + to.x), y: onGrid(y - from.y + to.y) }]),
  );
}

async function inWorker(graph: Parameters<typeof elkGraphOf>[0]): Promise<Map<string, Place>> {
  const { default: Elk } = await import("elkjs/lib/elk-api.js");
  const elk = new Elk({ workerFactory: () => new Worker("/layout-worker") });
  const timer = { id: undefined as ReturnType<typeof setTimeout> | undefined };
  const late = new Promise<never>((_, reject) => {
    timer.id = setTimeout(() => reject(new Error("the layout took too long")), patienceMs);
  });
  try {
    const { children = [] } = await Promise.race([elk.layout(elkGraphOf(graph)), late]);
    return new Map(children.map(({ id, x = 0, y = 0 }) => [id, { x, y }]));
  } finally {
    clearTimeout(timer.id);
    elk.terminateWorker();
  }
}

async function tidy({ editor, view }: EditorSession, ids: ReadonlySet<string> | null): Promise<void> {
  const { level: draft } = editor;
  const places = await layOut(draft, editor.types, ids);
  // The flow has changed meanwhile: this layout is stale.
  if (editor.level !== draft) return;
  editor.change("Tidy up", move(places));
  requestAnimationFrame(() => view.port?.fit());
}

export const layOutAction: Action = {
  id: "tidy",
  label: "Tidy up the whole flow",
  group: "Arrange",
  shortcuts: ["shift+L"],
  enabled: ({ editor }) => editor.level.nodes.length > 0,
  run: (session) => tidy(session, null),
};

export const layOutSelectionAction: Action = {
  id: "tidy-selection",
  label: "Tidy up the selection",
  group: "Arrange",
  enabled: (session) => selectedNodeIds(session).size > 1,
  run: (session) => tidy(session, selectedNodeIds(session)),
};
