import { z } from "zod";
import { isJsonObject } from "#lib/engine/json.ts";
import type { FieldKind } from "#lib/expressions/expressions.ts";

type FieldWords = {
  readonly title: string;
  readonly description: string;
};

/** A required value given as an expression; braces may be left out. The node sees what it came to. */
export const expressionField = (words: FieldWords) =>
  z
    .unknown()
    .refine((value) => value !== undefined, "is required")
    .meta({ ...words, format: "expression" });

/** One that decides: braces around parts of it are parentheses, and never make it a text. */
export const conditionField = (words: FieldWords) => expressionField(words).meta({ decides: true });

/** The same, where it may be missing. */
export const optionalConditionField = (words: FieldWords) =>
  z
    .unknown()
    .optional()
    .meta({ ...words, format: "expression", decides: true });

/** A value given as an expression, where it may be missing. */
export const optionalExpressionField = (words: FieldWords) =>
  z
    .unknown()
    .optional()
    .meta({ ...words, format: "expression" });

/** JavaScript that the node itself hands to the sandbox: no templates in it. */
export const codeField = (words: FieldWords) =>
  z
    .string("must be text")
    .min(1, "code must not be empty")
    .meta({ ...words, format: "code" });

/** Any JSON, with templates at any depth. */
export const anyField = (words: FieldWords) => z.unknown().optional().meta(words);

/** What a loop runs for each item: nodes and edges, whose own fields are theirs alone. */
export const graphField = (words: FieldWords) =>
  z
    .unknown()
    .optional()
    .meta({ ...words, type: "object", format: "graph" });

/** Far more than any server takes; each is looked at whenever its flow is. */
export const mapNamesMax = 1_000;

/** A record whose names are counted before any of them is looked at. */
export const fewNames = <Schema extends z.ZodType>(map: Schema) =>
  z.preprocess((value, context) => {
    if (!isJsonObject(value) || Object.keys(value).length <= mapNamesMax) return value;
    context.addIssue({ code: "custom", message: `must have at most ${mapNamesMax} names`, input: value });
    return z.NEVER;
  }, map);

/** Header or query fields: names to values. */
export const textMapField = (words: FieldWords) =>
  fewNames(
    z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String), "must be an object of text"),
  )
    .optional()
    .meta(words);

/**
 * How the string at a path of a config is read, by the `format` of its field in the config's JSON Schema. Strings
 * deeper inside an expression field are templates: `transform: {total: "{{ … }}"}`.
 */
export function fieldKind(schema: unknown, path: readonly (string | number)[]): FieldKind {
  let at: unknown = schema;
  for (const step of path) {
    if (!isJsonObject(at)) return "template";
    if (at.format === "graph") return "plain";
    at = typeof step === "number" ? at.items : isJsonObject(at.properties) ? at.properties[step] : undefined;
  }
  const { format, decides } = isJsonObject(at) ? at : {};
  if (decides === true) return "condition";
  return format === "expression" || format === "code" || format === "plain" ? format : "template";
}
