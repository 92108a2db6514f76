import { openPalette } from "#components/palette/palette-door.ts";
import { layOutAction, layOutSelectionAction } from "../layout/lay-out-actions.ts";
import type { Action } from "./action.ts";
import { setStatus } from "./set-status.ts";

export const flowActions: readonly Action[] = [
  layOutAction,
  layOutSelectionAction,
  { id: "history", label: "Versions of the flow", group: "Flow", run: ({ editor }) => editor.show("history") },
  { id: "settings", label: "Settings of the flow", group: "Flow", run: ({ editor }) => editor.show("flow") },
  { id: "problems", label: "Problems of the flow", group: "Flow", run: ({ editor }) => editor.show("problems") },
  {
    id: "activate",
    label: "Activate the flow",
    group: "Flow",
    enabled: ({ editor }) => editor.store.getState().status !== "active",
    run: (session) => setStatus(session, "active"),
  },
  {
    id: "deactivate",
    label: "Deactivate the flow",
    group: "Flow",
    enabled: ({ editor }) => editor.store.getState().status === "active",
    run: (session) => setStatus(session, "inactive"),
  },
  {
    id: "export",
    label: "Export the flow as a file",
    group: "Flow",
    run: async ({ api, autosave, editor }) => {
      await autosave.flush();
      window.location.assign(api.url("exportFlow", { params: { id: editor.flowId } }));
    },
  },
  {
    id: "commands",
    label: "Everything that can be done",
    group: "View",
    shortcuts: ["mod+K"],
    run: openPalette,
  },
];
