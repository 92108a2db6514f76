import { isJsonObject } from "#lib/engine/json.ts";
import { type Cell, storedCell, WrongValue } from "#lib/tables/cells.ts";
import { type Column, invalid, type Table } from "#lib/tables/table.ts";

export const comparisons = ["eq", "ne", "lt", "lte", "gt", "gte", "in", "contains"] as const;
export type Comparison = (typeof comparisons)[number];

/** What a filter or a sort can name: a column, or one of a row's own fields. */
export type Operand = Column | OwnField;
export interface OwnField {
  readonly own: "id" | "version" | "createdAt" | "updatedAt";
}

const ownFields: Readonly<Record<string, OwnField>> = {
  id: { own: "id" },
  version: { own: "version" },
  createdAt: { own: "createdAt" },
  updatedAt: { own: "updatedAt" },
};

/** A parsed filter. Values are in stored form. */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly operand: Operand; readonly is: Exclude<Comparison, "in">; readonly value: Cell | null }
  | { readonly operand: Operand; readonly is: "in"; readonly values: readonly Cell[] };

const comparisonsMax = 50;
const levelsMax = 5;
const inMax = 100;
const valueBytesMax = 16_384;

/** Parses a filter against the table's columns. Throws VALIDATION_ERROR with the path in the filter. */
export function parseFilter(table: Table, filter: unknown, path = "where"): Condition {
  const seen = { comparisons: 0 };
  return parseLevel(table, filter ?? {}, { path, level: 1, seen });
}

interface Place {
  readonly path: string;
  readonly level: number;
  readonly seen: { comparisons: number };
}

function parseLevel(table: Table, filter: unknown, { path, level, seen }: Place): Condition {
  if (!isJsonObject(filter)) throw invalid({ [path]: "must be an object" });
  if (level > levelsMax) throw invalid({ [path]: `must not be nested deeper than ${levelsMax} levels` });
  const all = Object.entries(filter).flatMap(([name, requested]): Condition[] => {
    const place = `${path}.${name.slice(0, 100).toWellFormed()}`;
    if (name === "and" || name === "or") {
      if (!Array.isArray(requested)) throw invalid({ [place]: "must be a list of filters" });
      count(seen, requested.length, place);
      const parts = requested.map((part, index) =>
        parseLevel(table, part, { path: `${place}[${index}]`, level: level + 1, seen }),
      );
      return [name === "and" ? { all: parts } : { any: parts }];
    }
    return parseComparisons(operandNamed(table, name, place), requested, { path: place, level, seen });
  });
  return all.length === 1 && all[0] !== undefined ? all[0] : { all };
}

/** The column or own field of this name. Throws VALIDATION_ERROR for `path`. */
export function operandNamed({ columns }: Table, name: string, path: string): Operand {
  const own = Object.hasOwn(ownFields, name) ? ownFields[name] : undefined;
  const found = own ?? columns.find((column) => column.name === name);
  if (found !== undefined) return found;
  throw invalid({ [path]: "there is no such column" });
}

function parseComparisons(operand: Operand, requested: unknown, { path, seen }: Place): Condition[] {
  // A bare value means `eq`. Objects cannot be compared.
  const named = isJsonObject(requested) ? Object.entries(requested) : [["eq", requested] as const];
  if (named.length === 0) throw invalid({ [path]: `must have one of ${comparisons.join(", ")}` });
  count(seen, named.length, path);
  return named.map(([is, value]): Condition => {
    const place = isJsonObject(requested) ? `${path}.${is.slice(0, 100).toWellFormed()}` : path;
    if (!isComparison(is)) throw invalid({ [place]: `must be one of ${comparisons.join(", ")}` });
    if (is !== "in") return { operand, is, value: comparedCell(operand, is, value, place) };
    if (!Array.isArray(value)) throw invalid({ [place]: "must be a list of values" });
    if (value.length > inMax) throw invalid({ [place]: `must have at most ${inMax} values` });
    const values = value.map((item, index) => comparedCell(operand, is, item, `${place}[${index}]`));
    return { operand, is, values: values.filter((item) => item !== null) };
  });
}

function count(seen: { comparisons: number }, added: number, path: string): void {
  seen.comparisons += added;
  if (seen.comparisons > comparisonsMax) throw invalid({ [path]: `must have at most ${comparisonsMax} comparisons` });
}

function isComparison(name: string): name is Comparison {
  return (comparisons as readonly string[]).includes(name);
}

const isEquality: ReadonlySet<string> = new Set<Comparison>(["eq", "ne"]);

function comparedCell(operand: Operand, is: Comparison, value: unknown, path: string): Cell | null {
  try {
    if (value === null && isEquality.has(is)) return null;
    if (value === null) throw new WrongValue("null is only compared by eq and ne");
    const type = "own" in operand ? ownTypes[operand.own] : operand.type;
    if (type === "json") throw new WrongValue("a column of the type json is only compared with null");
    if (is === "contains" && type !== "text") throw new WrongValue("contains is for text");
    if (type === "boolean" && !isEquality.has(is) && is !== "in")
      throw new WrongValue(`${is} is not for true and false`);
    const cell = storedCell(type, value);
    if (typeof cell === "string" && Buffer.byteLength(cell) > valueBytesMax) {
      throw new WrongValue(`must have at most ${valueBytesMax} bytes`);
    }
    return cell;
  } catch (error) {
    if (error instanceof WrongValue) throw invalid({ [path]: error.message });
    throw error;
  }
}

const ownTypes = { id: "text", version: "number", createdAt: "time", updatedAt: "time" } as const;

/** A sort: `name`, or `-name` for descending. */
export interface Sorting {
  readonly operand: Operand;
  readonly descending: boolean;
}

/** Throws VALIDATION_ERROR for an unknown column, or one without an order. */
export function parseSort(table: Table, sort: string | undefined): Sorting {
  const descending = sort?.startsWith("-") === true;
  const operand = operandNamed(table, sort === undefined ? "id" : sort.slice(descending ? 1 : 0), "sort");
  if ("type" in operand && operand.type === "json") throw invalid({ sort: "json has no order" });
  return { operand, descending };
}

/**
 * Simplifies a condition so that an index can drive it: flattens nested `all`, and turns an `any` of values of one
 * column into an `in`.
 */
export function simplify(condition: Condition): Condition {
  if ("all" in condition) {
    const parts = condition.all.map(simplify).flatMap((part) => ("all" in part ? part.all : [part]));
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { all: parts };
  }
  if ("any" in condition) {
    const parts = condition.any.map(simplify).flatMap((part) => ("any" in part ? part.any : [part]));
    return asIn(parts) ?? { any: parts };
  }
  return condition;
}

function asIn([first, ...others]: readonly Condition[]): Condition | null {
  if (first === undefined || others.length === 0) return first ?? null;
  if (!("operand" in first)) return null;
  const { operand } = first;
  const lists = [first, ...others].map((part) =>
    "operand" in part && part.operand === operand ? valuesOf(part) : null,
  );
  if (lists.some((values) => values === null)) return null;
  return { operand, is: "in", values: lists.flatMap((values) => values ?? []) };
}

/** The values that a comparison matches; null if it matches others too. */
export function valuesOf(condition: Condition): readonly Cell[] | null {
  if (!("operand" in condition)) return null;
  if (condition.is === "in") return condition.values;
  return condition.is === "eq" && condition.value !== null ? [condition.value] : null;
}
