import { cardHeight, cardSize } from "#components/canvas/flow-graph.ts";
import {
  connect,
  type ImpliedEdge,
  insertOnEdge,
  placeBetween,
  roomBefore,
} from "#components/editor/commands/connect.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { handleOf } from "#lib/engine/graph.ts";
import { addNode, makeNode, type NodeStart } from "../commands/add-node.ts";
import { move, type Place } from "../commands/move.ts";
import { freePlace, triggerPlace } from "../draft/place-draft.ts";
import type { Editor } from "../state/editor.ts";
import type { EditorSession } from "../state/editor-session.ts";

const gap = 88;

interface AddOptions {
  /** The position of its upper left corner; by default the editor chooses. */
  readonly at?: Place | null | undefined;
  readonly after?: { readonly source: string; readonly handle: string | null } | undefined;
  readonly before?: string | undefined;
  readonly start?: NodeStart | undefined;
  readonly intoEdge?: string | { readonly source: string; readonly target: string } | undefined;
}

/** Adds a node of a type at the requested place, selects it and scrolls it into view. */
export function addNodeAt(session: EditorSession, type: NodeType, target: AddOptions = {}): void {
  const { editor, view } = session;
  const { level: draft, catalogue } = editor;
  const after = target.after ?? (target.at || target.before || target.intoEdge ? undefined : afterSelected(editor));
  const wire = endsOf(draft, target.intoEdge);
  const at = wire
    ? placeBetween(draft, wire, target.at ?? { x: 0, y: 0 }, editor.types)
    : freePlace(draft, target.at ?? placeAfter(session, after?.source), editor.types, sizeOf(editor, type));
  const node = makeNode(draft, type, at, editor.takenIds, target.start);
  const handle = catalogue.handles(type.type, node.config)?.[0] ?? null;
  if (wire !== null && target.intoEdge !== undefined) {
    const insert = insertOnEdge(node, target.intoEdge, handle);
    editor.change(`Insert ${node.name}`, (flow) => move(roomBefore(flow, wire.target, at))(insert(flow)));
  } else {
    const { before } = target;
    editor.change(`Add ${node.name}`, (flow) => {
      const added = addNode(node, after)(flow);
      return before === undefined ? added : connect({ source: node.id, handle, target: before })(added);
    });
  }
  editor.welcome(node);
  editor.select([node.id]);
  view.port?.focus(node.id);
}

function sizeOf({ catalogue }: Editor, { type }: NodeType): { readonly width: number; readonly height: number } {
  return { width: cardSize.width, height: cardHeight({ branches: catalogue.handles(type, {}) ?? [] }) };
}

/** What a wire connects; null for none. */
function endsOf({ edges }: FlowDraft, wire: AddOptions["intoEdge"]): ImpliedEdge | null {
  return typeof wire === "string" ? (edges.find((edge) => edge.id === wire) ?? null) : (wire ?? null);
}

/** The handle of the selected node to connect a new one to: its first without a wire. */
function afterSelected({ level: draft, selection, catalogue }: Editor): AddOptions["after"] {
  if (draft.nodes.length === 0 || selection.nodes.size !== 1) return undefined;
  const [id = ""] = selection.nodes;
  const node = draft.nodes.find((candidate) => candidate.id === id);
  if (node === undefined) return undefined;
  const handles = catalogue.handles(node.type, node.config) ?? [];
  if (handles.length === 0) return { source: id, handle: null };
  const used = new Set(draft.edges.filter((edge) => edge.source === id).map(handleOf));
  return { source: id, handle: handles.find((handle) => !used.has(handle)) ?? handles[0] ?? null };
}

function placeAfter({ editor: { level: draft }, view }: EditorSession, source: string | undefined): Place {
  const place = draft.nodes.find((node) => node.id === source)?.position;
  if (place !== undefined) return { x: place.x + cardSize.width + gap, y: place.y };
  if (source === triggerSource || draft.nodes.length === 0) {
    const { x, y } = triggerPlace(draft);
    return { x: x + cardSize.width + gap, y };
  }
  const middle = view.port?.middle() ?? { x: 0, y: 0 };
  return { x: middle.x - cardSize.width / 2, y: middle.y - cardSize.head / 2 };
}
