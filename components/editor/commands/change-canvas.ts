import { type CanvasSettings, withCanvas } from "../draft/canvas-settings.ts";
import type { Command } from "../draft/flow-draft.ts";

/** Changes what only people see: notes, groups, samples, pinned outputs. */
export function changeCanvas(changes: Partial<CanvasSettings>): Command {
  return (draft) => withCanvas(draft, changes);
}
