import type { Node } from "@xyflow/react";
import { type DragEvent, useCallback, useState } from "react";
import { handleOf } from "#lib/engine/graph.ts";
import { addNodeAt } from "../actions/add-node-at.ts";
import { pasteText } from "../actions/paste-text.ts";
import { refuseEdge } from "../commands/connect.ts";
import { insertOnEdge } from "../commands/insert-on-edge.ts";
import { roomBefore } from "../commands/make-room.ts";
import { move } from "../commands/move.ts";
import { useSession } from "../state/editor-context.ts";
import { draggedType } from "./dragged-type.ts";
import { edgeAt } from "./pointed.ts";

/** Node types dragged from the palette, and cards dragged onto a wire: both are put into the wire that they are let go on. */
export function useDropping() {
  const session = useSession();
  const { editor, view } = session;
  const [target, setTarget] = useState<string | null>(null);

  /** What an id on the canvas stands for: a stored edge, or the trigger's own to a first node. */
  const edgeOf = useCallback(
    (id: string) => {
      if (editor.draft.edges.some((edge) => edge.id === id)) return id;
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

  const onDrop = useCallback(
    (event: DragEvent) => {
      const [file] = event.dataTransfer.files;
      if (file !== undefined) {
        event.preventDefault();
        const at = view.port?.toCanvas({ x: event.clientX, y: event.clientY });
        const nothing = `${file.name} holds no nodes that could be put in here.`;
        void file
          .text()
          .then((text) => pasteText(session, text, { label: "Insert a file", nothing, ...(at && { at }) }));
        return;
      }
      const type = editor.typeOf(draggedType.read(event.dataTransfer));
      setTarget(null);
      if (type === undefined || view.port === null) return;
      event.preventDefault();
      const point = { x: event.clientX, y: event.clientY };
      const { x, y } = view.port.toCanvas(point);
      const edge = edgeAt(view, point);
      addNodeAt(session, type, { at: { x: x - 120, y: y - 29 }, intoEdge: edge === null ? undefined : edgeOf(edge) });
    },
    [session, editor, view, edgeOf],
  );

  /** The wire that a card without wires lies over, if it may be put into it. */
  const wireUnder = useCallback(
    (node: Node): string | null => {
      const { draft, catalogue } = editor;
      if (draft.edges.some((edge) => edge.source === node.id || edge.target === node.id)) return null;
      const middle = view.port?.toScreen({ x: node.position.x + 120, y: node.position.y + 29 });
      const id = middle === undefined ? null : edgeAt(view, middle);
      const edge = draft.edges.find((candidate) => candidate.id === id);
      if (edge === undefined || !draft.nodes.some(({ id: own }) => own === node.id)) return null;
      const wanted = { source: edge.source, handle: handleOf(edge), target: node.id };
      return refuseEdge(draft, wanted, catalogue) === null ? edge.id : null;
    },
    [editor, view],
  );

  const onNodeDrag = useCallback((_: unknown, node: Node) => setTarget(wireUnder(node)), [wireUnder]);

  const onNodeDragStop = useCallback(
    (_: unknown, node: Node) => {
      setTarget(null);
      const id = wireUnder(node);
      const own = editor.draft.nodes.find((candidate) => candidate.id === node.id);
      if (id === null || own === undefined) return;
      const handle = editor.catalogue.handles(own.type, own.config)?.[0] ?? null;
      const target = editor.draft.edges.find((edge) => edge.id === id)?.target ?? "";
      const insert = insertOnEdge(own, id, handle);
      editor.change(`Insert ${own.name}`, (flow) => move(roomBefore(flow, target, own.position))(insert(flow)));
    },
    [editor, wireUnder],
  );
  return { dropTarget: target, onDragOver, onDrop, onNodeDrag, onNodeDragStop, edgeOf };
}
