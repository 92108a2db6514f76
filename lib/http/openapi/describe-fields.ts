import { fieldWords } from "#lib/contract/field-words.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";

/** What a field stands in, the nearest first: an operation and its tag, or a named schema. */
type Places = readonly string[];

/**
 * The document with words for every field that has none of its own: those of its place (`createFlow.name`, `Flow.name`),
 * else those of its name, which means the same everywhere.
 */
export function describeFields(document: JsonObject): JsonObject {
  return visitObject(document, []);
}

function visit(value: Json, places: Places): Json {
  if (Array.isArray(value)) return value.map((item) => visit(item, places));
  return isJsonObject(value) ? visitObject(value, places) : value;
}

function visitObject(value: JsonObject, places: Places): JsonObject {
  const here = Array.isArray(value.tags) ? [String(value.operationId), String(value.tags[0])] : places;
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
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, visit(schema, [name])]));
}

function describeAll(fields: JsonObject, places: Places): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, withWords(visit(field, places), wordsOf(name, places))]),
  );
}

function describeParameter(parameter: Json, places: Places): Json {
  return isJsonObject(parameter) ? withWords(parameter, wordsOf(String(parameter.name), places)) : parameter;
}

function withWords(field: Json, words: string | undefined): Json {
  if (words === undefined || !isJsonObject(field) || "description" in field) return field;
  return { ...field, description: words };
}

function wordsOf(name: string, places: Places): string | undefined {
  const place = places.find((one) => `${one}.${name}` in fieldWords);
  return fieldWords[place === undefined ? name : `${place}.${name}`];
}
