/** A failure as recorded and shown: which node, which field, which expression, and why. */
export interface NodeError {
  readonly message: string;
  readonly code: string;
  /** Path inside the node's config: `headers.authorization`. */
  readonly field?: string;
  readonly expression?: string;
  /** 0-based offset in `expression`. */
  readonly position?: number;
}

/** A value with its JSON text, serialized once: this text is stored, sent, and passed to the sandbox. */
export interface JsonText {
  /** Reading it may parse the text, in one turn. */
  readonly value: unknown;
  readonly json: string;
  /** The value, parsed in turns; absent where nothing has to be parsed. */
  restored?(): Promise<unknown>;
}

/** The value of a text. If it was let go, it is parsed in turns. */
export async function restoredValue(text: JsonText): Promise<unknown> {
  return text.restored === undefined ? text.value : await text.restored();
}

/** `undefined` becomes null. Throws a TypeError if JSON cannot represent the value. */
export function jsonText(value: unknown): JsonText {
  const json = JSON.stringify(value);
  return json === undefined ? { value: null, json: "null" } : { value, json };
}

/** The answer to a trigger URL's caller, set by a node. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** How a node ended. `handle`: the one it left by; null for the plain one. */
export type Outcome =
  | {
      readonly status: "completed";
      readonly output: JsonText;
      readonly handle: string | null;
      readonly answer?: Answer;
    }
  | { readonly status: "failed"; readonly error: NodeError }
  | { readonly status: "cancelled" }
  | { readonly status: "skipped" };

export const skipped: Outcome = { status: "skipped" };
export const cancelled: Outcome = { status: "cancelled" };

/** Every node has this handle besides its own. Its edge is followed when the node fails. */
export const errorHandle = "error";

/** What other nodes see as this node's output; undefined if it did not run. */
export function visibleOutput(outcome: Outcome): JsonText | undefined {
  if (outcome.status === "completed") return outcome.output;
  if (outcome.status !== "failed") return undefined;
  return jsonText({ error: { message: outcome.error.message, code: outcome.error.code } });
}
