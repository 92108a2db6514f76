// Simplifies a document's schemas for forms: resolves references, merges `allOf`, and bounds their size.
import { UnreadableDocument } from "./imported.ts";
import { type Document, type Found, isObject, textOf } from "./references.ts";

/** Deeper values are edited as JSON. */
const levelsMax = 5;
const partsDeepMax = 32;
const fieldsMax = 200;
const choicesMax = 100;

type Simple = Record<string, unknown>;

/**
 * A schema without references, with few levels. Parts that forms cannot show accept any value. Throws
 * UnreadableDocument.
 */
export function simpleSchema(document: Document, schema: unknown, level = 0, within: readonly string[] = []): Simple {
  const { found, through } = document.followed(schema);
  document.step();
  // A recursive type, such as a tree, accepts any value from the recursion on.
  if (found === null || level > levelsMax || through.some((reference) => within.includes(reference))) return {};
  const inside = [...within, ...through];
  const combined = mergeAllOf(document, found, 0);
  const type = typeOf(combined);
  const simple: Simple = { ...titleAndDescription(combined), ...(type === undefined ? {} : { type }) };
  const choices = Array.isArray(combined.enum)
    ? combined.enum.filter((reference) => typeof reference === "string")
    : [];
  if (choices.length > 0 && choices.length <= choicesMax)
    simple.enum = choices.map((reference) => textOf(reference, 500));
  for (const bound of ["minimum", "maximum"]) if (typeof combined[bound] === "number") simple[bound] = combined[bound];
  if (combined.format === "date-time") simple.format = "date-time";
  if (type === "array") simple.items = simpleSchema(document, combined.items, level + 1, inside);
  if (type !== "object" || !isObject(combined.properties)) return simple;
  const names = Object.keys(combined.properties).filter(isName).slice(0, fieldsMax);
  const fields = combined.properties;
  simple.properties = Object.fromEntries(
    names
      .filter((name) => !(isObject(fields[name]) && fields[name].readOnly === true))
      .map((name) => [name, simpleSchema(document, fields[name], level + 1, inside)]),
  );
  simple.required = requiredOf(combined).filter((name) => Object.hasOwn(simple.properties as object, name));
  return simple;
}

/** Names that can be stored and have no other meaning. */
export function isName(name: string): boolean {
  return name !== "" && name !== "__proto__" && name.length <= 200 && !name.includes("\u0000") && name.isWellFormed();
}

export function requiredOf(schema: Found): string[] {
  return Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === "string") : [];
}

function titleAndDescription(schema: Found): Simple {
  const [title, description] = [textOf(schema.title, 100), textOf(schema.description, 500)];
  return { ...(title === "" ? {} : { title }), ...(description === "" ? {} : { description }) };
}

/** The first type that is not null. */
function typeOf(schema: Found): string | undefined {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const type = types.find((reference) => typeof reference === "string" && reference !== "null");
  if (typeof type === "string") return type;
  return isObject(schema.properties) ? "object" : undefined;
}

/** The schema merged with its `allOf`, and with its alternative if there is only one. */
function mergeAllOf(document: Document, schema: Found, deep: number): Found {
  if (deep > partsDeepMax) throw new UnreadableDocument(`has schemas of schemas, more than ${partsDeepMax} deep`);
  const parts = Array.isArray(schema.allOf) ? schema.allOf : [];
  const { allOf: _, ...own } = withOnlyChoice(document, schema, deep);
  if (parts.length === 0) return own;
  const properties: Record<string, unknown> = Object.create(null);
  const required: string[] = [];
  let merged: Record<string, unknown> = {};
  for (const part of [...parts, own]) {
    document.step();
    const found = document.meant(part);
    if (found === null) continue;
    const combined = part === own ? found : mergeAllOf(document, found, deep + 1);
    merged = { ...merged, ...combined };
    if (isObject(combined.properties)) {
      for (const [name, field] of Object.entries(combined.properties)) {
        document.step();
        properties[name] = field;
      }
    }
    required.push(...requiredOf(combined));
  }
  const hasFields = Object.keys(properties).length > 0;
  return { ...merged, ...(hasFields ? { properties, required: [...new Set(required)] } : {}) };
}

function withOnlyChoice(document: Document, schema: Found, deep: number): Found {
  const alternatives = [schema.oneOf, schema.anyOf].find((reference) => Array.isArray(reference));
  if (!Array.isArray(alternatives)) return schema;
  const real = alternatives.filter((reference) => !(isObject(reference) && reference.type === "null"));
  const only = real.length === 1 ? document.meant(real[0]) : null;
  return only === null ? schema : { ...mergeAllOf(document, only, deep + 1), ...titleAndDescription(schema) };
}
