import type { FlowDraft } from "../draft/flow-draft.ts";
import type { Stamp } from "./server-flow.ts";

/** What was edited and is not on the server yet, as it is kept in the browser. */
export interface KeptDraft extends Stamp {
  /** The stored flow that the edits began from. */
  readonly base: FlowDraft;
  readonly draft: FlowDraft;
}

/** Where it is kept. */
export interface FoundDraft {
  readonly key: string;
  readonly kept: KeptDraft;
}

/** Every page keeps its own: two tabs on one flow do not overwrite, nor forget, what the other could not send. */
const page = `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;
const flowKey = (flowId: string) => `millrace:unsaved:${flowId}`;
const pageKey = (flowId: string) => `${flowKey(flowId)}:${page}`;

/** Keeps edits over a reload, a crash or the end of a session. Tells whether the browser has room for them, and allows it. */
export function keepDraft(flowId: string, kept: KeptDraft): boolean {
  try {
    window.localStorage.setItem(pageKey(flowId), JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

/** Forgets what this page kept, or what it found under `key`. */
export function forgetDraft(flowId: string, key: string = pageKey(flowId)): void {
  try {
    window.localStorage.removeItem(key);
  } catch {
    // Forbidden.
  }
}

/** What an earlier visit or another page kept; null when there is nothing, or nothing readable. What more there is stays for the next visit. */
export function findKeptDraft(flowId: string): FoundDraft | null {
  try {
    const keys = Object.keys(window.localStorage).filter(
      (key) => key === flowKey(flowId) || key.startsWith(`${flowKey(flowId)}:`),
    );
    const found = keys.flatMap((key): FoundDraft[] => {
      const kept = readKept(window.localStorage.getItem(key));
      return kept === null ? [] : [{ key, kept }];
    });
    return found[0] ?? null;
  } catch {
    return null;
  }
}

function readKept(text: string | null): KeptDraft | null {
  try {
    const value: unknown = text === null ? null : JSON.parse(text);
    // Without the time it is of an unknown state: what is sent will be compared first.
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
