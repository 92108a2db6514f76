import type { Action } from "./action.ts";

export const viewActions: readonly Action[] = [
  {
    id: "map",
    label: "Show or hide the map",
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
