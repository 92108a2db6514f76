import type { Cell } from "#lib/tables/cells.ts";
import type { Condition } from "./filter.ts";

/**
 * The same condition in the form in which an index can drive it: an `all` is in no other, and an `any` of values of
 * one column is an `in`.
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

/** The values that a comparison finds; null if it finds others, too. */
export function valuesOf(condition: Condition): readonly Cell[] | null {
  if (!("operand" in condition)) return null;
  if (condition.is === "in") return condition.values;
  return condition.is === "eq" && condition.value !== null ? [condition.value] : null;
}
