import type { Connection, Edge, FinalConnectionState, HandleType, IsValidConnection } from "@xyflow/react";
import { useCallback, useRef } from "react";
import { plainHandleId } from "#components/canvas/flow-graph.ts";
import { connect, reconnect, refuseEdge, type WantedEdge } from "../commands/connect.ts";
import { remove } from "../commands/remove.ts";
import type { Editor } from "../state/editor.ts";
import { useSession } from "../state/editor-context.ts";
import { nodeAt, pointOf } from "./use-dropping.ts";

/**
 * Connecting cards by dragging from a handle or an edge's end, and adding the next node by dropping on the background.
 */
export function useConnecting() {
  const { editor, view } = useSession();
  /** The edge being reconnected; `done` once it has been. */
  const taken = useRef<{ readonly id: string; done: boolean } | null>(null);

  const isValidConnection: IsValidConnection = useCallback(
    (connection) => refuseEdge(editor.level, wantedOf(connection), editor.catalogue, taken.current?.id) === null,
    [editor],
  );

  const join = useCallback(
    (newEdge: WantedEdge) => {
      const edge = taken.current;
      const reason = refuseEdge(editor.level, newEdge, editor.catalogue, edge?.id);
      if (reason !== null) editor.say(reason, { tone: "problem" });
      else if (edge === null) editor.change("Connect", connect(newEdge));
      else editor.change("Connect elsewhere", reconnect(edge.id, newEdge));
      if (edge !== null) edge.done = true;
    },
    [editor],
  );

  const onConnect = useCallback((connection: Connection) => join(wantedOf(connection)), [join]);

  const onConnectEnd = useCallback(
    (event: MouseEvent | TouchEvent, state: FinalConnectionState) => {
      const { fromHandle, fromNode, toNode, isValid } = state;
      if (isValid === true || fromHandle === null || fromNode === null || taken.current !== null) return;
      const point = pointOf(event);
      const over = nodeAt(point) ?? toNode?.id ?? null;
      const isForward = fromHandle.type === "source";
      const handle = isForward && fromHandle.id !== plainHandleId ? (fromHandle.id ?? null) : null;
      if (over === fromNode.id) return;
      if (over !== null) {
        join(
          isForward
            ? { source: fromNode.id, handle, target: over }
            : { source: over, handle: firstHandle(editor, over), target: fromNode.id },
        );
        return;
      }
      const at = view.port?.toCanvas(point) ?? null;
      const place = at === null ? null : { x: isForward ? at.x : at.x - 240, y: at.y - 29 };
      const ends = isForward ? { after: { source: fromNode.id, handle } } : { before: fromNode.id };
      editor.askWhatToAdd({ screen: point, at: place, ...ends });
    },
    [editor, view, join],
  );

  const onReconnectStart = useCallback((_: unknown, edge: Edge) => {
    taken.current = { id: edge.id, done: false };
  }, []);
  const onReconnect = useCallback((_: Edge, connection: Connection) => join(wantedOf(connection)), [join]);
  const onReconnectEnd = useCallback(
    (event: MouseEvent | TouchEvent, edge: Edge, staying: HandleType, state: FinalConnectionState) => {
      const isOpen = taken.current?.done === false;
      const over = nodeAt(pointOf(event)) ?? state.toNode?.id ?? null;
      const { source, handle, target } = wantedOf(edge);
      if (isOpen && over !== null && over !== (staying === "source" ? target : source)) {
        const moved =
          staying === "source"
            ? { source, handle, target: over }
            : { source: over, handle: firstHandle(editor, over), target };
        join(moved);
      }
      taken.current = null;
      if (isOpen && over === null) editor.change("Disconnect", remove({ nodes: new Set(), edges: new Set([edge.id]) }));
    },
    [editor, join],
  );
  return { isValidConnection, onConnect, onConnectEnd, onReconnectStart, onReconnect, onReconnectEnd };
}

/** The handle for a wire that was not dragged from one. */
function firstHandle({ catalogue, level: draft }: Editor, id: string): string | null {
  const node = draft.nodes.find((candidate) => candidate.id === id);
  return node === undefined ? null : (catalogue.handles(node.type, node.config)?.[0] ?? null);
}

function wantedOf({ source, target, sourceHandle }: Connection | Edge): WantedEdge {
  return { source, target, handle: sourceHandle == null || sourceHandle === plainHandleId ? null : sourceHandle };
}
