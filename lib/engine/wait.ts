/** What ends a wait before its time: nothing (a delay), a call to its address, or the end of an execution. */
export const waitKinds = ["time", "call", "execution"] as const;
export type WaitKind = (typeof waitKinds)[number];

/** What a node waits for. It is stored as JSON: the process that asked need not be the one that goes on. */
export interface WaitRequest {
  readonly kind: WaitKind;
  /** Epoch milliseconds at which it is over by itself; null: never. */
  readonly until: number | null;
  /** All that the node needs to make its result when it is woken: its config is not resolved a second time. */
  readonly state: Readonly<Record<string, unknown>>;
}

/** What woke a node. */
export interface Wake {
  /** `time`: nothing else came before `until`. */
  readonly by: WaitKind;
  /** ISO 8601. */
  readonly at: string;
  /** What the call brought, or how the execution ended; null when the time was up. */
  readonly value: unknown;
}

/** A node that began, and has no outcome before something wakes it. */
export interface Waiting {
  readonly status: "waiting";
  readonly wait: WaitRequest;
}
