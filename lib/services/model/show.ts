import { z } from "zod";
import type { Operation } from "./service.ts";

/** A schema of an operation as JSON Schema, for forms and readers; null for none. */
export function jsonSchemaOf(schema: z.ZodType | undefined): Record<string, unknown> | null {
  if (schema === undefined) return null;
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Record<string, unknown>;
}

/** An operation's input and answer as JSON Schemas. */
export function schemasOf({ parameters, body, answer }: Operation) {
  return {
    parametersSchema: jsonSchemaOf(parameters),
    bodySchema: jsonSchemaOf(body),
    answerSchema: jsonSchemaOf(answer),
  };
}
