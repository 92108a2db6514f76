import { layOutAction, layOutSelectionAction } from "#components/editor/layout/lay-out-actions.ts";
import { levelActions } from "#components/editor/levels/level-actions.ts";
import { listenForCall, runNode } from "#components/editor/run/run-flow.ts";
import type { EditorSession } from "#components/editor/state/editor-session.ts";
import { openPalette } from "#components/palette/palette-loader.ts";
import { testActions } from "#components/tests/test-runs.ts";
import type { Action } from "./action.ts";
import { addActions } from "./add-actions.ts";
import { arrangeActions } from "./arrange-actions.ts";
import { editActions } from "./edit-actions.ts";
import { setStatus } from "./set-status.ts";
import { walkActions } from "./walk-actions.ts";

const flowActions: readonly Action[] = [
  layOutAction,
  layOutSelectionAction,
  { id: "history", label: "Flow versions", group: "Flow", run: ({ editor }) => editor.show("history") },
  { id: "settings", label: "Flow settings", group: "Flow", run: ({ editor }) => editor.show("flow") },
  { id: "problems", label: "Flow problems", group: "Flow", run: ({ editor }) => editor.show("problems") },
  {
    id: "publish",
    label: "Publish the changes",
    group: "Flow",
    enabled: ({ editor }) => editor.store.getState().copy !== null,
    run: ({ editor }) => {
      editor.showMissing();
      editor.store.setState({ publishing: "publish" });
    },
  },
  {
    id: "review",
    label: "Review the unpublished changes",
    group: "Flow",
    enabled: ({ editor }) => editor.store.getState().copy !== null,
    run: ({ editor }) => {
      editor.showMissing();
      editor.store.setState({ publishing: "review" });
    },
  },
  {
    id: "activate",
    label: "Make the flow live",
    group: "Flow",
    enabled: ({ editor }) => editor.store.getState().status !== "active",
    run: (session) => setStatus(session, "active"),
  },
  {
    id: "deactivate",
    label: "Take the flow offline",
    group: "Flow",
    enabled: ({ editor }) => editor.store.getState().status === "active",
    run: (session) => setStatus(session, "inactive"),
  },
  {
    id: "export",
    label: "Export the flow as JSON",
    group: "Flow",
    run: async ({ api, autosave, editor }) => {
      await autosave.flush();
      window.location.assign(api.url("exportFlow", { params: { id: editor.flowId } }));
    },
  },
  {
    id: "export-yaml",
    label: "Export the flow as YAML",
    group: "Flow",
    run: async ({ api, autosave, editor }) => {
      await autosave.flush();
      window.location.assign(api.url("exportFlow", { params: { id: editor.flowId }, query: { format: "yaml" } }));
    },
  },
  {
    id: "commands",
    label: "Show all commands",
    group: "View",
    shortcuts: ["mod+K"],
    run: openPalette,
  },
  {
    id: "shortcuts",
    label: "Show all shortcuts",
    group: "View",
    shownKeys: "?",
    run: ({ editor }) => editor.store.setState({ isShowingKeys: true }),
  },
];

/** The selected node, if a run can stop at it: nodes in loops' bodies run with their loop. */
const selectedNode = ({ editor }: Pick<EditorSession, "editor">): string | null => {
  const { draft, selection } = editor;
  if (selection.nodes.size !== 1 || editor.store.getState().within.length > 0) return null;
  return draft.nodes.find((node) => selection.nodes.has(node.id))?.id ?? null;
};

const runActions: readonly Action[] = [
  {
    id: "run",
    label: "Run the flow",
    group: "Run",
    shortcuts: ["mod+Enter"],
    whileTyping: true,
    run: ({ editor }) => editor.store.setState({ askingForInput: { untilNode: null } }),
  },
  {
    id: "run-to",
    label: "Run to this node",
    group: "Run",
    enabled: (session) => selectedNode(session) !== null,
    run: (session) => session.editor.store.setState({ askingForInput: { untilNode: selectedNode(session) } }),
  },
  {
    id: "run-node",
    label: "Run this node with its last input",
    group: "Run",
    enabled: (session) => selectedNode(session) !== null,
    run: async (session) => {
      const id = selectedNode(session);
      if (id !== null) await runNode(session, id);
    },
  },
  { id: "listen", label: "Listen for the next call", group: "Run", run: listenForCall },
  {
    id: "close-run",
    label: "Close the run",
    group: "Run",
    enabled: ({ runs }) => runs.store.getState().run !== null,
    run: ({ runs }) => runs.clear(),
  },
];

const viewActions: readonly Action[] = [
  {
    id: "map",
    label: "Show or hide the minimap",
    group: "View",
    shortcuts: ["M"],
    run: ({ editor }) => editor.store.setState(({ isMapOpen }) => ({ isMapOpen: !isMapOpen })),
  },
  {
    id: "fit",
    label: "Show the whole flow",
    group: "View",
    shortcuts: ["1"],
    run: ({ view }) => view.port?.fit(),
  },
  {
    id: "fit-selection",
    label: "Show the selection",
    group: "View",
    shortcuts: ["2"],
    enabled: ({ editor }) => editor.selection.nodes.size > 0,
    run: ({ editor, view }) => view.port?.fit([...editor.selection.nodes]),
  },
  { id: "zoom-100", label: "Zoom to 100%", group: "View", shortcuts: ["0"], run: ({ view }) => view.port?.zoomTo(1) },
  { id: "zoom-in", label: "Zoom in", group: "View", shortcuts: ["mod+="], run: ({ view }) => view.port?.zoomIn() },
  { id: "zoom-out", label: "Zoom out", group: "View", shortcuts: ["mod+-"], run: ({ view }) => view.port?.zoomOut() },
];

/** All commands of the editor, in the order of menus. */
export const allActions: readonly Action[] = [
  ...editActions,
  ...addActions,
  ...arrangeActions,
  ...runActions,
  ...viewActions,
  ...walkActions,
  ...levelActions,
  ...flowActions,
  ...testActions,
];

const byId = new Map(allActions.map((action) => [action.id, action]));

/** Throws for an unknown id: ids are written in the source only. */
export function actionOf(id: string): Action {
  const action = byId.get(id);
  if (action === undefined) throw new Error(`There is no action "${id}"`);
  return action;
}
