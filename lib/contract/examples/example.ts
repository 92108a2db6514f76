/** What is sent to an operation and what it answers, as JSON: the payload alone, for a list one item of it. */
export interface Example {
  readonly body?: unknown;
  readonly answer?: unknown;
  /** Where it answers otherwise with another status. */
  readonly answers?: Readonly<Record<number, unknown>>;
}

/** By operation, such as `POST /flows/:id/execute`. */
export type Examples = Readonly<Record<string, Example>>;
