"use client";
import "@xyflow/react/dist/base.css";
import { ActionIcon, Tooltip } from "@mantine/core";
import { IconMaximize, IconMinus, IconPlus } from "@tabler/icons-react";
import {
  Background,
  type FitViewOptions,
  MiniMap,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from "@xyflow/react";
import { type ReactNode, useMemo } from "react";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import { CanvasStateContext, type CardMark } from "./canvas-state.ts";
import canvasToolbarStyles from "./canvas-toolbar.module.css";
import { FirstView, KeepInView } from "./canvas-view.ts";
import { type Layout, placeCards } from "./column-layout.ts";
import styles from "./flow-canvas.module.css";
import {
  cardHeight,
  cardSize,
  drawFlow,
  type FlowDocument,
  type FlowGraph,
  plainHandleId,
  wireWords,
  withItemStart,
} from "./flow-graph.ts";
import { type CardNode, NodeCard } from "./node-card.tsx";
import { carriedBy, type NodeRuns, wireState } from "./wire-data.ts";
import { WireEdge, type WireEdgeData } from "./wire-edge.tsx";

const nodeTypes = { card: NodeCard };
const edgeTypes = { wire: WireEdge };
const pictureFit = { maxZoom: 0.6, minZoom: 0.1, padding: 0.08 } as const;
/** Below this zoom, a picture's cards are icons without names. */
const namedZoom = 0.4;
const noneUnknown: ReadonlySet<string> = new Set();
const noMarks: ReadonlyMap<string, CardMark> = new Map();
const fit = { maxZoom: 1, minZoom: 0.15, padding: 0.07 } as const;
/** Below this zoom, cards are unreadable. */
const readableZoom = 0.35;
/** The least number of cards for which the map is shown. */
const mappedMin = 8;

export interface FlowCanvasProps {
  readonly flow: FlowDocument;
  readonly types: readonly NodeType[];
  readonly selectedId: string | null;
  readonly onSelect: (id: string | null) => void;
  readonly runs?: NodeRuns;
  readonly live?: boolean;
  /** Nodes that may or may not have run. */
  readonly unknown?: ReadonlySet<string>;
  /** Only the picture, without controls. */
  readonly bare?: boolean;
  readonly marks?: ReadonlyMap<string, CardMark>;
  /** The node to open at if the whole flow is too large to read. */
  readonly focusId?: string | null;
  /** The loop whose body is shown: it starts at each item instead of a trigger. */
  readonly start?: FlowNode | null;
  /** Shows a minimap if there is room. */
  readonly minimap?: boolean;
  /** Further layers on the canvas. */
  readonly children?: ReactNode;
}

/** A read-only flow, for viewing and selecting. */
export default function FlowCanvas(props: FlowCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas({
  flow,
  types,
  selectedId,
  onSelect,
  runs,
  live = false,
  unknown = noneUnknown,
  marks = noMarks,
  bare = false,
  focusId = null,
  minimap = false,
  start = null,
  children,
}: FlowCanvasProps) {
  const hasNames = useStore(({ transform: [, , zoom] }) => zoom >= namedZoom);
  const graph = useMemo(() => {
    const drawn = drawFlow(flow, types);
    return start === null ? drawn : withItemStart(drawn, start, types);
  }, [flow, types, start]);
  const layout = useMemo(() => placeCards(graph), [graph]);
  const nodes = useMemo(() => cardNodes(graph, layout), [graph, layout]);
  const edges = useMemo(() => wireEdges(graph, layout, runs ?? null, live), [graph, layout, runs, live]);
  const state = useMemo(
    () => ({ selectedId, onSelect, runs: runs ?? null, unknown, live, bare, marks }),
    [selectedId, onSelect, runs, unknown, live, bare, marks],
  );
  return (
    <CanvasStateContext value={state}>
      <ReactFlow
        className={styles.canvas}
        data-picture={(bare && !hasNames) || undefined}
        data-names={(bare && hasNames && "small") || undefined}
        {...(bare && { proOptions: { hideAttribution: true } })}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onPaneClick={() => onSelect(null)}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        minZoom={0.15}
        maxZoom={1.5}
        panOnDrag={!bare}
        zoomOnScroll={false}
        preventScrolling={false}
        panOnScroll={false}
        deleteKeyCode={null}
        aria-label="Flow"
      >
        <Background gap={20} size={1.6} color="var(--canvas-dot)" />
        {!bare && (
          <Panel position="bottom-left">
            <CanvasToolbar fit={fit} />
          </Panel>
        )}
        <KeepInView id={selectedId} />
        {children}
        {minimap && graph.cards.length >= mappedMin && <Minimap runs={runs} />}
        <FirstView
          fit={bare ? pictureFit : fit}
          whole={bare}
          readable={focusId === null ? 0 : readableZoom}
          focusId={focusId}
          isHeld={selectedId !== null}
        />
      </ReactFlow>
    </CanvasStateContext>
  );
}

/** The minimap: the view's position, and nodes in their status colours. */
function Minimap({ runs }: { readonly runs: NodeRuns | undefined }) {
  return (
    <MiniMap
      pannable
      zoomable
      className={styles.map ?? ""}
      nodeColor={({ id }) => `var(--status-${runs?.get(id)?.status ?? "skipped"})`}
      ariaLabel="Minimap"
    />
  );
}

function cardNodes(graph: FlowGraph, { places }: Layout): CardNode[] {
  return graph.cards.map((card) => ({
    id: card.id,
    type: "card",
    position: places.get(card.id) ?? { x: 0, y: 0 },
    width: cardSize.width,
    height: cardHeight(card),
    data: { card },
    // Above every wire, so that wires pass behind cards.
    zIndex: 2,
  }));
}

function wireEdges(graph: FlowGraph, { lanes }: Layout, runs: NodeRuns | null, live: boolean): WireEdgeData[] {
  const names = new Map(graph.cards.map(({ id, name }) => [id, name]));
  return graph.wires.map((wire) => {
    const state = runs === null ? "plain" : wireState(wire, runs, live);
    return {
      id: wire.id,
      type: "wire",
      data: {
        ...(state === "taken" || state === "moving" ? carriedBy(runs?.get(wire.source)) : {}),
        lanes: lanes.get(wire.id) ?? [],
      },
      source: wire.source,
      target: wire.target,
      ariaLabel: wireWords(wire, names),
      sourceHandle: wire.handle ?? plainHandleId,
      className: styles[state] ?? "",
      zIndex: state === "taken" || state === "moving" ? 1 : 0,
    };
  });
}

/** Zoom in, zoom out, fit. */
export function CanvasToolbar({ fit }: { readonly fit: FitViewOptions }) {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const actions = [
    { label: "Zoom out", icon: IconMinus, perform: () => zoomOut({ duration: 140 }) },
    { label: "Zoom in", icon: IconPlus, perform: () => zoomIn({ duration: 140 }) },
    { label: "Show the whole flow", icon: IconMaximize, perform: () => fitView({ ...fit, duration: 180 }) },
  ];
  return (
    <div className={canvasToolbarStyles.toolbar} role="toolbar" aria-label="View">
      {actions.map(({ label, icon: Icon, perform }) => (
        <Tooltip key={label} label={label} position="top">
          <ActionIcon variant="subtle" size={28} onClick={() => void perform()} aria-label={label}>
            <Icon size={16} />
          </ActionIcon>
        </Tooltip>
      ))}
    </div>
  );
}
