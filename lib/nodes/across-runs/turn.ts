/** A turn under a limit that all runs of the workspace share: at most `limit` in any `perMs` milliseconds. */
export interface TurnRequest {
  readonly key: string;
  readonly limit: number;
  readonly perMs: number;
  /** Whether it may queue for a later turn. */
  readonly mayWait: boolean;
  /** Whether it has queued: then it goes before those that come now. */
  readonly hasWaited: boolean;
}

/** The turn is taken; or `at`, in epoch milliseconds, there may be one. */
export type TurnAnswer = { readonly isTaken: true } | { readonly isTaken: false; readonly at: number };
