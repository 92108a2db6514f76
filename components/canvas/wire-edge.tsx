import { BaseEdge, type Edge, type EdgeProps, getBezierPath } from "@xyflow/react";
import { memo } from "react";
import type { Place } from "./column-layout.ts";
import { cardSize } from "./flow-graph.ts";

export type WireEdgeData = Edge<{ lanes: readonly Place[] }, "wire">;

/** A wire between two cards; a long one uses the lanes that the layout reserved for it. */
export const WireEdge = memo(function WireEdge(props: EdgeProps<WireEdgeData>) {
  const lanes = props.data?.lanes ?? [];
  const path = lanes.length === 0 ? getBezierPath(props)[0] : lanePath(props, lanes);
  return <BaseEdge id={props.id} path={path} />;
});

type Ends = Pick<EdgeProps, "sourceX" | "sourceY" | "targetX" | "targetY">;

function lanePath({ sourceX, sourceY, targetX, targetY }: Ends, lanes: readonly Place[]): string {
  let [x, y] = [sourceX, sourceY];
  let path = `M${x},${y}`;
  const curveTo = (toX: number, toY: number) => {
    const bend = (toX - x) / 2;
    path += ` C${x + bend},${y} ${toX - bend},${toY} ${toX},${toY}`;
    [x, y] = [toX, toY];
  };
  for (const lane of lanes) {
    curveTo(lane.x, lane.y);
    x += cardSize.width;
    path += ` H${x}`;
  }
  curveTo(targetX, targetY);
  return path;
}
