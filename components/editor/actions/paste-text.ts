import { cardHeight, cardSize, drawFlow } from "#components/canvas/flow-graph.ts";
import { type CopiedNodes, cornerOf, paste, readCopiedNodes } from "#components/editor/commands/paste.ts";
import { readCurl } from "#components/editor/curl/read-curl.ts";
import { readText } from "#components/editor/gallery/read-flow-file.ts";
import { offerImport } from "#components/editor/imported/offer-import.ts";
import { sayFailure } from "#components/page/failure-notice.tsx";
import type { Place } from "../commands/move.ts";
import { sayWhatIsLeft } from "../curl/curl.ts";
import { freePlace, placeDraft } from "../draft/place-draft.ts";
import type { EditorSession } from "../state/editor-session.ts";
import { addNodeAt } from "./add-node-at.ts";

interface PasteWish {
  readonly label: string;
  readonly at?: Place;
  /** The minimum distance from the original. */
  readonly by?: number;
  /** The message for text that is not nodes. */
  readonly nothing?: string;
}

/**
 * Pastes copied nodes into the flow, at the pointer by default, and a curl command as the node that sends its request.
 * False for any other text.
 */
export function pasteText(session: EditorSession, text: string, options: PasteWish = { label: "Paste" }): boolean {
  const { editor, view } = session;
  if (offerImport(session, text)) return false;
  if (pasteRequest(session, text, options.at)) return true;
  try {
    const read = readCopiedNodes(text, editor.types);
    if (read === null) {
      editor.say(options.nothing ?? "There are no nodes on the clipboard.", { tone: "problem" });
      return false;
    }
    const { nodes, edges } = read;
    // Nodes without positions, as programs write them, would all end up in one spot.
    const copied = { ...read, nodes: placeDraft({ ...editor.level, nodes, edges, settings: {} }, editor.types).nodes };
    const at = placeFor(editor, view, options, copied);
    const { draft, ids } = paste(editor.level, copied, at, editor.types, editor.draft);
    editor.change(options.label, () => draft);
    editor.select(ids);
    const [first] = ids;
    if (first !== undefined) view.port?.focus(first);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    editor.say(`${error.message}: nothing was pasted.`, { tone: "problem" });
  }
  return true;
}

/** Adds the node that sends a curl command's request. False for any other text. */
function pasteRequest(session: EditorSession, text: string, at: Place | undefined): boolean {
  const { editor } = session;
  const type = editor.typeOf("http-request");
  const request = type && readCurl(text);
  if (type === undefined || request == null) return false;
  addNodeAt(session, type, { at, start: { name: type.name, config: request.config } });
  sayWhatIsLeft(editor, request);
  return true;
}

/** Pastes the nodes of a file, or says why it cannot. `at`: where it was dropped. */
export async function pasteFile(session: EditorSession, file: File, at?: Place | undefined): Promise<void> {
  const nothing = `${file.name} contains no nodes to insert.`;
  try {
    const text = await readText(file);
    pasteText(session, text, { label: "Insert a file", nothing, ...(at && { at }) });
  } catch (error) {
    session.editor.say(sayFailure(error), { tone: "problem" });
  }
}

function placeFor(
  editor: EditorSession["editor"],
  { port, pointer }: EditorSession["view"],
  { at, by }: PasteWish,
  copied: CopiedNodes,
): Place {
  if (at !== undefined) return at;
  const corner = cornerOf(copied);
  if (by !== undefined) return placeBeside(editor, copied, by);
  const position = port === null ? corner : pointer === null ? port.middle() : port.toCanvas(pointer);
  return freePlace(editor.level, position, editor.types);
}

/** Below the originals, where nothing is covered; notes lie over theirs, moved a little. */
function placeBeside({ level, types }: EditorSession["editor"], copied: CopiedNodes, by: number): Place {
  const { x, y } = cornerOf(copied);
  if (copied.nodes.length === 0) return { x: x + by, y: y + by };
  const places = new Map(copied.nodes.map((node) => [node.id, node.position]));
  const cards = drawFlow({ ...level, nodes: copied.nodes, edges: copied.edges }, types).cards;
  const ends = cards.flatMap((card) => {
    const place = places.get(card.id);
    return place === undefined ? [] : [{ right: place.x + cardSize.width, bottom: place.y + cardHeight(card) }];
  });
  const width = Math.max(...ends.map(({ right }) => right)) - x;
  const height = Math.max(...ends.map(({ bottom }) => bottom)) - y;
  return freePlace(level, { x, y: y + by }, types, { width, height });
}
