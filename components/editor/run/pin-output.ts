import { changeCanvas } from "../commands/change-canvas.ts";
import { canvasOf } from "../draft/canvas-settings.ts";
import type { EditorSession } from "../state/editor-session.ts";

/** Settings travel with every save: what is pinned stays small. */
const charactersMax = 200_000;

/** Only nodes that lead on in one way: the way of the others hangs on running them. */
export function canPin({ editor }: EditorSession, id: string): boolean {
  const node = editor.draft.nodes.find((candidate) => candidate.id === id);
  return node !== undefined && (editor.catalogue.handles(node.type, node.config) ?? []).length === 0;
}

/** Makes runs of the draft take this output instead of running the node. */
export function pinOutput({ editor }: EditorSession, id: string, output: unknown): void {
  if ((JSON.stringify(output) ?? "").length > charactersMax) {
    editor.say(`Outputs of more than ${charactersMax / 1_000} kB cannot be pinned.`, { tone: "problem" });
    return;
  }
  editor.change("Pin the output", changeCanvas({ pins: { ...canvasOf(editor.draft).pins, [id]: output ?? null } }));
  const isDraft = editor.store.getState().status === "draft";
  editor.say(isDraft ? "Runs of this draft take the pinned output." : "Pinned. Only runs of a draft take it.");
}

export function unpinOutput({ editor }: EditorSession, id: string): void {
  const { [id]: _, ...pins } = canvasOf(editor.draft).pins;
  editor.change("Unpin the output", changeCanvas({ pins }));
}
