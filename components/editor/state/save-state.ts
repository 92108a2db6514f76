import type { Problem } from "#lib/engine/graph.ts";
import type { Clash } from "../draft/merge-drafts.ts";

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
