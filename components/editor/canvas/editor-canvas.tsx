import "@xyflow/react/dist/base.css";
import { Background, type Edge, MiniMap, ReactFlow, ReactFlowProvider, SelectionMode, useStore } from "@xyflow/react";
import { FirstView } from "#components/canvas/first-view.ts";
import canvasStyles from "#components/canvas/flow-canvas.module.css";
import { KeepInView } from "#components/canvas/keep-in-view.ts";
import { WireEdge } from "#components/canvas/wire-edge.tsx";
import { useEditor, useEditorState, useSession } from "../state/editor-context.ts";
import styles from "./editor-canvas.module.css";
import { EditorCard } from "./editor-card.tsx";
import { seenFromAfar } from "./far-view.ts";
import { FarWireLayer } from "./far-wire-layer.tsx";
import { FirstStep } from "./first-step.tsx";
import { GroupFrame } from "./group-frame.tsx";
import { InsertButton } from "./insert-button.tsx";
import { NoteCard } from "./note-card.tsx";
import { TriggerCard } from "./trigger-card.tsx";
import { useCanvasChanges } from "./use-canvas-changes.ts";
import { useCanvasNodes, useDraftGraph } from "./use-canvas-nodes.ts";
import { useConnecting } from "./use-connecting.ts";
import { useDropping } from "./use-dropping.ts";
import { type OpenMenu, usePointing } from "./use-pointing.ts";
import { useWires } from "./use-wires.ts";
import { ViewPort } from "./view-port.tsx";

const nodeTypes = { card: EditorCard, trigger: TriggerCard, note: NoteCard, "group-frame": GroupFrame };
const edgeTypes = { wire: WireEdge };
const firstFit = { maxZoom: 1, minZoom: 0.1, padding: 0.12 } as const;
const readableZoom = 0.35;
const snapGrid: [number, number] = [10, 10];
/** How far a pointer may tremble, in pixels, and still click; beyond, it drags. */
const clickReach = 3;
/** Up to here every card is in the page, for assistive technology and the browser's own search; beyond, those in view. */
const drawnWholeMax = 120;
const multiKeys = ["Meta", "Control", "Shift"];
const noEdges: Edge[] = [];

/** The canvas of the editor. Nothing of the flow is in React Flow's own hands: it draws the draft and reports what is done. */
export function EditorCanvas({ onContextMenu }: { readonly onContextMenu: OpenMenu }) {
  return (
    <ReactFlowProvider>
      <Canvas onContextMenu={onContextMenu} />
    </ReactFlowProvider>
  );
}

function Canvas({ onContextMenu }: { readonly onContextMenu: OpenMenu }) {
  const editor = useEditor();
  const { view } = useSession();
  const isMapOpen = useEditorState((state) => state.isMapOpen);
  const isEmpty = useEditorState((state) => state.draft.nodes.length === 0);
  const only = useEditorState(({ selection }) =>
    selection.nodes.size === 1 ? ([...selection.nodes][0] ?? null) : null,
  );
  const { hovered, pointing } = usePointing(onContextMenu);
  const { moving, onNodesChange, onEdgesChange } = useCanvasChanges();
  const { dropTarget, onDragOver, onDrop, onNodeDrag, onNodeDragStop, edgeOf } = useDropping();
  const connecting = useConnecting();
  const graph = useDraftGraph();
  const isFar = useStore(seenFromAfar);
  const nodes = useCanvasNodes(graph, moving, isFar);
  const edges = useWires(graph, hovered, dropTarget, canvasStyles);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it takes what is dropped on the canvas; every drop has a command too
    <div
      className={styles.pane}
      data-far={isFar || undefined}
      onDragOver={onDragOver}
      onDrop={onDrop}
      onPointerMove={({ clientX, clientY }) => {
        view.pointer = { x: clientX, y: clientY };
      }}
      onKeyUp={({ key, target }) => {
        // What Tab has led to, a card, a note or a group, is what the keys act on.
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
            className={styles.map ?? ""}
            nodeClassName={styles.mapNode ?? ""}
            ariaLabel="Map of the flow"
          />
        )}
        <ViewPort />
        <FirstView fit={firstFit} readable={readableZoom} />
        <KeepInView id={moving.size === 0 ? only : null} />
        {isEmpty && <FirstStep />}
        <InsertButton
          edge={hovered}
          onInsert={(id, screen, at) => {
            const intoEdge = edgeOf(id);
            if (intoEdge !== undefined) editor.askWhatToAdd({ screen, at, intoEdge });
          }}
        />
      </ReactFlow>
    </div>
  );
}
