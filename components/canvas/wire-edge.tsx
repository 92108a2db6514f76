import { BaseEdge, type Edge, type EdgeProps, getBezierPath } from "@xyflow/react";
import { memo } from "react";
import type { Place } from "./column-layout.ts";
import { lanePath, type WireData } from "./wire-data.ts";
import styles from "./wire-edge.module.css";

export type WireEdgeData = Edge<WireData, "wire">;

/** A shorter wire has no room for text. */
const roomPx = 56;
/** Distance from the line to the text above and below it; for a climbing wire, to its first and second line. */
const [abovePx, belowPx, besidePx] = [5, 13, 8];
/** A wire that climbs more than this would cross text above it. */
const levelPx = 24;

/** A wire between two cards; a long one uses the lanes that the layout reserved for it. */
export const WireEdge = memo(function WireEdge(props: EdgeProps<WireEdgeData>) {
  const lanes = props.data?.lanes ?? [];
  const [straight, x, y] = getBezierPath(props);
  const path = lanes.length === 0 ? straight : lanePath(props, lanes);
  const [lane] = lanes;
  const middle = lane === undefined ? { x, y } : { x: (props.sourceX + lane.x) / 2, y: (props.sourceY + lane.y) / 2 };
  const isLevel = lane !== undefined || Math.abs(props.targetY - props.sourceY) <= levelPx;
  const hasRoom = Math.abs((lane?.x ?? props.targetX) - props.sourceX) >= roomPx;
  return (
    <>
      <BaseEdge id={props.id} path={path} />
      {hasRoom && props.data?.carried && <Carried lines={props.data.carried} at={middle} isLevel={isLevel} />}
    </>
  );
});

interface CarriedProps {
  readonly lines: readonly string[];
  readonly at: Place;
  /** Otherwise the text is beside the wire. */
  readonly isLevel: boolean;
}

/** Hidden from screen readers: the edge has its own accessible name. */
function Carried({ lines: [first, second], at: { x, y }, isLevel }: CarriedProps) {
  const left = isLevel ? x : x + besidePx;
  return (
    <>
      <text className={styles.carried} data-beside={!isLevel || undefined} x={left} y={isLevel ? y - abovePx : y + 4}>
        {first}
      </text>
      {second !== undefined && (
        <text
          className={styles.carried}
          data-beside={!isLevel || undefined}
          x={left}
          y={isLevel ? y + belowPx : y + 4 + belowPx}
        >
          {second}
        </text>
      )}
    </>
  );
}
