import type { Edge } from "@xyflow/react";
import { useMemo, useRef } from "react";
import { useStore } from "zustand";
import { shallow } from "zustand/shallow";
import { type FlowGraph, plainHandleId, wireWords } from "#components/canvas/flow-graph.ts";
import { carriedBy, wireState } from "#components/canvas/wire-data.ts";
import { isLive } from "#components/status/run-status.tsx";
import { type CanvasGroup, canvasOf, hiddenBy } from "../draft/canvas-settings.ts";
import { useEditorState, useLevel, useSession } from "../state/editor-context.ts";
import { nodesOnCanvas } from "../state/run-watch.ts";
import { wireOutside } from "./group-frame.tsx";

const impliedPrefix = "start-";

/** The wires in React Flow's form; with a run, showing its path. The ends of `hovered` can be dragged. */
export function useWires(
  graph: FlowGraph,
  hovered: string | null,
  dropTarget: string | null,
  styles: Readonly<Record<string, string>>,
): Edge[] {
  const selected = useEditorState((state) => state.selection.edges);
  const { runs } = useSession();
  const nodes = useStore(runs.store, nodesOnCanvas);
  const isRunLive = useStore(
    runs.store,
    (state) => state.scrubbed !== null || (state.run !== null && isLive(state.run.status)),
  );
  const groups = useLevel((level) => canvasOf(level).groups);
  const hidden = useMemo(() => hiddenBy(groups), [groups]);
  const names = useNames(graph, groups);
  const { wires } = graph;
  const known = useRef(new Map<string, Edge>());
  return useMemo(() => {
    const edges = wires.flatMap((wire): Edge[] => {
      const ends = wireOutside(wire, hidden);
      if (ends === null) return [];
      const implied = wire.id === `${impliedPrefix}${wire.target}` && wire.source === "trigger";
      const state = nodes.size === 0 ? "plain" : wireState(wire, nodes, isRunLive);
      const isSelected = selected.has(wire.id);
      const isDirect = ends.source === wire.source && ends.target === wire.target;
      return [
        keep(known.current.get(wire.id), {
          id: wire.id,
          type: "wire",
          data: carriedBy(state === "taken" || state === "moving" ? nodes.get(wire.source) : undefined),
          ...ends,
          ariaLabel: wireWords({ ...ends, handle: ends.source === wire.source ? wire.handle : null }, names),
          sourceHandle: ends.source === wire.source ? (wire.handle ?? plainHandleId) : "out",
          ...(ends.target === wire.target ? {} : { targetHandle: "in" }),
          className: [styles[state], implied ? styles.implied : "", wire.id === dropTarget ? "dropping" : ""]
            .filter(Boolean)
            .join(" "),
          selected: isSelected,
          selectable: !implied,
          focusable: false,
          // An end at a collapsed group is not the wire's own.
          reconnectable: !implied && isDirect && (isSelected || hovered === wire.id),
          zIndex: isSelected ? 2 : state === "taken" || state === "moving" ? 1 : 0,
        }),
      ];
    });
    known.current = new Map(edges.map((edge) => [edge.id, edge]));
    return edges;
  }, [wires, selected, nodes, isRunLive, hovered, dropTarget, styles, hidden, names]);
}

/** The names of cards and groups; the same map until a name changes, so that typing elsewhere redraws no wire. */
function useNames({ cards }: FlowGraph, groups: readonly CanvasGroup[]): ReadonlyMap<string, string> {
  const known = useRef<ReadonlyMap<string, string>>(new Map());
  return useMemo(() => {
    const names = new Map([...cards, ...groups].map(({ id, name }) => [id, name]));
    const isSame =
      names.size === known.current.size && [...names].every(([id, name]) => known.current.get(id) === name);
    if (!isSame) known.current = names;
    return known.current;
  }, [cards, groups]);
}

/** The previous wire object if it looks the same. */
function keep(old: Edge | undefined, edge: Edge): Edge {
  return old !== undefined && shallow(old, edge) ? old : edge;
}
