import { setDisabled } from "#components/editor/commands/change.ts";
import { copyNodes } from "#components/editor/commands/paste.ts";
import { removeAndJoin, withMembers } from "#components/editor/commands/remove.ts";
import { copyText } from "#components/page/copy-text.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { canvasOf } from "../draft/canvas-settings.ts";
import { closeBody } from "../levels/level-actions.ts";
import type { EditorSession } from "../state/editor-session.ts";
import type { Action } from "./action.ts";
import { pasteText } from "./paste-text.ts";
import { neighbourOf } from "./walk-actions.ts";

/** Nodes, notes and groups can be copied; the trigger cannot. */
const hasCopyable = ({ editor: { selection } }: EditorSession) =>
  [...selection.nodes].some((id) => id !== triggerSource);
const hasSomething = ({ editor: { selection } }: Pick<EditorSession, "editor">) =>
  selection.nodes.size + selection.edges.size > 0;

/** The selected nodes, including those in selected groups, without the trigger, notes and groups. */
export function selectedNodeIds({
  editor: { level: draft, selection },
}: Pick<EditorSession, "editor">): ReadonlySet<string> {
  const ids = withMembers(draft, selection.nodes);
  return new Set(draft.nodes.filter((node) => ids.has(node.id)).map((node) => node.id));
}

export function removeSelected(session: EditorSession, verb = "Delete"): void {
  const { editor, view } = session;
  const { nodes, edges } = editor.selection;
  const count = nodes.size + edges.size;
  const [first] = nodes;
  view.beforeRemoved = first === undefined ? null : neighbourOf(editor.level, first, "left");
  editor.change(`${verb} ${count === 1 ? "it" : `${count} items`}`, removeAndJoin(editor.selection));
  editor.select([]);
}

/** False if nothing was copied. */
async function copySelected({ editor }: EditorSession): Promise<boolean> {
  const text = copyNodes(editor.level, editor.selection.nodes, editor.types);
  if (text === null) return false;
  try {
    await copyText(text);
    return true;
  } catch {
    editor.say("The browser does not allow this page to use the clipboard. Copy with the keyboard instead.");
    return false;
  }
}

async function clipboardText(): Promise<string | null> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    return null;
  }
}

export const editActions: readonly Action[] = [
  {
    id: "undo",
    label: "Undo",
    group: "Edit",
    shortcuts: ["mod+Z"],
    enabled: ({ editor }) => editor.store.getState().past.length > 0,
    run: ({ editor }) => editor.undo(),
  },
  {
    id: "redo",
    label: "Redo",
    group: "Edit",
    shortcuts: ["mod+shift+Z", "mod+Y"],
    enabled: ({ editor }) => editor.store.getState().future.length > 0,
    run: ({ editor }) => editor.redo(),
  },
  {
    id: "cut",
    label: "Cut",
    group: "Edit",
    shownKeys: "mod+X",
    enabled: hasCopyable,
    run: async (session) => {
      if (await copySelected(session)) removeSelected(session, "Cut");
    },
  },
  {
    id: "copy",
    label: "Copy",
    group: "Edit",
    shownKeys: "mod+C",
    enabled: hasCopyable,
    run: async (session) => void (await copySelected(session)),
  },
  {
    id: "paste",
    label: "Paste",
    group: "Edit",
    shownKeys: "mod+V",
    run: async (session) => {
      const text = await clipboardText();
      if (text !== null) pasteText(session, text);
      else
        session.editor.say(
          "The browser does not allow this page to use the clipboard. Paste with the keyboard instead.",
        );
    },
  },
  {
    id: "duplicate",
    label: "Duplicate",
    group: "Edit",
    shortcuts: ["mod+D"],
    enabled: hasCopyable,
    run: (session) => {
      const text = copyNodes(session.editor.level, session.editor.selection.nodes, session.editor.types);
      if (text !== null) pasteText(session, text, { label: "Duplicate", by: 40 });
    },
  },
  {
    id: "toggle-disabled",
    label: "Disable or enable",
    group: "Edit",
    shortcuts: ["D"],
    enabled: (session) => selectedNodeIds(session).size > 0,
    run: (session) => {
      const ids = selectedNodeIds(session);
      const isOn = session.editor.level.nodes.some(({ id, disabled }) => ids.has(id) && disabled !== true);
      session.editor.change(isOn ? "Disable" : "Enable", setDisabled(ids, isOn));
    },
  },
  {
    id: "delete",
    label: "Delete",
    group: "Edit",
    shortcuts: ["Delete", "Backspace"],
    enabled: (session) => hasCopyable(session) || session.editor.selection.edges.size > 0,
    run: (session) => removeSelected(session),
  },
  {
    id: "deselect",
    label: "Clear the selection, or leave the loop",
    group: "Edit",
    shortcuts: ["Escape"],
    enabled: ({ editor }) => {
      const { side, within } = editor.store.getState();
      return hasSomething({ editor }) || side !== "node" || within.length > 0;
    },
    run: (session) => {
      const { editor, view } = session;
      if (!hasSomething(session) && editor.store.getState().side === "node") return closeBody(session);
      const isInPanel = document.activeElement?.closest("[data-side-pane]") != null;
      const [id = triggerSource] = editor.selection.nodes;
      editor.select([]);
      editor.show("node");
      // What had the focus goes with the panel.
      if (isInPanel) view.port?.focus(id);
    },
  },
  {
    id: "select-all",
    label: "Select all",
    group: "Edit",
    shortcuts: ["mod+A"],
    run: ({ editor }) => {
      const { notes, groups } = canvasOf(editor.level);
      editor.select([...editor.level.nodes, ...notes, ...groups].map(({ id }) => id));
    },
  },
];
