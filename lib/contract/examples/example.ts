/** An operation's request and answer as JSON: only the payload; for a list, one item. */
export interface Example {
  readonly body?: unknown;
  readonly answer?: unknown;
  /** Answers with other statuses, if they differ. */
  readonly answers?: Readonly<Record<number, unknown>>;
}

/** By operation, such as `POST /flows/:id/execute`. */
export type Examples = Readonly<Record<string, Example>>;
