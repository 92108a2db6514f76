import "@xyflow/react/dist/base.css";
import { Background, type Node, ReactFlow, ReactFlowProvider, SelectionMode } from "@xyflow/react";
import { type MouseEvent, useState } from "react";
import { FirstView } from "#components/canvas/first-view.ts";
import canvasStyles from "#components/canvas/flow-canvas.module.css";
import { WireEdge } from "#components/canvas/wire-edge.tsx";
import { useEditor, useSession } from "../state/editor-context.ts";
import styles from "./editor-canvas.module.css";
import { EditorCard } from "./editor-card.tsx";
import { InsertButton } from "./insert-button.tsx";
import { TriggerCard } from "./trigger-card.tsx";
import { useCanvasChanges } from "./use-canvas-changes.ts";
import { useCardNodes, useDraftGraph } from "./use-canvas-nodes.ts";
import { useConnecting } from "./use-connecting.ts";
import { useDropping } from "./use-dropping.ts";
import { useWires } from "./use-wires.ts";
import { ViewPort } from "./view-port.tsx";

const nodeTypes = { card: EditorCard, trigger: TriggerCard };
const edgeTypes = { wire: WireEdge };
const firstFit = { maxZoom: 1, minZoom: 0.1, padding: 0.12 } as const;
const snapGrid: [number, number] = [10, 10];
const multiKeys = ["Meta", "Control", "Shift"];

/** The canvas of the editor. Nothing of the flow is in React Flow's own hands: it draws the draft and reports what is done. */
export function EditorCanvas({
  onContextMenu,
}: {
  readonly onContextMenu: (event: MouseEvent, id: string | null) => void;
}) {
  return (
    <ReactFlowProvider>
      <Canvas onContextMenu={onContextMenu} />
    </ReactFlowProvider>
  );
}

function Canvas({ onContextMenu }: { readonly onContextMenu: (event: MouseEvent, id: string | null) => void }) {
  const editor = useEditor();
  const { view } = useSession();
  const [hovered, setHovered] = useState<string | null>(null);
  const { moving, onNodesChange, onEdgesChange } = useCanvasChanges();
  const { dropTarget, onDragOver, onDrop, onNodeDrag, onNodeDragStop, edgeOf } = useDropping();
  const connecting = useConnecting();
  const graph = useDraftGraph();
  const nodes = useCardNodes(graph, moving);
  const edges = useWires(graph, hovered, dropTarget, canvasStyles);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it takes what is dropped on the canvas; every drop has a command too
    <div
      className={styles.pane}
      onDragOver={onDragOver}
      onDrop={onDrop}
      onPointerMove={({ clientX, clientY }) => {
        view.pointer = { x: clientX, y: clientY };
      }}
      onPointerLeave={() => {
        view.pointer = null;
      }}
    >
      <ReactFlow
        className={canvasStyles.canvas ?? ""}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        onNodeDrag={onNodeDrag}
        onNodeDragStop={onNodeDragStop}
        onEdgeMouseEnter={(_, edge) => setHovered(edge.id)}
        onNodeContextMenu={(event, node: Node) => onContextMenu(event, node.id)}
        onPaneContextMenu={(event) => onContextMenu(event as MouseEvent, null)}
        onPaneClick={() => setHovered(null)}
        {...connecting}
        connectionRadius={24}
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
        minZoom={0.1}
        maxZoom={2}
        aria-label="Flow"
      >
        <Background gap={20} size={1.6} color="var(--canvas-dot)" />
        <ViewPort />
        <FirstView fit={firstFit} />
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
