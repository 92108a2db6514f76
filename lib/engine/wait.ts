/**
 * What can end a wait early: nothing (a delay), a call to its URL, the end of an execution, or an event with its key.
 */
export const waitKinds = ["time", "call", "execution", "event"] as const;
export type WaitKind = (typeof waitKinds)[number];

/** What a node waits for. It is stored as JSON, because another process may resume it. */
export interface WaitRequest {
  readonly kind: WaitKind;
  /** When it times out, in epoch milliseconds; null: never. */
  readonly until: number | null;
  /** All that the node needs to make its result when woken: its config is not resolved again. */
  readonly state: Readonly<Record<string, unknown>>;
}

/** What woke a node. */
export interface Wake {
  /** `time`: nothing else came before `until`. */
  readonly by: WaitKind;
  /** ISO 8601. */
  readonly at: string;
  /** The call's body, how the execution ended, or the event's data; null on a timeout. */
  readonly value: unknown;
}

/** A node that started and has no outcome until something wakes it. */
export interface Waiting {
  readonly status: "waiting";
  readonly wait: WaitRequest;
}
