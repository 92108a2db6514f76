import { type Edge, getBezierPath, type Node, useReactFlow, ViewportPortal } from "@xyflow/react";
import { memo, useEffect, useMemo, useRef } from "react";
import type { Place } from "#components/editor/commands/move.ts";
import { useSession } from "#components/editor/state/editor-context.ts";
import styles from "./far-wires.module.css";

/** How close to a wire the pointer has to be, in screen pixels. */
const reach = 6;

interface FarWireLayerProps {
  readonly edges: readonly Edge[];
  readonly nodes: readonly Node[];
}

/**
 * All wires of a zoomed-out flow, as plain lines. React Flow's own edges each watch the view and have an SVG each:
 * hundreds of them take longer than a frame at each step of a pan.
 */
export function FarWireLayer({ edges, nodes }: FarWireLayerProps) {
  const { view } = useSession();
  const { screenToFlowPosition, getZoom } = useReactFlow();
  const known = useRef<ReadonlyMap<string, FarWire>>(new Map());
  const parts = useRef<readonly (readonly FarWire[])[]>([]);
  const shown = useMemo(() => {
    known.current = drawFarWires(edges, nodes, known.current);
    parts.current = partsOf([...known.current.values()], parts.current);
    return parts.current;
  }, [edges, nodes]);
  useEffect(() => {
    view.farWireAt = (point) => farWireAt(known.current, screenToFlowPosition(point), reach / getZoom());
    return () => {
      view.farWireAt = null;
    };
  }, [view, screenToFlowPosition, getZoom]);
  return (
    <ViewportPortal>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: each wire in it has a name */}
      <svg className={styles.wires}>
        {shown.map((part) => (
          <Lines key={part[0]?.edge.id} wires={part} />
        ))}
      </svg>
    </ViewportPortal>
  );
}

/** How many wires React compares as one: at each step of a drag, most parts are unchanged. */
const partSize = 40;

/** The wires in parts, in their order; unchanged parts are the same lists. */
function partsOf(wires: readonly FarWire[], before: readonly (readonly FarWire[])[]): (readonly FarWire[])[] {
  const count = Math.ceil(wires.length / partSize);
  return Array.from({ length: count }, (_, index) => {
    const part = wires.slice(index * partSize, (index + 1) * partSize);
    const old = before[index] ?? [];
    return old.length === part.length && part.every((wire, index) => wire === old[index]) ? old : part;
  });
}

const Lines = memo(function Lines({ wires }: { readonly wires: readonly FarWire[] }) {
  return wires.map((wire) => <Line key={wire.edge.id} wire={wire} />);
});

const Line = memo(function Line({ wire: { edge, path } }: { readonly wire: FarWire }) {
  const selected = edge.selected === true ? " selected" : "";
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: as React Flow's own edges: a picture with a name
    <g
      className={`react-flow__edge ${edge.className ?? ""}${selected}`}
      data-id={edge.id}
      role="img"
      aria-label={edge.ariaLabel}
    >
      <path className="react-flow__edge-path" d={path} />
    </g>
  );
});

/** A zoomed-out wire with its inputs: while they are the same, so is the wire. */
interface FarWire {
  readonly edge: Edge;
  readonly source: Node;
  readonly target: Node;
  readonly path: string;
}

/** The wires between nodes whose handles are known without measuring; unchanged ones are the same objects. */
function drawFarWires(
  edges: readonly Edge[],
  nodes: readonly Node[],
  before: ReadonlyMap<string, FarWire>,
): Map<string, FarWire> {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const wires = new Map<string, FarWire>();
  for (const edge of edges) {
    const [source, target] = [known.get(edge.source), known.get(edge.target)];
    if (source === undefined || target === undefined) continue;
    const old = before.get(edge.id);
    const isSame = old !== undefined && old.edge === edge && old.source === source && old.target === target;
    const path = isSame ? old.path : pathOf(edge, source, target);
    if (path !== null) wires.set(edge.id, isSame ? old : { edge, source, target, path });
  }
  return wires;
}

function pathOf(edge: Edge, source: Node, target: Node): string | null {
  const from = endOf(source, "source", edge.sourceHandle ?? null);
  const to = endOf(target, "target", edge.targetHandle ?? null);
  if (from === null || to === null) return null;
  const [path] = getBezierPath({
    sourceX: from.x,
    sourceY: from.y,
    sourcePosition: from.position,
    targetX: to.x,
    targetY: to.y,
    targetPosition: to.position,
  });
  return path;
}

function endOf({ handles = [], position: { x, y } }: Node, type: "source" | "target", id: string | null) {
  const handle = handles.find((candidate) => candidate.type === type && (candidate.id ?? null) === id);
  if (handle === undefined) return null;
  const { width = 0, height = 0, position } = handle;
  return { x: x + handle.x + width / 2, y: y + handle.y + height / 2, position };
}

/** The wire within `reach` of a point of the canvas; of several, the topmost. */
function farWireAt(wires: ReadonlyMap<string, FarWire>, { x, y }: Place, reach: number): string | null {
  const pen = document.createElement("canvas").getContext("2d");
  if (pen === null) return null;
  pen.lineWidth = 2 * reach;
  const found = [...wires.values()].findLast(({ path }) => pen.isPointInStroke(new Path2D(path), x, y));
  return found?.edge.id ?? null;
}
