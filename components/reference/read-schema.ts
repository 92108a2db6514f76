import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import { resolve } from "./read-operations.ts";

/** A field of a schema, ready for display. */
export interface SchemaField {
  readonly name: string;
  /** `string`, `array of string`, `Flow or null`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** Its limits and default, in words. */
  readonly facts: readonly string[];
  readonly options: readonly string[];
  /** Nested fields: of an object, of a list's items, or of each form that it can have. */
  readonly inside: readonly SchemaForm[];
}

/** One form of a value: its fields. Unnamed if it is the only one. */
export interface SchemaForm {
  readonly name: string;
  readonly fields: readonly SchemaField[];
}

/** Maximum depth of nested fields: deeper ones are not useful, and a schema may contain itself. */
const depthMax = 6;

/** The forms that a schema's value can have; none without known fields. */
export function readForms(document: JsonObject, schema: Json | undefined, depth = 0): SchemaForm[] {
  const at = resolve(document, schema);
  if (depth >= depthMax) return [];
  if (at.type === "array" || isJsonObject(at.items)) return readForms(document, at.items, depth);
  const forms = choicesOf(at);
  if (forms.length > 0) {
    const read = forms.flatMap((form) => readForms(document, form, depth));
    return read.length === 1 ? read : read.map((form, index) => ({ ...form, name: form.name || `Form ${index + 1}` }));
  }
  if (!isJsonObject(at.properties)) return [];
  const required = Array.isArray(at.required) ? at.required : [];
  const fields = Object.entries(at.properties).map(([name, field]) =>
    readField(document, name, field, required.includes(name), depth + 1),
  );
  return [{ name: constantOf(fields, at.properties), fields }];
}

/** One field or parameter. */
export function readField(
  document: JsonObject,
  name: string,
  schema: Json,
  isRequired: boolean,
  depth = 1,
): SchemaField {
  const given = isJsonObject(schema) ? schema : {};
  const at = { ...resolve(document, schema), ...given };
  const [only] = choicesOf(at);
  const plain = { ...at, ...(choicesOf(at).length === 1 ? resolve(document, only) : {}) };
  return {
    name,
    type: typeName(document, schema),
    isRequired,
    description: typeof at.description === "string" ? at.description : "",
    facts: factsOf(plain),
    options: optionsOf(plain),
    inside: readForms(document, schema, depth),
  };
}

/** A discriminated form's constant, such as `type: "bearer"`. */
function constantOf(fields: readonly SchemaField[], properties: JsonObject): string {
  const named = fields.find(({ name }) => {
    const field = properties[name];
    return name !== "success" && isJsonObject(field) && "const" in field;
  });
  const field = named && properties[named.name];
  return named !== undefined && isJsonObject(field) ? `${named.name}: ${String(field.const)}` : "";
}

/** Its possible values, without null, which its type shows. */
function choicesOf(schema: JsonObject): readonly Json[] {
  const all = schema.anyOf ?? schema.oneOf;
  return Array.isArray(all) ? all.filter((schema) => !isJsonObject(schema) || schema.type !== "null") : [];
}

function typeName(document: JsonObject, schema: Json | undefined): string {
  const given = isJsonObject(schema) ? schema : {};
  const named = typeof given.$ref === "string" ? (given.$ref.split("/").at(-1) ?? "") : "";
  if (named !== "") return named === "Timestamp" ? "date-time" : named;
  const all = given.anyOf ?? given.oneOf;
  if (Array.isArray(all)) return [...new Set(all.map((schema) => typeName(document, schema)))].join(" or ");
  if (given.const !== undefined) return JSON.stringify(given.const);
  if (typeof given.format === "string") return given.format;
  const types = [given.type ?? []].flat().map(String);
  if (types.length === 0) return "any";
  const names = types.map((type) => (type === "array" ? `array of ${typeName(document, given.items)}` : type));
  return names.join(" or ");
}

function optionsOf(schema: JsonObject): string[] {
  const inner = isJsonObject(schema.items) ? schema.items : schema;
  return Array.isArray(inner.enum) ? inner.enum.map(String) : [];
}

function factsOf(schema: JsonObject): string[] {
  const range = (min: Json | undefined, max: Json | undefined, unit: string) => {
    const [low, high] = [min, max].map((bound) => (typeof bound === "number" ? bound.toLocaleString("en") : undefined));
    if (low !== undefined && high !== undefined) return [`${low} to ${high}${unit}`];
    if (low !== undefined) return [`at least ${low}${unit}`];
    return high === undefined ? [] : [`at most ${high}${unit}`];
  };
  return [
    ...range(schema.minimum, schema.maximum, ""),
    ...range(schema.minLength, schema.maxLength, " characters"),
    ...range(schema.minItems, schema.maxItems, " items"),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
}
