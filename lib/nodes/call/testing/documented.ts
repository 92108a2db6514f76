type Values = Readonly<Record<string, unknown>>;

/**
 * By service: an operation, its parameters and body, the documented request line, and the body sent. "same": the body
 * as given; another text: exactly that; an object: JSON with at least its fields. `"FILE"` means a file.
 */
export type Documented = Readonly<
  Record<
    string,
    readonly (readonly [operation: string, parameters: Values, body: Values, line: string, sent?: Values | string])[]
  >
>;
