import { z } from "zod";
import type { Converted } from "./formats.ts";

/** A value to check against a JSON Schema, both as JSON text. */
export interface ValueCheck {
  readonly schema: string;
  readonly value: string;
}

/** Where a value does not match its schema. `path`: the keys from the root. */
export interface ValueProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const problemsMax = 20;

/**
 * The problems of a value as a JSON list, or why the schema cannot be used. Call it only in a worker thread: recursive
 * references and patterns may take any time.
 */
export function checkInThread({ schema, value }: ValueCheck): Converted {
  let parsed: z.ZodType;
  try {
    parsed = z.fromJSONSchema(JSON.parse(schema));
  } catch (error) {
    return { problem: error instanceof Error ? error.message.slice(0, 300) : "it is not a JSON Schema" };
  }
  const { success, error } = parsed.safeParse(JSON.parse(value));
  const problems: ValueProblem[] = success
    ? []
    : error.issues.slice(0, problemsMax).map(({ path, message }) => ({
        path: path.map((step) => (typeof step === "number" ? step : String(step))),
        message: message.slice(0, 300),
      }));
  return { json: JSON.stringify(problems) };
}
