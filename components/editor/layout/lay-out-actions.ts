import type { Action } from "../actions/action.ts";
import { selectedNodeIds } from "../actions/edit-actions.ts";
import { move } from "../commands/move.ts";
import type { EditorSession } from "../state/editor-session.ts";
import { layOut } from "./lay-out.ts";

async function tidy({ editor, view }: EditorSession, ids: ReadonlySet<string> | null): Promise<void> {
  const { draft } = editor;
  const places = await layOut(draft, editor.types, ids);
  // Meanwhile something else may have been done: what was laid out is not the flow any more.
  if (editor.draft !== draft) return;
  editor.change("Tidy up", move(places));
  requestAnimationFrame(() => view.port?.fit());
}

export const layOutAction: Action = {
  id: "tidy",
  label: "Tidy up the whole flow",
  group: "Arrange",
  shortcuts: ["shift+L"],
  enabled: ({ editor }) => editor.draft.nodes.length > 0,
  run: (session) => tidy(session, null),
};

export const layOutSelectionAction: Action = {
  id: "tidy-selection",
  label: "Tidy up the selection",
  group: "Arrange",
  enabled: (session) => selectedNodeIds(session).size > 1,
  run: (session) => tidy(session, selectedNodeIds(session)),
};
