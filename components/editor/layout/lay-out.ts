import { layOutInColumns } from "#components/canvas/column-layout.ts";
import { drawFlow } from "#components/canvas/flow-graph.ts";
import type { NodeType } from "#lib/contract/node-types.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import type { Place } from "../commands/move.ts";
import type { FlowDraft } from "../draft/flow-draft.ts";
import { triggerPlace } from "../draft/place-draft.ts";
import { elkGraphOf } from "./elk-graph.ts";

const patienceMs = 8_000;

/**
 * Where cards stand when their wires cross as little as possible. `ids`: only these are laid out, around the place
 * that they have; null lays out everything. Done in a worker; where that fails, in columns by depth.
 */
export async function layOut(
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

/** The upper left corner stays where it was, so that the flow does not jump away. */
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
