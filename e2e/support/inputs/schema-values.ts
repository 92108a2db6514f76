// Values from a JSON schema of the API's own document: most match it, some deliberately do not.
import fc from "fast-check";
import { fieldValues } from "./texts.ts";

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
}

export type Schemas = Readonly<Record<string, JsonSchema>>;

const depthMax = 5;
const hostile = fc.constantFrom(...fieldValues);
const anyValue = fc.oneof(hostile, fc.jsonValue({ maxDepth: 2 }));

/** One value in eight, at any level, does not match the schema. */
export function schemaValue(
  schema: JsonSchema | boolean | undefined,
  schemas: Schemas,
  depth = 0,
): fc.Arbitrary<unknown> {
  if (typeof schema !== "object" || depth > depthMax) return anyValue;
  return fc.oneof({ weight: 7, arbitrary: fitting(schema, schemas, depth) }, { weight: 1, arbitrary: anyValue });
}

function fitting(schema: JsonSchema, schemas: Schemas, depth: number): fc.Arbitrary<unknown> {
  const of = (inner: JsonSchema | boolean | undefined) => schemaValue(inner, schemas, depth + 1);
  if (schema.$ref !== undefined) return of(schemas[schema.$ref.split("/").at(-1) ?? ""]);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map(of));
  if (schema.allOf !== undefined) return fc.tuple(...schema.allOf.map(of)).map((parts) => Object.assign({}, ...parts));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "object":
      return objectOf(schema, of);
    case "array":
      return fc.array(of(schema.items), { maxLength: 4 });
    case "integer":
      return fc.integer({ min: schema.minimum ?? -5, max: Math.min(schema.maximum ?? 1_000, 2 ** 31 - 1) });
    case "number":
      return fc.double({ noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "string":
      return schema.format === "date-time" ? timeText : fc.string({ unit: "binary", maxLength: 40 });
    default:
      return anyValue;
  }
}

const timeText = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());

function objectOf(
  { properties = {}, additionalProperties }: JsonSchema,
  of: (inner: JsonSchema | boolean | undefined) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const named = fc.record(Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, of(inner)])), {
    requiredKeys: [],
  });
  if (additionalProperties === undefined || additionalProperties === false) return named;
  const extra = fc.dictionary(fc.string({ maxLength: 12 }), of(additionalProperties), { maxKeys: 3 });
  return fc.tuple(named, extra).map(([known, other]) => ({ ...other, ...known }));
}
