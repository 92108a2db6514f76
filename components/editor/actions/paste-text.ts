import { type CopiedNodes, cornerOf, paste, readCopiedNodes } from "#components/editor/commands/paste.ts";
import { offerImport } from "#components/editor/imported/offer-import.ts";
import type { Place } from "../commands/move.ts";
import { freePlace, placeDraft } from "../draft/place-draft.ts";
import type { EditorSession } from "../state/editor-session.ts";

interface PasteWish {
  readonly label: string;
  readonly at?: Place;
  /** The offset from the original, to the right and down. */
  readonly by?: number;
  /** The message for text that is not nodes. */
  readonly nothing?: string;
}

/** Pastes copied nodes into the flow, at the pointer by default. False for text that is not nodes. */
export function pasteText(session: EditorSession, text: string, wish: PasteWish = { label: "Paste" }): boolean {
  const { editor, view } = session;
  if (offerImport(session, text)) return false;
  const read = readCopiedNodes(text, editor.types);
  if (read === null) {
    editor.say(wish.nothing ?? "There are no nodes on the clipboard.", { tone: "problem" });
    return false;
  }
  const { nodes, edges } = read;
  // Nodes without positions, as programs write them, would all end up in one spot.
  const copied = { ...read, nodes: placeDraft({ ...editor.level, nodes, edges, settings: {} }, editor.types).nodes };
  try {
    const at = placeFor(editor, view, wish, copied);
    const { draft, ids } = paste(editor.level, copied, at, editor.types, editor.draft);
    editor.change(wish.label, () => draft);
    editor.select(ids);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    editor.say(`${error.message}: nothing was pasted.`, { tone: "problem" });
  }
  return true;
}

function placeFor(
  editor: EditorSession["editor"],
  { port, pointer }: EditorSession["view"],
  { at, by }: PasteWish,
  copied: CopiedNodes,
): Place {
  if (at !== undefined) return at;
  const corner = cornerOf(copied);
  if (by !== undefined) return { x: corner.x + by, y: corner.y + by };
  const wanted = port === null ? corner : pointer === null ? port.middle() : port.toCanvas(pointer);
  return freePlace(editor.level, wanted, editor.types);
}
