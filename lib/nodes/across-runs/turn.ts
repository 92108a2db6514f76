/**
 * A request for a slot under a limit that all runs of the workspace share: at most `limit` in any `perMs` milliseconds.
 */
export interface TurnRequest {
  readonly key: string;
  readonly limit: number;
  readonly perMs: number;
  /** Whether it may queue for a later slot. */
  readonly mayWait: boolean;
  /** Whether it has queued: it then goes before new requests. */
  readonly hasWaited: boolean;
}

/** The slot is taken, or one may be free `at` (epoch milliseconds). */
export type TurnAnswer = { readonly isTaken: true } | { readonly isTaken: false; readonly at: number };
