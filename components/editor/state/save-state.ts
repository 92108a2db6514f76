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
export async function saveAsNew({ api, editor }: EditorSession, signal: AbortSignal): Promise<string> {
  const { name, tags, nodes, edges, ...rest } = editor.draft;
  const body = { ...rest, name: `${name} (mine)`, tags: [...tags], nodes: [...nodes], edges: [...edges] };
  const { id } = await api.call("createFlow", { body, signal });
  return id;
}

/** Milliseconds that someone who signs out waits for the server. */
const answerMsMax = 3_000;

/** Saves without waiting long for the server. Resolves with the flow's name if that failed, else with null. */
export async function saveAtOnce({ autosave, editor }: EditorSession): Promise<string | null> {
  const late = new Promise((resolve) => setTimeout(resolve, answerMsMax));
  await Promise.race([autosave.flush(), late]);
  autosave.keep();
  return autosave.isUnsaved ? editor.draft.name : null;
}

/** Milliseconds: after the last change, the maximum after the first one, and before retrying a failure. */
const pause = { quiet: 700, most: 4_000, offline: 3_000 } as const;

/** When to save: soon after the last of several changes, but not long after the first. At most one save is scheduled. */
export class SavePace {
  readonly #send: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firstChange: number | null = null;
  #isOver = false;

  constructor(send: () => void) {
    this.#send = send;
  }

  /** A change: saves once there has been no change for a moment. */
  changed(): void {
    this.#firstChange ??= Date.now();
    const most = Math.max(0, this.#firstChange + pause.most - Date.now());
    this.#after(Math.min(pause.quiet, most));
  }

  /** Something has to be found out: saves in a moment. */
  soon(): void {
    this.#after(pause.quiet);
  }

  now(): void {
    this.#after(0);
  }

  /** The server could not be reached: retries later. */
  later(): void {
    this.#after(pause.offline);
  }

  /** Everything so far is being saved: the next change counts as the first one again. */
  sent(): void {
    this.#firstChange = null;
  }

  /** Cancels the scheduled save; for good, also any later one. */
  stop(isForGood = false): void {
    this.#isOver ||= isForGood;
    clearTimeout(this.#timer);
  }

  #after(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#isOver) this.#timer = setTimeout(this.#send, ms);
  }
}
