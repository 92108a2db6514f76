import { type Edge, type Node, useReactFlow, ViewportPortal } from "@xyflow/react";
import { memo, useEffect, useMemo, useRef } from "react";
import { useSession } from "../state/editor-context.ts";
import styles from "./far-wire-layer.module.css";
import { drawFarWires, type FarWire, farWireAt } from "./far-wires.ts";

/** Pixels on the screen: how near to a wire is on it. */
const reach = 6;

interface FarWireLayerProps {
  readonly edges: readonly Edge[];
  readonly nodes: readonly Node[];
}

/**
 * All wires of a flow that is seen from afar, as lines and nothing else. React Flow's own edges each watch the view, and
 * lie in a picture of their own: hundreds of them cost more at each step of a pan than there is time for.
 */
export function FarWireLayer({ edges, nodes }: FarWireLayerProps) {
  const { view } = useSession();
  const { screenToFlowPosition, getZoom } = useReactFlow();
  const known = useRef<ReadonlyMap<string, FarWire>>(new Map());
  const wires = useMemo(() => {
    known.current = drawFarWires(edges, nodes, known.current);
    return [...known.current.values()];
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
        {wires.map((wire) => (
          <Line key={wire.edge.id} wire={wire} />
        ))}
      </svg>
    </ViewportPortal>
  );
}

const Line = memo(function Line({ wire: { edge, path } }: { readonly wire: FarWire }) {
  const selected = edge.selected === true ? " selected" : "";
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: as React Flow's own edges: a picture with a name
    <g
      className={`react-flow__edge ${edge.className ?? ""}${selected}`}
      data-id={edge.id}
      role="img"
      aria-label={`Edge from ${edge.source} to ${edge.target}`}
    >
      <path className="react-flow__edge-path" d={path} />
    </g>
  );
});
