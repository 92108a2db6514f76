import { z } from "zod";
import { isJsonObject } from "#lib/engine/json.ts";
import type { FieldKind } from "#lib/expressions/expressions.ts";

type FieldWords = {
  readonly title: string;
  readonly description: string;
};

type ExpressionWords = FieldWords & {
  /** The first one is the field's placeholder. */
  readonly examples?: string[];
};

/** A required value given as an expression, braces optional. The node gets its value. */
export const expressionField = (words: ExpressionWords) =>
  z
    .unknown()
    .refine((value) => value !== undefined, "is required")
    .meta({ ...words, format: "expression" });

/** A condition: braces around parts of it are parentheses, and never turn it into text. */
export const conditionField = (words: FieldWords) => expressionField(words).meta({ decides: true });

/** The same, optional. */
export const optionalConditionField = (words: FieldWords) =>
  z
    .unknown()
    .optional()
    .meta({ ...words, format: "expression", decides: true });

/** A value given as an expression, optional. */
export const optionalExpressionField = (words: ExpressionWords) =>
  z
    .unknown()
    .optional()
    .meta({ ...words, format: "expression" });

/** JavaScript that the node itself passes to the sandbox, without templates. */
export const codeField = (words: FieldWords) =>
  z
    .string("must be text")
    .min(1, "code must not be empty")
    .meta({ ...words, format: "code" });

/** Any JSON, with templates at any depth. */
export const anyField = (words: FieldWords) => z.unknown().optional().meta(words);

/** What a loop runs for each item: nodes and edges, whose own fields are checked separately. */
export const graphField = (words: FieldWords) =>
  z
    .unknown()
    .optional()
    .meta({ ...words, type: "object", format: "graph" });

/** For milliseconds: forms ask for a duration with a unit. */
export const durationWords = (words: FieldWords) => ({ ...words, format: "duration" });

/** For a flow's id: forms offer the flows by name. */
export const flowWords = (words: FieldWords) => ({ ...words, format: "flow" });

/** For any object or list: forms ask for JSON. */
export const dataWords = (words: FieldWords) => ({ ...words, format: "json" });

/** For a credential's name: forms offer the stored ones. */
export const credentialWords = (words: FieldWords) => ({ ...words, format: "credential" });

/** For an enum. `labels`: the choices' labels in forms; `""` labels the default. */
export const choiceWords = (words: FieldWords, labels: Readonly<Record<string, string>>) => ({ ...words, labels });

/** Far more than any server accepts. Every check of the flow pays for each. */
export const mapNamesMax = 1_000;

/** A record whose names are counted before any of them is validated. */
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
 * How the string at a config's path is read, by its field's `format` in the JSON Schema. Strings nested in an
 * expression field are templates: `transform: {total: "{{ … }}"}`.
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
