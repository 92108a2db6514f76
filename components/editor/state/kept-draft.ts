import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import type { Stamp } from "./server-flow.ts";

/** Unsaved edits, as kept in the browser. */
export interface KeptDraft extends Stamp {
  /** The stored flow that the edits are based on. */
  readonly base: FlowDraft;
  readonly draft: FlowDraft;
  /** The time; unknown if an older version of this app kept it. */
  readonly keptAt?: string;
}

/** Its storage key. */
export interface FoundDraft {
  readonly key: string;
  readonly kept: KeptDraft;
}

const pageName = "millrace:page";

/**
 * Every page has its own key, so that two tabs on one flow never overwrite, adopt or discard each other's unsaved edits.
 * A reload keeps the key. While the page is open, its key is not stored, so that a duplicated tab cannot adopt it.
 */
const page = takePage();
const anyFlow = "millrace:unsaved:";
const lockOf = (name: string) => `millrace:page:${name}`;

/** A storage key's parts. Without a page or a user, an older version of this app kept the edits. */
function partsOf(key: string) {
  const [flowId, keeper = "", user] = key.slice(anyFlow.length).split(":");
  return { flowId, keeper, user };
}

/** The user whom this page was sent to; "" if unknown. Another may have signed in since, in this tab or in another. */
export function userOfPage(): string {
  return typeof document === "undefined" ? "" : (document.getElementById("content")?.dataset.user ?? "");
}

/** Where this page keeps the user's unsaved edits of a flow. */
export function draftKey(flowId: string): string {
  const user = userOfPage();
  return `${anyFlow}${flowId}:${page}${user && `:${user}`}`;
}

function takePage(): string {
  const fresh = `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;
  try {
    const { sessionStorage } = window;
    const own = sessionStorage.getItem(pageName) ?? fresh;
    sessionStorage.removeItem(pageName);
    window.addEventListener("pagehide", () => sessionStorage.setItem(pageName, own));
    window.addEventListener("pageshow", ({ persisted }) => persisted && sessionStorage.removeItem(pageName));
    return own;
  } catch {
    return fresh;
  }
}

let isShown = false;

/** Tells other tabs, while this page is open, that its kept edits are in use. */
function showAsOpen(): void {
  if (isShown || typeof document === "undefined" || navigator.locks === undefined) return;
  isShown = true;
  void navigator.locks.request(lockOf(page), () => new Promise(() => {})).catch(() => {});
}

/**
 * Keeps edits across a reload, a crash or an expired session. Returns false if the browser's storage is full or
 * blocked.
 */
export function keepDraft(key: string, draft: KeptDraft): boolean {
  try {
    window.localStorage.setItem(key, JSON.stringify(draft));
    showAsOpen();
    return true;
  } catch {
    return false;
  }
}

export function forgetDraft(key: string): void {
  try {
    window.localStorage.removeItem(key);
  } catch {
    // Storage is blocked.
  }
}

/** The edits under this page's key, from before a reload; null if there are none. */
export function findOwnDraft(key: string): FoundDraft | null {
  return readAt(key);
}

/** The user's edits in pages that are no longer open: closed before saving, or lost in a crash. */
export async function findLeftDrafts(flowId: string): Promise<FoundDraft[]> {
  const open = await openPages();
  return keysOf(userOfPage())
    .filter((key) => partsOf(key).flowId === flowId)
    .filter((key) => key !== draftKey(flowId) && !open.has(lockOf(partsOf(key).keeper)))
    .flatMap((key) => readAt(key) ?? []);
}

/** The names of all flows with a user's kept edits, of whatever page. */
export function keptFlowNames(user: string): string[] {
  const byFlow = keysOf(user).map((key) => [partsOf(key).flowId, readAt(key)?.kept.draft.name] as const);
  return [...new Map(byFlow).values()].filter((name) => name !== undefined);
}

/** Forgets a user's kept edits of whatever flow and page: the browser's next user may be someone else. */
export function forgetDraftsOf(user: string): void {
  for (const key of keysOf(user)) window.localStorage.removeItem(key);
}

/** The keys of a user's edits, and of those kept before they named their user. */
function keysOf(user: string): string[] {
  try {
    return Object.keys(window.localStorage).filter(
      (key) => key.startsWith(anyFlow) && (partsOf(key).user ?? user) === user,
    );
  } catch {
    // Storage is blocked.
    return [];
  }
}

async function openPages(): Promise<ReadonlySet<string | undefined>> {
  try {
    const { held = [] } = await navigator.locks.query();
    return new Set(held.map(({ name }) => name));
  } catch {
    // Unavailable over plain HTTP: the edits are only offered.
    return new Set();
  }
}

function readAt(key: string): FoundDraft | null {
  try {
    const draft = readKept(window.localStorage.getItem(key));
    return draft === null ? null : { key, kept: draft };
  } catch {
    return null;
  }
}

function readKept(text: string | null): KeptDraft | null {
  try {
    const value: unknown = text === null ? null : JSON.parse(text);
    // Without the time, its state is unknown: it is compared before it is sent.
    return isKeptDraft(value) ? { ...value, updatedAt: value.updatedAt ?? "" } : null;
  } catch {
    return null;
  }
}

function isKeptDraft(value: unknown): value is Omit<KeptDraft, "updatedAt"> & Partial<KeptDraft> {
  if (typeof value !== "object" || value === null) return false;
  if (!("base" in value && "draft" in value && "version" in value)) return false;
  return typeof value.version === "number" && hasNodes(value.base) && hasNodes(value.draft);
}

function hasNodes(draft: unknown): boolean {
  return typeof draft === "object" && draft !== null && "nodes" in draft && Array.isArray(draft.nodes);
}
