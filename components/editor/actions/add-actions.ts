import { cardSize } from "#components/canvas/flow-graph.ts";
import { changeCanvas, toggleGroup } from "#components/editor/commands/change.ts";
import { newId } from "#components/editor/draft/node-ids.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { type CanvasGroup, canvasOf } from "../draft/canvas-settings.ts";
import { freePlace, triggerPlace } from "../draft/place-draft.ts";
import type { EditorSession } from "../state/editor-session.ts";
import type { Action } from "./action.ts";

/** The selected group, if it is the only one. */
export function selectedGroup({ draft, selection }: EditorSession["editor"]): CanvasGroup | null {
  const [id] = selection.nodes;
  return selection.nodes.size === 1 ? (canvasOf(draft).groups.find((group) => group.id === id) ?? null) : null;
}

const noteSize = { width: 240, height: 140 } as const;

function askBeside({ editor, view }: EditorSession): void {
  const [id = triggerSource] = editor.selection.nodes;
  const place = editor.draft.nodes.find((node) => node.id === id)?.position ?? triggerPlace(editor.draft);
  const beside = view.port?.toScreen({ x: place.x + cardSize.width + 16, y: place.y });
  editor.askWhatToAdd({ screen: beside ?? { x: 400, y: 200 }, at: null });
}

export const addActions: readonly Action[] = [
  { id: "add", label: "Add a node", group: "Add", shortcuts: ["A", "N"], run: askBeside },
  {
    id: "connect",
    label: "Connect to…",
    group: "Add",
    shortcuts: ["C"],
    enabled: ({ editor: { selection, draft } }) =>
      selection.nodes.size === 1 && draft.nodes.some((node) => selection.nodes.has(node.id)),
    run: ({ editor }) => {
      const [id = null] = editor.selection.nodes;
      editor.store.setState({ connectingFrom: id });
    },
  },
  {
    id: "add-note",
    label: "Add a note",
    group: "Add",
    shortcuts: ["shift+N"],
    run: ({ editor, view }) => {
      const { notes } = canvasOf(editor.draft);
      const id = `note:${newId("note", new Set(notes.map((note) => note.id.slice("note:".length))))}`;
      const middle = view.port?.middle() ?? { x: 0, y: 0 };
      const wanted = view.pointer === null || view.port === null ? middle : view.port.toCanvas(view.pointer);
      const note = {
        id,
        ...freePlace(editor.draft, wanted, editor.types, noteSize),
        ...noteSize,
        text: "",
        color: "yellow" as const,
      };
      editor.change("Add a note", changeCanvas({ notes: [...notes, note] }));
      editor.select([id]);
      editor.write(id);
    },
  },
  {
    id: "group",
    label: "Group the selected nodes",
    group: "Add",
    shortcuts: ["mod+G"],
    enabled: ({ editor: { selection, draft } }) =>
      draft.nodes.filter((node) => selection.nodes.has(node.id)).length > 1,
    run: ({ editor }) => {
      const { groups } = canvasOf(editor.draft);
      const nodeIds = editor.draft.nodes.filter((node) => editor.selection.nodes.has(node.id)).map((node) => node.id);
      const id = `group:${newId("group", new Set(groups.map((group) => group.id.slice("group:".length))))}`;
      const others = groups
        .map((group) => ({ ...group, nodeIds: group.nodeIds.filter((member) => !nodeIds.includes(member)) }))
        .filter((group) => group.nodeIds.length > 0);
      editor.change("Group", changeCanvas({ groups: [...others, { id, name: "Group", nodeIds, collapsed: false }] }));
      editor.select([id]);
      editor.write(id);
    },
  },
  {
    id: "toggle-group",
    label: "Collapse or expand the group",
    group: "Add",
    enabled: ({ editor }) => selectedGroup(editor) !== null,
    run: ({ editor }) => {
      const group = selectedGroup(editor);
      if (group !== null) editor.change(...toggleGroup(group));
    },
  },
  {
    id: "ungroup",
    label: "Ungroup",
    group: "Add",
    shortcuts: ["mod+shift+G"],
    enabled: ({ editor: { selection, draft } }) =>
      canvasOf(draft).groups.some((group) => selection.nodes.has(group.id)),
    run: ({ editor }) => {
      const groups = canvasOf(editor.draft).groups.filter((group) => !editor.selection.nodes.has(group.id));
      editor.change("Ungroup", changeCanvas({ groups }));
      editor.select([]);
    },
  },
];
