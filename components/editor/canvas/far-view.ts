import type { ReactFlowState } from "@xyflow/react";

/** Below this zoom nothing on a card can be read or aimed at: only what it is and how it fares is drawn. */
const farZoom = 0.25;

/** Whether the flow is seen from afar. For one subscriber: what hundreds of cards ask is asked at every step of a pan. */
export const seenFromAfar = ({ transform }: ReactFlowState): boolean => transform[2] < farZoom;
