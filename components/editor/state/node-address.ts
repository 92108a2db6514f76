import { triggerSource } from "#lib/engine/flow.ts";
import { pathTo } from "../levels/level.ts";
import type { Editor } from "./editor.ts";
import type { EditorSession } from "./editor-session.ts";
import type { EditorState } from "./editor-state.ts";

const parameters = { node: "node", level: "in", run: "run" } as const;

/**
 * Opens the level, node and run in the page's URL, and then keeps the URL in step with the open level and node, and
 * with the run while it is shown.
 */
export function followAddress({ editor, runs }: Pick<EditorSession, "editor" | "runs">): () => void {
  open(editor);
  const run = new URLSearchParams(window.location.search).get(parameters.run);
  if (run !== null) runs.watch(run);
  const leaveEditor = editor.store.subscribe((state, before) => {
    if (state.selection !== before.selection || state.within !== before.within) follow(editor, state);
  });
  const leaveRun = runs.store.subscribe((state, before) => {
    if (state.run?.id !== before.run?.id && state.run?.id !== run) write({ run: null });
  });
  return () => {
    leaveEditor();
    leaveRun();
  };
}

function open(editor: Editor): void {
  const current = new URLSearchParams(window.location.search);
  const loop = current.get(parameters.level);
  const around = loop === null ? null : pathTo(editor.draft.nodes, loop, editor.types);
  if (loop !== null && around !== null) editor.enter([...around, loop]);
  const node = current.get(parameters.node);
  if (node === triggerSource) editor.select([node]);
  else if (node !== null) editor.reveal(node);
}

function follow(editor: Editor, { selection, within }: Pick<EditorState, "selection" | "within">): void {
  const [only = null] = selection.nodes.size === 1 ? selection.nodes : [];
  const isNode = only === triggerSource || editor.level.nodes.some((node) => node.id === only);
  write({ node: isNode ? only : null, level: within.at(-1) ?? null });
}

/** Changes some of the URL's parameters in place; null removes one. */
function write(changes: Partial<Record<keyof typeof parameters, string | null>>): void {
  const address = new URL(window.location.href);
  for (const [key, value] of Object.entries(changes)) {
    const name = parameters[key as keyof typeof parameters];
    if (value === null) address.searchParams.delete(name);
    else address.searchParams.set(name, value);
  }
  if (address.href !== window.location.href) window.history.replaceState(null, "", address);
}
