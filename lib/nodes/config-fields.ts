import { z } from "zod";
import { isJsonObject } from "#lib/engine/json.ts";
import type { FieldKind } from "#lib/expressions/expressions.ts";

type FieldMeta = {
  readonly title: string;
  readonly description: string;
};

type ExpressionMeta = FieldMeta & {
  /** The first one is the field's placeholder. */
  readonly examples?: string[];
};

/** A required value given as an expression, braces optional. The node gets its value. */
export const expressionField = (meta: ExpressionMeta) =>
  z
    .unknown()
    .refine((value) => value !== undefined, "is required")
    .meta({ ...meta, format: "expression" });

/** A condition: braces around parts of it are parentheses, and never turn it into text. */
export const conditionField = (meta: FieldMeta) => expressionField(meta).meta({ decides: true });

/** The same, optional. */
export const optionalConditionField = (meta: FieldMeta) =>
  z
    .unknown()
    .optional()
    .meta({ ...meta, format: "expression", decides: true });

/** A value given as an expression, optional. */
export const optionalExpressionField = (meta: ExpressionMeta) =>
  z
    .unknown()
    .optional()
    .meta({ ...meta, format: "expression" });

/** JavaScript that the node itself passes to the sandbox, without templates. */
export const codeField = (meta: ExpressionMeta) =>
  z
    .string("must be text")
    .min(1, "code must not be empty")
    .meta({ ...meta, format: "code" });

/** Any JSON, with templates at any depth. */
export const anyField = (meta: FieldMeta) => z.unknown().optional().meta(meta);

/** What a loop runs for each item: nodes and edges, whose own fields are checked separately. */
export const graphField = (meta: FieldMeta) =>
  z
    .unknown()
    .optional()
    .meta({ ...meta, type: "object", format: "graph" });

/** For milliseconds: forms ask for a duration with a unit. */
export const durationMeta = (meta: FieldMeta) => ({ ...meta, format: "duration" });

/** For a flow's id: forms offer the flows by name. */
export const flowMeta = (meta: FieldMeta) => ({ ...meta, format: "flow" });

/** For any object or list: forms ask for JSON. */
export const dataMeta = (meta: FieldMeta) => ({ ...meta, format: "json" });

/** For a credential's name: forms offer the stored ones. */
export const credentialMeta = (meta: FieldMeta) => ({ ...meta, format: "credential" });

/** For an enum. `labels`: the choices' labels in forms; `""` labels the default. */
export const choiceMeta = (meta: FieldMeta, labels: Readonly<Record<string, string>>) => ({ ...meta, labels });

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
export const textMapField = (meta: FieldMeta) =>
  fewNames(
    z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String), "must be an object of text"),
  )
    .optional()
    .meta(meta);

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
