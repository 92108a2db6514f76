import type { FlowDraft } from "../draft/flow-draft.ts";

/** What was edited and is not on the server yet, as it is kept in the browser. */
export interface KeptDraft {
  /** The stored flow that the edits began from. */
  readonly base: FlowDraft;
  readonly version: number;
  readonly draft: FlowDraft;
}

const keyOf = (flowId: string) => `millrace:unsaved:${flowId}`;

/** Keeps edits over a reload, a crash or the end of a session. A browser without room for them keeps nothing. */
export function keepDraft(flowId: string, kept: KeptDraft): void {
  try {
    window.localStorage.setItem(keyOf(flowId), JSON.stringify(kept));
  } catch {
    // Full, or forbidden: then the warning on leaving is all there is.
  }
}

export function forgetDraft(flowId: string): void {
  try {
    window.localStorage.removeItem(keyOf(flowId));
  } catch {
    // Forbidden.
  }
}

/** What an earlier visit kept; null when there is nothing, or nothing readable. */
export function findKeptDraft(flowId: string): KeptDraft | null {
  try {
    const text = window.localStorage.getItem(keyOf(flowId));
    const kept: unknown = text === null ? null : JSON.parse(text);
    return isKeptDraft(kept) ? kept : null;
  } catch {
    return null;
  }
}

function isKeptDraft(value: unknown): value is KeptDraft {
  if (typeof value !== "object" || value === null) return false;
  return "base" in value && "draft" in value && "version" in value && typeof value.version === "number";
}
