import { runNode } from "../run/run-flow.ts";
import type { EditorSession } from "../state/editor-session.ts";
import type { Action } from "./action.ts";

const selectedNode = ({ editor: { draft, selection } }: Pick<EditorSession, "editor">): string | null =>
  selection.nodes.size === 1 ? (draft.nodes.find((node) => selection.nodes.has(node.id))?.id ?? null) : null;

export const runActions: readonly Action[] = [
  {
    id: "run",
    label: "Run the flow",
    group: "Run",
    shortcuts: ["mod+Enter"],
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
  { id: "listen", label: "Listen for the next call", group: "Run", run: ({ runs }) => runs.listen() },
  {
    id: "close-run",
    label: "Close the run",
    group: "Run",
    enabled: ({ runs }) => runs.store.getState().run !== null,
    run: ({ runs }) => runs.clear(),
  },
];
