import { isJsonObject } from "#lib/engine/json.ts";

/** The type names of JSON Schema. A number without a fraction is an `integer`. */
export const jsonTypes = ["null", "boolean", "integer", "number", "string", "array", "object"] as const;
export type JsonType = (typeof jsonTypes)[number];

/**
 * Statistics of the values at one position: how often each type occurred, which fields objects had and how often, and
 * the items of lists. Never the values themselves.
 */
export interface Shape {
  readonly types: Partial<Record<JsonType, number>>;
  /** Fields by name. A field that was not always there has fewer values than its parent has objects. */
  fields: Map<string, Shape>;
  /** The items of lists. */
  items: Shape | null;
  /** Values under keys that are data: ids, dates, addresses. */
  others: Shape | null;
  /** True if more was seen than is kept: a field that is missing here may have existed. */
  isCut: boolean;
  /** True if deeper statistics were dropped for good: counting only later values would be wrong. */
  isClosed: boolean;
}

/** Limits on what is learned from one value, and kept of all. */
export const shapeLimits = {
  depthMax: 8,
  /** An object with more keys is a map, and none of its keys is kept. */
  fieldsMax: 60,
  nameCharactersMax: 64,
  /** The maximum number of items sampled per list. */
  itemsMax: 20,
  /** The maximum number of values sampled per output. */
  valuesMax: 2_000,
  /** The maximum number of positions kept per output, over all runs. */
  placesMax: 200,
} as const;

export function newShape(): Shape {
  return { types: {}, fields: new Map(), items: null, others: null, isCut: false, isClosed: false };
}

export function typeOf(value: unknown): JsonType {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  if (typeof value === "string" || typeof value === "boolean") return typeof value as "string" | "boolean";
  return "object";
}

/** How many values were seen. */
export function seenIn({ types }: Shape): number {
  let sum = 0;
  for (const type in types) sum += types[type as JsonType] ?? 0;
  return sum;
}

/** Whether a key is a field's name. Anything else may be data: an id, a date, somebody's address. */
export function isName(key: string): boolean {
  return (
    key.length <= shapeLimits.nameCharactersMax &&
    /^[\p{L}_$][\p{L}\p{M}\p{N}_$. :/-]*$/u.test(key) &&
    !looksLikeData(key)
  );
}

function looksLikeData(key: string): boolean {
  return /\d{6}|\d{4}-\d\d|[\da-f]{8}-|^[\da-f]{16,}$/i.test(key) || /^(?=.*\d)(?=.*[a-z])[\da-z]{20,}$/i.test(key);
}

/** What may still be sampled and added to shapes. */
export interface Budget {
  values: number;
  places: number;
}

/** Learns from one value, and takes what it uses from `budget`. Samples few values, however large the whole is. */
export function learn(shape: Shape, value: unknown, budget?: Budget): void {
  const { valuesMax, placesMax } = shapeLimits;
  const own = {
    values: Math.min(valuesMax, budget?.values ?? valuesMax),
    places: Math.min(placesMax - placesOf(shape), budget?.places ?? placesMax),
  };
  const before = { ...own };
  learnWithin(shape, value, 1, own);
  if (budget === undefined) return;
  budget.values -= before.values - own.values;
  budget.places -= before.places - Math.max(0, own.places);
}

function learnWithin(shape: Shape, value: unknown, depth: number, budget: Budget): void {
  budget.values -= 1;
  const type = typeOf(value);
  shape.types[type] = (shape.types[type] ?? 0) + 1;
  if (shape.isClosed || (type !== "object" && type !== "array")) return;
  if (depth >= shapeLimits.depthMax || budget.values <= 0) {
    shape.isCut = true;
    return;
  }
  if (Array.isArray(value)) learnItems(shape, value, depth, budget);
  else if (isJsonObject(value)) learnFields(shape, value, depth, budget);
}

function learnItems(shape: Shape, list: readonly unknown[], depth: number, budget: Budget): void {
  for (let index = 0; index < Math.min(list.length, shapeLimits.itemsMax); index += 1) {
    if (budget.values <= 0) return;
    if (shape.items === null && !take(budget)) {
      shape.isCut = true;
      return;
    }
    shape.items ??= newShape();
    learnWithin(shape.items, list[index], depth + 1, budget);
  }
}

function learnFields(shape: Shape, object: Readonly<Record<string, unknown>>, depth: number, budget: Budget): void {
  const keys = firstKeys(object);
  const isMany = keys.length > shapeLimits.fieldsMax;
  if (isMany) asTable(shape);
  for (const key of isMany ? keys.slice(0, shapeLimits.itemsMax) : keys) {
    if (budget.values <= 0) {
      shape.isCut = true;
      return;
    }
    const known = shape.fields.get(key);
    if (known !== undefined) {
      learnWithin(known, object[key], depth + 1, budget);
    } else if (isMany || isTable(shape) || !isName(key)) {
      if (shape.others === null && !take(budget)) shape.isCut = true;
      else learnWithin(othersOf(shape), object[key], depth + 1, budget);
    } else if (take(budget)) {
      const made = newShape();
      shape.fields.set(key, made);
      learnWithin(made, object[key], depth + 1, budget);
      if (shape.fields.size > shapeLimits.fieldsMax) asTable(shape);
    } else shape.isCut = true;
  }
}

function take(budget: Budget): boolean {
  budget.places -= 1;
  return budget.places >= 0;
}

/** The object's keys, up to one more than the limit. */
function firstKeys(object: Readonly<Record<string, unknown>>): string[] {
  const keys: string[] = [];
  for (const key in object) {
    keys.push(key);
    if (keys.length > shapeLimits.fieldsMax) break;
  }
  return keys;
}

/** True for objects whose keys are data: all their values share one shape. */
function isTable({ others, fields, isCut }: Shape): boolean {
  return isCut && others !== null && fields.size === 0;
}

function othersOf(shape: Shape): Shape {
  shape.others ??= newShape();
  return shape.others;
}

function asTable(shape: Shape): void {
  for (const field of shape.fields.values()) mergeInto(othersOf(shape), field);
  shape.fields = new Map();
  shape.isCut = true;
}

/** Merges another shape. Commutative and associative. */
export function mergeInto(shape: Shape, other: Shape, depth = 1): void {
  for (const type of jsonTypes) {
    const count = other.types[type];
    if (count !== undefined) shape.types[type] = (shape.types[type] ?? 0) + count;
  }
  shape.isCut ||= other.isCut;
  if (shape.isClosed || other.isClosed) {
    close(shape);
    return;
  }
  if (depth > shapeLimits.depthMax) return;
  if (other.items !== null) {
    shape.items ??= newShape();
    mergeInto(shape.items, other.items, depth + 1);
  }
  if (other.others !== null) mergeInto(othersOf(shape), other.others, depth + 1);
  if (isTable(other)) asTable(shape);
  for (const [name, field] of other.fields) {
    if (isTable(shape)) {
      mergeInto(othersOf(shape), field, depth + 1);
      continue;
    }
    const own = shape.fields.get(name) ?? newShape();
    shape.fields.set(name, own);
    mergeInto(own, field, depth + 1);
    if (shape.fields.size > shapeLimits.fieldsMax) asTable(shape);
  }
}

/** The number of positions in a shape, including itself. */
export function placesOf(shape: Shape): number {
  let count = 1;
  for (const field of shape.fields.values()) count += placesOf(field);
  if (shape.items !== null) count += placesOf(shape.items);
  return count + (shape.others === null ? 0 : placesOf(shape.others));
}

/** Drops everything deeper than this many levels. */
export function cutBelow(shape: Shape, levels: number): void {
  if (levels <= 1) {
    if (shape.fields.size > 0 || shape.items !== null || shape.others !== null) close(shape);
    return;
  }
  for (const field of shape.fields.values()) cutBelow(field, levels - 1);
  if (shape.items !== null) cutBelow(shape.items, levels - 1);
  if (shape.others !== null) cutBelow(shape.others, levels - 1);
}

function close(shape: Shape): void {
  shape.isCut = true;
  shape.isClosed = true;
  shape.fields = new Map();
  shape.items = null;
  shape.others = null;
}
