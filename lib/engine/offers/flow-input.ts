import { formatPath, isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";

/** Limits of a flow's input schema: assistants read it before each call. */
export const inputLimits = { charactersMax: 16_384, depthMax: 32 } as const;

/** Why a JSON Schema cannot describe a flow's input; null if it can. Stops at the limits. */
export function inputSchemaProblem(schema: JsonObject): string | null {
  if (schema.type !== "object") return 'must be a JSON Schema with type "object"';
  let characters = 0;
  let level: Json[] = [schema];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > inputLimits.depthMax) return `must not be nested deeper than ${inputLimits.depthMax} levels`;
    const inside: Json[] = [];
    for (const [key, value] of level.flatMap((item) => Object.entries(item ?? {}))) {
      characters += key.length + (typeof value === "string" ? value.length : 4);
      if (characters > inputLimits.charactersMax) return `must have at most ${inputLimits.charactersMax} characters`;
      if ((key === "$ref" || key === "$dynamicRef") && typeof value === "string" && !value.startsWith("#")) {
        return `must not refer to ${value.slice(0, 100)}: only references within it, such as #/$defs/…, work`;
      }
      if (typeof value === "object") inside.push(value);
    }
    level = inside;
  }
  return null;
}

interface Place {
  readonly schema: JsonObject;
  readonly value: Json;
  /** The enclosing place, and its key there. */
  readonly parent: Place | null;
  readonly key: PropertyKey;
}

function pathOf(place: Place): PropertyKey[] {
  const path: PropertyKey[] = [];
  for (let at = place; at.parent !== null; at = at.parent) path.unshift(at.key);
  return path;
}

/** Places checked between pauses. */
const placesAtOnce = 2_000;

/**
 * The first mismatch between a value and a schema; null if there is none. Checks only keywords whose cost is bounded by
 * the value's size: types, `enum` and `const` of plain values, `required`, `properties`, `additionalProperties: false`,
 * `items`, and minimum and maximum sizes. Patterns and combinations are for assistants to read. `pause` yields to the
 * event loop.
 */
export async function inputProblem(
  schema: JsonObject,
  value: Json,
  pause: () => Promise<void> | undefined,
): Promise<{ readonly path: string; readonly message: string } | null> {
  const choices = new Map<JsonObject, ReadonlySet<Json> | null>();
  const pending: Iterator<Place>[] = [[{ schema, value, parent: null, key: "" }].values()];
  for (let count = 1; pending.length > 0; count += 1) {
    const next = pending.at(-1)?.next();
    if (next === undefined || next.done) {
      pending.pop();
      continue;
    }
    const place = next.value;
    const message = typeProblem(place) ?? choiceProblem(place, choices) ?? sizeProblem(place) ?? fieldProblem(place);
    if (message !== null) return { path: formatPath(pathOf(place)), message };
    if (typeof place.value === "object" && place.value !== null) pending.push(within(place));
    if (count % placesAtOnce === 0) await pause();
  }
  return null;
}

function typeProblem({ schema: { type }, value }: Place): string | null {
  const types = (Array.isArray(type) ? type : [type]).filter((item) => typeof item === "string");
  if (types.length === 0) return null;
  const own = typeOf(value);
  const fits = types.some((allowed) => allowed === own || (allowed === "number" && own === "integer"));
  return fits ? null : `must be ${types.join(" or ")}, not ${own}`;
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function choiceProblem({ schema, value }: Place, known: Map<JsonObject, ReadonlySet<Json> | null>): string | null {
  const all = known.get(schema) ?? choicesOf(schema);
  known.set(schema, all);
  if (all === null || all.has(value)) return null;
  return `must be one of ${[...all]
    .slice(0, 20)
    .map((choice) => JSON.stringify(choice))
    .join(", ")}`;
}

/** Plain values only; null if there are others. */
function choicesOf(schema: JsonObject): ReadonlySet<Json> | null {
  const all = "const" in schema ? [schema.const ?? null] : schema.enum;
  if (!Array.isArray(all) || all.some((choice) => typeof choice === "object" && choice !== null)) return null;
  return new Set(all);
}

function sizeProblem({ schema, value }: Place): string | null {
  const [size, min, max, unit] = sizeOf(schema, value);
  if (typeof min === "number" && size < min) return `must be at least ${min}${unit}`;
  if (typeof max === "number" && size > max) return `must be at most ${max}${unit}`;
  return null;
}

function sizeOf(schema: JsonObject, value: Json): readonly [number, Json | undefined, Json | undefined, string] {
  if (typeof value === "number") return [value, schema.minimum, schema.maximum, ""];
  if (typeof value === "string")
    return [charactersOf(value, schema), schema.minLength, schema.maxLength, " characters long"];
  if (Array.isArray(value)) return [value.length, schema.minItems, schema.maxItems, " items long"];
  return [0, undefined, undefined, ""];
}

/** As JSON Schema counts: a surrogate pair is one character. Counts only where a limit depends on it. */
function charactersOf(text: string, { minLength, maxLength }: JsonObject): number {
  if (minLength === undefined && maxLength === undefined) return text.length;
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) {
    if ((text.codePointAt(at) ?? 0) <= 0xffff) continue;
    pairs += 1;
    at += 1;
  }
  return text.length - pairs;
}

function fieldProblem({ schema, value }: Place): string | null {
  if (!isJsonObject(value)) return null;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.find((name) => typeof name === "string" && !Object.hasOwn(value, name));
  if (missing !== undefined) return `${String(missing)} is required`;
  if (schema.additionalProperties !== false) return null;
  const known = isJsonObject(schema.properties) ? schema.properties : {};
  const other = Object.keys(value).find((name) => !Object.hasOwn(known, name));
  return other === undefined ? null : `${other.slice(0, 100)} is not one of its fields`;
}

function* within(parent: Place): Generator<Place, void, undefined> {
  const { schema, value } = parent;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!isJsonObject(items)) return;
    for (const [key, item] of value.entries()) yield { schema: items, value: item, parent, key };
    return;
  }
  const { properties } = schema;
  if (!isJsonObject(value) || !isJsonObject(properties)) return;
  for (const [key, item] of Object.entries(value)) {
    const own = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (isJsonObject(own)) yield { schema: own, value: item, parent, key };
  }
}
