import { copyNodes } from "../commands/copied-nodes.ts";
import { remove } from "../commands/remove.ts";
import type { EditorSession } from "../state/editor-session.ts";
import type { Action } from "./action.ts";
import { pasteText } from "./paste-text.ts";

const hasNodes = ({ editor }: EditorSession) => selectedNodeIds({ editor }).size > 0;
const hasSomething = ({ editor: { selection } }: Pick<EditorSession, "editor">) =>
  selection.nodes.size + selection.edges.size > 0;

/** The selected nodes of the flow: without the trigger, notes and groups. */
export function selectedNodeIds({ editor: { draft, selection } }: Pick<EditorSession, "editor">): ReadonlySet<string> {
  return new Set(draft.nodes.filter((node) => selection.nodes.has(node.id)).map((node) => node.id));
}

export function removeSelected(session: EditorSession, verb = "Delete"): void {
  const { editor } = session;
  const { nodes, edges } = editor.selection;
  const count = nodes.size + edges.size;
  editor.change(`${verb} ${count === 1 ? "it" : `${count} things`}`, remove(editor.selection));
  editor.select([]);
}

async function copySelected({ editor }: EditorSession): Promise<void> {
  const text = copyNodes(editor.draft, selectedNodeIds({ editor }));
  if (text !== null) await navigator.clipboard.writeText(text);
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
    enabled: hasNodes,
    run: async (session) => {
      await copySelected(session);
      removeSelected(session, "Cut");
    },
  },
  { id: "copy", label: "Copy", group: "Edit", enabled: hasNodes, run: copySelected },
  {
    id: "paste",
    label: "Paste",
    group: "Edit",
    run: async (session) => {
      const text = await navigator.clipboard.readText();
      pasteText(session, text);
    },
  },
  {
    id: "duplicate",
    label: "Duplicate",
    group: "Edit",
    shortcuts: ["mod+D"],
    enabled: hasNodes,
    run: (session) => {
      const { draft } = session.editor;
      const ids = selectedNodeIds(session);
      const text = copyNodes(draft, ids);
      const nodes = draft.nodes.filter((node) => ids.has(node.id));
      const x = Math.min(...nodes.map((node) => node.position.x)) + 40;
      const y = Math.min(...nodes.map((node) => node.position.y)) + 40;
      if (text !== null) pasteText(session, text, { label: "Duplicate", at: { x, y } });
    },
  },
  {
    id: "delete",
    label: "Delete",
    group: "Edit",
    shortcuts: ["Delete", "Backspace"],
    enabled: hasSomething,
    run: (session) => removeSelected(session),
  },
  {
    id: "deselect",
    label: "Select nothing",
    group: "Edit",
    shortcuts: ["Escape"],
    enabled: ({ editor }) => hasSomething({ editor }) || editor.store.getState().side !== "node",
    run: ({ editor }) => {
      editor.select([]);
      editor.show("node");
    },
  },
  {
    id: "select-all",
    label: "Select everything",
    group: "Edit",
    shortcuts: ["mod+A"],
    run: ({ editor }) => editor.select([...editor.draft.nodes.map((node) => node.id)]),
  },
];
