import type { JsonObject } from "#lib/engine/json.ts";
import { type JsonType, type Shape, seenIn, shapeLimits, typeOf } from "./learn-from-value.ts";

/** The code of warnings about drift. */
export const driftCode = "DRIFT";

/** How many values must have been seen before a different one counts as drift. */
export const seenMin = 100;

/** Where a value differs from all earlier ones. */
export interface Drift {
  /** `output.total`, `output.items[].price`. */
  readonly path: string;
  readonly message: string;
}

/** Values and missing fields to check in one output. */
const valuesMax = 500;

/**
 * The first position where a value has a new type or lacks a field that was always present. New fields do not count.
 * Reads at most a few hundred values, and takes them from `budget`.
 */
export function driftOf(shape: Shape, value: unknown, path: string, budget = { values: valuesMax }): Drift | null {
  const allowed = Math.min(valuesMax, budget.values);
  const left = { values: allowed };
  const found = within(shape, value, left);
  budget.values -= allowed - Math.max(0, left.values);
  return found === null ? null : below(path, found);
}

/** Every run is checked, and few drift: the path is built only for those, on the way back. */
function below(step: string, { path, message }: Drift): Drift {
  return { path: step + path, message };
}

function within(shape: Shape, value: unknown, left: { values: number }): Drift | null {
  left.values -= 1;
  if (left.values < 0) return null;
  const type = typeOf(value);
  if (!hasType(shape, type)) {
    if (seenIn(shape) < seenMin) return null;
    return { path: "", message: `is ${typeName(type)}, and was always ${typeNamesOf(shape)}` };
  }
  if (type !== "array" && type !== "object") return null;
  if (seenIn(shape) < seenMin) return null;
  if (!Array.isArray(value)) return inFields(shape, value as JsonObject, left);
  const { items } = shape;
  if (items === null) return null;
  for (let index = 0; index < Math.min(value.length, shapeLimits.itemsMax); index += 1) {
    const found = within(items, value[index], left);
    if (found !== null) return below("[]", found);
  }
  return null;
}

function inFields(
  { types, fields }: Shape,
  object: Readonly<Record<string, unknown>>,
  left: { values: number },
): Drift | null {
  const objects = types.object ?? 0;
  for (const [name, field] of fields) {
    if (left.values <= 0) return null;
    if (Object.hasOwn(object, name)) {
      const found = within(field, object[name], left);
      if (found !== null) return below(`.${name}`, found);
      continue;
    }
    left.values -= 1;
    if (objects >= seenMin && seenIn(field) >= objects) {
      return { path: `.${name}`, message: "is missing, and was always there" };
    }
  }
  return null;
}

/** Integers are numbers. */
function hasType({ types }: Shape, type: JsonType): boolean {
  if (type === "integer" || type === "number") return types.integer !== undefined || types.number !== undefined;
  return types[type] !== undefined;
}

const typeNames: Readonly<Record<JsonType, string>> = {
  null: "null",
  boolean: "true or false",
  integer: "a number",
  number: "a number",
  string: "text",
  array: "a list",
  object: "an object",
};

export function typeName(type: JsonType): string {
  return typeNames[type];
}

/** "text or null". */
export function typeNamesOf({ types }: Shape): string {
  return [...new Set(Object.keys(types).map((type) => typeNames[type as JsonType]))].join(" or ");
}
