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
const flowKey = (flowId: string) => `${anyFlow}${flowId}`;
const pageKey = (flowId: string) => `${flowKey(flowId)}:${page}`;
const lockOf = (name: string) => `millrace:page:${name}`;

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
export function keepDraft(flowId: string, draft: KeptDraft): boolean {
  try {
    window.localStorage.setItem(pageKey(flowId), JSON.stringify(draft));
    showAsOpen();
    return true;
  } catch {
    return false;
  }
}

/** Forgets this page's kept edits, or those under `key`. */
export function forgetDraft(flowId: string, key: string = pageKey(flowId)): void {
  try {
    window.localStorage.removeItem(key);
  } catch {
    // Storage is blocked.
  }
}

/** This page's edits from before the reload; null if there are none. */
export function findOwnDraft(flowId: string): FoundDraft | null {
  return readAt(pageKey(flowId));
}

/** Edits of pages that are no longer open: closed before saving, or lost in a crash. */
export async function findLeftDrafts(flowId: string): Promise<FoundDraft[]> {
  const open = await openPages();
  try {
    return Object.keys(window.localStorage)
      .filter((key) => key === flowKey(flowId) || key.startsWith(`${flowKey(flowId)}:`))
      .filter((key) => key !== pageKey(flowId) && !open.has(lockOf(key.slice(flowKey(flowId).length + 1))))
      .flatMap((key) => readAt(key) ?? []);
  } catch {
    return [];
  }
}

/** The names of all flows with kept edits, of whatever page. */
export function keptFlowNames(): string[] {
  const byFlow = allKeys().map((key) => [key.split(":")[2], readAt(key)?.kept.draft.name] as const);
  return [...new Map(byFlow).values()].filter((name) => name !== undefined);
}

/** Forgets all kept edits of whatever flow and page: the browser's next user may be someone else. */
export function forgetAllDrafts(): void {
  for (const key of allKeys()) window.localStorage.removeItem(key);
}

function allKeys(): string[] {
  try {
    return Object.keys(window.localStorage).filter((key) => key.startsWith(anyFlow));
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
