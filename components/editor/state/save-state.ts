import type { Clash } from "#components/editor/draft/merge-drafts.ts";
import type { Problem } from "#lib/engine/graph.ts";
import type { EditorSession } from "./editor-session.ts";

/** How far what was edited has come on its way to the server. */
export type SaveState =
  | { readonly kind: "saved" }
  | { readonly kind: "waiting" }
  | { readonly kind: "saving" }
  /** Nothing answers; it is sent again. `kept`: in this browser, over a reload. */
  | { readonly kind: "offline"; readonly kept: boolean }
  /** The session has ended. */
  | { readonly kind: "signed-out"; readonly kept: boolean }
  /** The server will not store it as it is. `problems`: field by field; `reason` says it as a whole. */
  | { readonly kind: "refused"; readonly reason: string; readonly problems: readonly Problem[] }
  /** Whoever is signed in may not change the flow (any more). */
  | { readonly kind: "forbidden" }
  /** Somebody else changed the same things; `mine` and `theirs` are both still whole. */
  | { readonly kind: "conflict"; readonly clashes: readonly Clash[] }
  /** The flow was deleted. */
  | { readonly kind: "gone" };

const troubles: ReadonlySet<SaveState["kind"]> = new Set([
  "offline",
  "signed-out",
  "refused",
  "forbidden",
  "conflict",
  "gone",
]);

/** Whether something has to happen before it goes on. */
export function isTrouble({ kind }: SaveState): boolean {
  return troubles.has(kind);
}

/** Stores what is on the canvas as a flow of its own, and gives its id. */
export async function saveAsNew({ api, editor }: EditorSession): Promise<string> {
  const { name, tags, nodes, edges, ...rest } = editor.draft;
  const body = { ...rest, name: `${name} (mine)`, tags: [...tags], nodes: [...nodes], edges: [...edges] };
  const { id } = await api.call("createFlow", { body });
  return id;
}
