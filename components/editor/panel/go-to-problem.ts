import type { Problem } from "#lib/engine/graph.ts";
import { configPathOf } from "../draft/read-problems.ts";
import type { EditorSession } from "../state/editor-session.ts";

/** Opens the node that a problem is about and focuses its field. */
export function goToProblem({ editor, view }: EditorSession, problem: Problem): void {
  const { nodeId } = problem;
  if (nodeId === undefined) return;
  const path = configPathOf(problem);
  editor.select([nodeId]);
  editor.show("node");
  requestAnimationFrame(() => {
    view.port?.focus(nodeId);
    const field = path === null ? null : fieldAt(path);
    field?.scrollIntoView({ block: "center" });
    field?.querySelector<HTMLElement>("input, textarea, select, [contenteditable=true]")?.focus();
  });
}

/** The field at a path, or the nearest one around it: a value edited as JSON is one field. */
function fieldAt(path: string): HTMLElement | null {
  for (let at = path; at !== ""; at = at.replace(/(\.[^.[\]]*|\[[^\]]*\]|^[^.[\]]*)$/, "")) {
    const field = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(at)}"]`);
    if (field !== null) return field;
  }
  return null;
}
