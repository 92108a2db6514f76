import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { fieldTitle, withOtherTitles } from "#lib/engine/issue-message.ts";
import { nameOf } from "../commands/connect.ts";
import { configPathOf, type PlacedProblem } from "../draft/read-problems.ts";
import { allPlaced } from "../levels/level.ts";
import { focusOnceShown } from "../levels/level-actions.ts";
import type { EditorSession } from "../state/editor-session.ts";

/** A problem with its node and field: "“HTTP request” needs a value for URL". */
export function sayProblem(problem: PlacedProblem, draft: FlowDraft, types: readonly NodeType[]): string {
  const { nodeId, message } = problem;
  if (nodeId === undefined) return message;
  const nodes = allPlaced(draft.nodes, types).map(({ node }) => node);
  const name = `“${nameOf(nodes, nodeId)}”`;
  const type = types.find((candidate) => candidate.type === nodes.find((node) => node.id === nodeId)?.type);
  const title = fieldTitle(type?.configSchema, configPathOf(problem) ?? "");
  if (title === "") return `${name}: ${message}`;
  const text = withOtherTitles(message, type?.configSchema);
  const [, missing] = /^is required(.*)$/.exec(text) ?? [];
  return missing === undefined ? `${name}: ${title} ${text}` : `${name} needs a value for ${title}${missing}`;
}

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
