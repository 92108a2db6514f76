import { configPathOf, type PlacedProblem } from "../draft/read-problems.ts";
import { focusOnceShown } from "../levels/level-actions.ts";
import type { EditorSession } from "../state/editor-session.ts";

/** Opens a problem's node, at its level, and focuses the field. */
export function goToProblem({ editor, view }: EditorSession, problem: PlacedProblem): void {
  const { nodeId, within = [] } = problem;
  if (nodeId === undefined) return;
  const path = configPathOf(problem);
  // A body that is not a graph cannot be opened: shows its loop.
  if (![nodeId, ...within.toReversed()].some((id) => editor.reveal(id))) return;
  editor.show("node");
  focusOnceShown(view, nodeId, () => {
    const field = path === null ? null : fieldAt(path);
    field?.scrollIntoView({ block: "center" });
    field?.querySelector<HTMLElement>("input, textarea, select, [contenteditable=true]")?.focus();
  });
}

/** The field at a path, or the nearest one around it: a value edited as JSON is a single field. */
function fieldAt(path: string): HTMLElement | null {
  for (let at = path; at !== ""; at = at.replace(/(\.[^.[\]]*|\[[^\]]*\]|^[^.[\]]*)$/, "")) {
    const field = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(at)}"]`);
    if (field !== null) return field;
  }
  return null;
}
