import type { ApiError } from "#lib/contract/client.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import type { Clash } from "#lib/engine/changes/merge-drafts.ts";
import { type PlacedProblem, readProblems } from "../draft/read-problems.ts";
import type { EditorSession } from "./editor-session.ts";

/** The progress of saving. */
export type SaveState =
  | { readonly kind: "saved" }
  | { readonly kind: "waiting" }
  | { readonly kind: "saving" }
  /** The server is unreachable; will be retried. `kept`: kept in this browser, across a reload. */
  | { readonly kind: "offline"; readonly kept: boolean }
  /** The session has expired. */
  | { readonly kind: "signed-out"; readonly kept: boolean }
  /** The server refused it. `problems`: by field; `reason`: as a whole. */
  | { readonly kind: "refused"; readonly reason: string; readonly problems: readonly PlacedProblem[] }
  /** The signed-in person may not (or no longer) change the flow. */
  | { readonly kind: "forbidden" }
  /** Someone else changed the same parts; `mine` and `theirs` are both complete. */
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

/** Whether the user has to act before saving can continue. */
export function isTrouble({ kind }: SaveState): boolean {
  return troubles.has(kind);
}

/** What is shown of it: trying again in vain changes nothing, or everything below would move each time. */
export function shownSave(shown: SaveState, save: SaveState): SaveState {
  return shown.kind === "offline" && (save.kind === "saving" || save.kind === "waiting") ? shown : save;
}

/** Why the server refused it; `keep` keeps it in the browser, and returns whether it could. */
export function readRefusal({ status, message, details }: ApiError, draft: FlowDraft, keep: () => boolean): SaveState {
  if (status === 401) return { kind: "signed-out", kept: keep() };
  if (status === 403) return { kind: "forbidden" };
  if (status === 404) return { kind: "gone" };
  return { kind: "refused", reason: message, problems: readProblems(details, draft) };
}

/** Stores the canvas as a new flow and returns its id. */
export async function saveAsNew({ api, editor }: EditorSession): Promise<string> {
  const { name, tags, nodes, edges, ...rest } = editor.draft;
  const body = { ...rest, name: `${name} (mine)`, tags: [...tags], nodes: [...nodes], edges: [...edges] };
  const { id } = await api.call("createFlow", { body });
  return id;
}
