import "@xyflow/react/dist/base.css";
import { Kbd } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import {
  Background,
  type Edge,
  EdgeLabelRenderer,
  MiniMap,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  useStore,
  ViewportPortal,
} from "@xyflow/react";
import { FirstView, KeepInView } from "#components/canvas/canvas-view.ts";
import canvasStyles from "#components/canvas/flow-canvas.module.css";
import { cardSize } from "#components/canvas/flow-graph.ts";
import { WireEdge } from "#components/canvas/wire-edge.tsx";
import type { Place } from "#components/editor/commands/move.ts";
import { triggerPlace } from "#components/editor/draft/place-draft.ts";
import { useEditor, useEditorState, useLevel, useSession } from "#components/editor/state/editor-context.ts";
import { PresenceLayer } from "#components/presence/presence.tsx";
import { StartCard } from "../levels/start-panel.tsx";
import { CardTools } from "./card-tools.tsx";
import editorCanvasStyles from "./editor-canvas.module.css";
import { EditorCard, TriggerCard } from "./editor-card.tsx";
import { nameSize, seenFromAfar } from "./far-view.tsx";
import { FarWireLayer } from "./far-wires.tsx";
import styles from "./first-step.module.css";
import { GroupFrame } from "./group-frame.tsx";
import { NoteCard } from "./note-card.tsx";
import { useCanvasChanges } from "./use-canvas-changes.ts";
import { useCanvasNodes, useDraftGraph } from "./use-canvas-nodes.ts";
import { useConnecting } from "./use-connecting.ts";
import { useDropping } from "./use-dropping.ts";
import { type OpenMenu, usePointing } from "./use-pointing.ts";
import { useWires } from "./use-wires.ts";
import { ViewPort } from "./view-port.tsx";

const gap = 88;

/** The place for an empty flow's first node: beside the trigger. */
function FirstStep() {
  const editor = useEditor();
  const trigger = triggerPlace(useLevel((level) => level));
  const { x, y } = { x: trigger.x + cardSize.width + gap, y: trigger.y };
  return (
    <ViewportPortal>
      <button
        type="button"
        className={`${styles.step} nodrag nopan`}
        style={{ transform: `translate(${x}px, ${y}px)`, width: cardSize.width, height: cardSize.head }}
        onClick={({ clientX, clientY }) => editor.askWhatToAdd({ screen: { x: clientX, y: clientY }, at: { x, y } })}
      >
        <IconPlus size={16} aria-hidden="true" />
        Add the first node
        <Kbd size="xs">A</Kbd>
      </button>
    </ViewportPortal>
  );
}

const nodeTypes = {
  card: EditorCard,
  trigger: TriggerCard,
  start: StartCard,
  note: NoteCard,
  "group-frame": GroupFrame,
};
const edgeTypes = { wire: WireEdge };
const firstFit = { maxZoom: 1, minZoom: 0.1, padding: 0.12 } as const;
const readableZoom = 0.35;
const snapGrid: [number, number] = [10, 10];
/** How many pixels a pointer may move and still click; farther is a drag. */
const clickReach = 3;
/**
 * Up to this many cards are all in the DOM, for assistive technology and the browser's search; beyond, only visible
 * ones.
 */
const drawnWholeMax = 120;
const multiKeys = ["Meta", "Control", "Shift"];
const noEdges: Edge[] = [];

/** The editor's canvas. React Flow is fully controlled: it draws the draft and reports user actions. */
export function EditorCanvas({ onContextMenu }: { readonly onContextMenu: OpenMenu }) {
  const level = useEditorState((state) => state.within.at(-1) ?? "");
  return (
    // Each level has its own view.
    <ReactFlowProvider key={level}>
      <Canvas onContextMenu={onContextMenu} />
    </ReactFlowProvider>
  );
}

function Canvas({ onContextMenu }: { readonly onContextMenu: OpenMenu }) {
  const editor = useEditor();
  const { view } = useSession();
  const isMapOpen = useEditorState((state) => state.isMapOpen);
  // The report of an import opens right after the first view, and takes room from it.
  const isReporting = useEditorState((state) => state.side === "imported");
  const isEmpty = useLevel((level) => level.nodes.length === 0);
  const only = useEditorState(({ selection }) =>
    selection.nodes.size === 1 ? ([...selection.nodes][0] ?? null) : null,
  );
  // Without a pointer to hover with, a wire is selected for its plus.
  const onlyEdge = useEditorState(({ selection }) =>
    selection.edges.size === 1 ? ([...selection.edges][0] ?? null) : null,
  );
  const { hovered, pointing } = usePointing(onContextMenu);
  const { moving, sizes, onNodesChange, onEdgesChange } = useCanvasChanges();
  const { dropTarget, onDragOver, onDragLeave, onDrop, onNodeDrag, onNodeDragStop, edgeOf } = useDropping();
  const connecting = useConnecting();
  const graph = useDraftGraph();
  const isFar = useStore(seenFromAfar);
  const names = useStore(nameSize);
  const nodes = useCanvasNodes(graph, moving, sizes, isFar);
  const edges = useWires(graph, hovered, dropTarget, canvasStyles);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it is a drop target; every drop has a command, too
    <div
      className={editorCanvasStyles.pane}
      data-far={isFar || undefined}
      data-names={names}
      onDragOver={onDragOver}
      onDragLeave={onDragLeave}
      onDrop={onDrop}
      onPointerMove={({ clientX, clientY }) => {
        view.pointer = { x: clientX, y: clientY };
      }}
      onKeyUp={({ key, target }) => {
        // What Tab focuses (a card, a note or a group) becomes the selection.
        const isThere = key === "Tab" && target instanceof HTMLElement && target.matches(".react-flow__node");
        const id = isThere ? target.dataset.id : undefined;
        if (id !== undefined && !editor.selection.nodes.has(id)) editor.select([id]);
      }}
      onPointerLeave={() => {
        view.pointer = null;
      }}
    >
      <ReactFlow
        className={canvasStyles.canvas ?? ""}
        nodes={nodes}
        edges={isFar ? noEdges : edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        onNodeDrag={onNodeDrag}
        onNodeDragStop={onNodeDragStop}
        {...pointing}
        {...connecting}
        nodeDragThreshold={clickReach}
        nodeClickDistance={clickReach}
        connectionRadius={24}
        reconnectRadius={18}
        connectOnClick={false}
        snapToGrid
        snapGrid={snapGrid}
        multiSelectionKeyCode={multiKeys}
        selectionMode={SelectionMode.Partial}
        deleteKeyCode={null}
        disableKeyboardA11y
        edgesFocusable={false}
        elevateEdgesOnSelect={false}
        elevateNodesOnSelect={false}
        panOnScroll
        onlyRenderVisibleElements={graph.cards.length > drawnWholeMax}
        minZoom={0.1}
        maxZoom={2}
        aria-label="Flow"
      >
        {isFar ? (
          <FarWireLayer edges={edges} nodes={nodes} />
        ) : (
          <Background gap={20} size={1.6} color="var(--canvas-dot)" />
        )}
        {isMapOpen && (
          <MiniMap
            pannable
            zoomable
            className={editorCanvasStyles.map ?? ""}
            nodeClassName={editorCanvasStyles.mapNode ?? ""}
            ariaLabel="Minimap"
          />
        )}
        <ViewPort />
        <FirstView fit={firstFit} readable={readableZoom} isHeld={!isReporting} />
        <KeepInView id={moving.size === 0 ? only : null} />
        {isEmpty && <FirstStep />}
        <CardTools />
        <PresenceLayer />
        <InsertButton
          edge={hovered ?? onlyEdge}
          onInsert={(id, screen, at) => {
            const intoEdge = edgeOf(id);
            if (intoEdge !== undefined) editor.askWhatToAdd({ screen, at, intoEdge });
          }}
        />
      </ReactFlow>
    </div>
  );
}

interface InsertButtonProps {
  /** The hovered wire. */
  readonly edge: string | null;
  readonly onInsert: (edge: string, screen: Place, at: Place) => void;
}

/** A plus in the middle of a wire, which inserts a node between its ends. */
function InsertButton({ edge, onInsert }: InsertButtonProps) {
  const middle = useStore((state): string | null => {
    const wire = edge === null ? undefined : state.edgeLookup.get(edge);
    const source = wire && state.nodeLookup.get(wire.source);
    const target = wire && state.nodeLookup.get(wire.target);
    const handles = source?.internals.handleBounds?.source ?? [];
    const handle = handles.find(({ id }) => id === wire?.sourceHandle);
    if (source === undefined || target === undefined || handle === undefined) return null;
    const from = source.internals.positionAbsolute;
    const to = target.internals.positionAbsolute;
    return `${(from.x + handle.x + to.x) / 2} ${(from.y + handle.y + to.y + 29) / 2}`;
  });
  if (middle === null || edge === null) return null;
  const [x = 0, y = 0] = middle.split(" ").map(Number);
  return (
    <EdgeLabelRenderer>
      <button
        type="button"
        data-insert
        className={`${editorCanvasStyles.insert} nodrag nopan`}
        style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
        onClick={({ clientX, clientY }) => onInsert(edge, { x: clientX, y: clientY }, { x: x - 120, y: y - 29 })}
        aria-label="Insert a node here"
        title="Insert a node here"
      >
        <IconPlus size={14} stroke={2.2} />
      </button>
    </EdgeLabelRenderer>
  );
}
