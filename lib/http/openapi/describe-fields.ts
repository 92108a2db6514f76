import { fieldWords } from "#lib/contract/field-words.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";

/**
 * The document with words for every field that has none of its own: those of its place (`Flow.status`, a named schema or
 * a tag), else those of its name, which means the same everywhere.
 */
export function describeFields(document: JsonObject): JsonObject {
  return visit(document, "") as JsonObject;
}

function visit(value: Json, place: string): Json {
  if (Array.isArray(value)) return value.map((item) => visit(item, place));
  if (!isJsonObject(value)) return value;
  const here = Array.isArray(value.tags) ? String(value.tags[0]) : place;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => {
      if (key === "example" || key === "examples") return [key, child];
      if (key === "schemas") return [key, ofNamed(child)];
      if (key === "properties" && isJsonObject(child)) return [key, describeAll(child, here)];
      if (key === "parameters" && Array.isArray(child))
        return [key, child.map((item) => describeParameter(item, here))];
      return [key, visit(child, here)];
    }),
  );
}

function ofNamed(schemas: Json): Json {
  if (!isJsonObject(schemas)) return schemas;
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, visit(schema, name)]));
}

function describeAll(fields: JsonObject, place: string): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, withWords(visit(field, place), wordsOf(name, place))]),
  );
}

function describeParameter(parameter: Json, place: string): Json {
  return isJsonObject(parameter) ? withWords(parameter, wordsOf(String(parameter.name), place)) : parameter;
}

function withWords(field: Json, words: string | undefined): Json {
  if (words === undefined || !isJsonObject(field) || "description" in field) return field;
  return { ...field, description: words };
}

function wordsOf(name: string, place: string): string | undefined {
  return fieldWords[`${place}.${name}`] ?? fieldWords[name];
}
