import type { Node } from "@xyflow/react";
import {
  type DragEvent,
  type MouseEvent as ReactMouseEvent,
  type TouchEvent as ReactTouchEvent,
  useCallback,
  useState,
} from "react";
import { addNodeAt } from "#components/editor/actions/add-node-at.ts";
import { pasteFile } from "#components/editor/actions/paste-text.ts";
import { insertOnEdge, refuseEdge, roomBefore } from "#components/editor/commands/connect.ts";
import { move, type Place } from "#components/editor/commands/move.ts";
import { canvasOf } from "#components/editor/draft/canvas-settings.ts";
import { bodyGraphOf } from "#components/editor/levels/level.ts";
import { dropIntoLoop, moveNodesOut } from "#components/editor/levels/level-actions.ts";
import type { CanvasView } from "#components/editor/state/canvas-view.ts";
import type { Editor } from "#components/editor/state/editor.ts";
import { useSession } from "#components/editor/state/editor-context.ts";
import type { EditorState } from "#components/editor/state/editor-state.ts";
import { isDeepEqual } from "#lib/engine/changes/deep-equal.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { handleOf } from "#lib/engine/graph.ts";
import { draggedType } from "./palette.tsx";

/**
 * Node types dragged from the palette, and cards dragged onto a wire: both are inserted into the wire they are dropped
 * on.
 */
export function useDropping() {
  const session = useSession();
  const { editor, view } = session;
  const [target, setTarget] = useState<string | null>(null);

  /** The edge behind an id on the canvas: a stored one, or the trigger's implied edge to a first node. */
  const edgeOf = useCallback(
    (id: string) => {
      if (editor.level.edges.some((edge) => edge.id === id)) return id;
      return id.startsWith("start-") ? { source: "trigger", target: id.slice("start-".length) } : undefined;
    },
    [editor],
  );

  const onDragOver = useCallback(
    (event: DragEvent) => {
      const { types } = event.dataTransfer;
      if (!types.includes(draggedType.format) && !types.includes("Files")) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      setTarget(edgeAt(view, { x: event.clientX, y: event.clientY }));
    },
    [view],
  );

  /** Also when the drag is aborted; over the next element it goes on. */
  const onDragLeave = useCallback(() => setTarget(null), []);

  const onDrop = useCallback(
    (event: DragEvent) => {
      const [file] = event.dataTransfer.files;
      setTarget(null);
      if (file !== undefined) {
        event.preventDefault();
        void pasteFile(session, file, view.port?.toCanvas({ x: event.clientX, y: event.clientY }));
        return;
      }
      const type = editor.typeOf(draggedType.read(event.dataTransfer));
      if (type === undefined || view.port === null) return;
      event.preventDefault();
      const point = { x: event.clientX, y: event.clientY };
      const { x, y } = view.port.toCanvas(point);
      const edge = edgeAt(view, point);
      addNodeAt(session, type, {
        at: { x: x - 120, y: y - 29 },
        start: draggedType.readStart(event.dataTransfer),
        intoEdge: edge === null ? undefined : edgeOf(edge),
      });
    },
    [session, editor, view, edgeOf],
  );

  /** The wire under a dragged card without wires, if the card may be inserted into it. */
  const wireUnder = useCallback(
    (node: Node): string | null => {
      const { level: draft, catalogue } = editor;
      if (draft.edges.some((edge) => edge.source === node.id || edge.target === node.id)) return null;
      const middle = view.port?.toScreen({ x: node.position.x + 120, y: node.position.y + 29 });
      const id = middle === undefined ? null : edgeAt(view, middle);
      const edge = draft.edges.find((candidate) => candidate.id === id);
      if (edge === undefined || !draft.nodes.some(({ id: own }) => own === node.id)) return null;
      const newEdge = { source: edge.source, handle: handleOf(edge), target: node.id };
      return refuseEdge(draft, newEdge, catalogue) === null ? edge.id : null;
    },
    [editor, view],
  );

  const onNodeDrag = useCallback(
    (event: MouseEvent | TouchEvent | ReactPointer, node: Node, nodes: Node[]) => {
      const dropInto = levelUnder(editor, pointOf("nativeEvent" in event ? event.nativeEvent : event), nodes);
      // Every subscriber is called for each new state, but there is one step per frame.
      if (!isDeepEqual(dropInto, editor.store.getState().dropInto)) editor.store.setState({ dropInto });
      setTarget(dropInto === null ? wireUnder(node) : null);
    },
    [editor, wireUnder],
  );

  const onNodeDragStop = useCallback(
    (_: unknown, node: Node, nodes: Node[]) => {
      const { dropInto } = editor.store.getState();
      editor.store.setState({ dropInto: null });
      const ids = new Set(nodes.map(({ id }) => id));
      if (dropInto !== null) {
        setTarget(null);
        if ("loopId" in dropInto) dropIntoLoop(session, ids, dropInto.loopId);
        else moveNodesOut(session, ids, dropInto.depth);
        return;
      }
      setTarget(null);
      const id = wireUnder(node);
      const own = editor.level.nodes.find((candidate) => candidate.id === node.id);
      if (id === null || own === undefined) return;
      const handle = editor.catalogue.handles(own.type, own.config)?.[0] ?? null;
      const target = editor.level.edges.find((edge) => edge.id === id)?.target ?? "";
      const insert = insertOnEdge(own, id, handle);
      editor.change(`Insert ${own.name}`, (flow) => move(roomBefore(flow, target, own.position))(insert(flow)));
    },
    [session, editor, wireUnder],
  );
  return { dropTarget: target, onDragOver, onDragLeave, onDrop, onNodeDrag, onNodeDragStop, edgeOf };
}

type ReactPointer = ReactMouseEvent | ReactTouchEvent;

/** The level that cards dropped at a screen position move to: that of a loop's card, or of a step in the path. */
function levelUnder(editor: Editor, { x, y }: Place, dragged: readonly Node[]): EditorState["dropInto"] {
  const { level, types } = editor;
  // Finding the element under the pointer makes the browser lay out the page: only if there is something to find.
  const withBody = new Set(types.flatMap(({ type, hasBody }) => (hasBody ? [type] : [])));
  const isThereAny = editor.store.getState().within.length > 0 || level.nodes.some(({ type }) => withBody.has(type));
  if (!isThereAny) return null;
  const ids = new Set(dragged.map(({ id }) => id));
  const isMovable =
    level.nodes.some((node) => ids.has(node.id)) || canvasOf(level).groups.some(({ id }) => ids.has(id));
  if (!isMovable || ids.has(triggerSource)) return null;
  for (const element of document.elementsFromPoint(x, y)) {
    const step = element.closest<HTMLElement>("[data-depth]")?.dataset.depth;
    if (step !== undefined) return { depth: Number(step) };
    const loopId = element.closest<HTMLElement>(".react-flow__node-card")?.dataset.id;
    const loop = ids.has(loopId ?? "") ? undefined : level.nodes.find((node) => node.id === loopId);
    if (loop !== undefined && bodyGraphOf(loop, types) !== null) return { loopId: loop.id };
  }
  return null;
}

/** The screen position of an event. */
export function pointOf(event: MouseEvent | TouchEvent): Place {
  const point = "changedTouches" in event ? event.changedTouches[0] : event;
  return { x: point?.clientX ?? 0, y: point?.clientY ?? 0 };
}

/** The id of the card at a screen position; notes and group frames do not count. */
export function nodeAt(point: Place): string | null {
  return idAt(point, ".react-flow__node-card, .react-flow__node-trigger, .react-flow__node-start");
}

/** The id of the wire at a screen position, even under a card. */
function edgeAt({ farWireAt }: CanvasView, point: Place): string | null {
  return farWireAt === null ? idAt(point, ".react-flow__edge") : farWireAt(point);
}

function idAt({ x, y }: Place, selector: string): string | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const id = element.closest<HTMLElement | SVGElement>(selector)?.dataset.id;
    if (id !== undefined) return id;
  }
  return null;
}
