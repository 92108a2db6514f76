import { type CanvasGroup, type CanvasNote, canvasOf, withCanvas } from "../draft/canvas-settings.ts";
import type { Command } from "../draft/flow-draft.ts";

/** Changes a note on the canvas. */
export function changeNote(id: string, changes: Partial<Omit<CanvasNote, "id">>): Command {
  return (draft) => {
    const { notes } = canvasOf(draft);
    return withCanvas(draft, { notes: notes.map((note) => (note.id === id ? { ...note, ...changes } : note)) });
  };
}

/** Changes a group on the canvas. */
export function changeGroup(id: string, changes: Partial<Omit<CanvasGroup, "id">>): Command {
  return (draft) => {
    const { groups } = canvasOf(draft);
    return withCanvas(draft, { groups: groups.map((group) => (group.id === id ? { ...group, ...changes } : group)) });
  };
}

/** Closes an open group, or opens a closed one: the words for the history, and the change. */
export function toggleGroup({ id, collapsed }: CanvasGroup): [string, Command] {
  return [collapsed ? "Open the group" : "Close the group", changeGroup(id, { collapsed: !collapsed })];
}
