// A grid's filter and order, as in the URL.
import type { ShownColumn } from "#components/tables/table-queries.ts";
import { cellText, readCellText } from "./cell-values.ts";

export type Comparison = "eq" | "ne" | "lt" | "lte" | "gt" | "gte" | "contains" | "in" | "empty" | "filled";

/** A line of the filter as typed. */
export interface FilterLine {
  readonly column: string;
  readonly is: Comparison;
  readonly value: string;
}

const words: Readonly<Record<Comparison, string>> = {
  eq: "is",
  ne: "is not",
  lt: "less than",
  lte: "at most",
  gt: "more than",
  gte: "at least",
  contains: "contains",
  in: "is one of",
  empty: "has no value",
  filled: "has a value",
};
const timeWords: Partial<Record<Comparison, string>> = {
  lt: "before",
  lte: "up to",
  gt: "after",
  gte: "from",
};

const ordered: readonly Comparison[] = ["eq", "ne", "lt", "lte", "gt", "gte", "in", "empty", "filled"];
const byType: Readonly<Record<ShownColumn["type"], readonly Comparison[]>> = {
  text: ["contains", ...ordered],
  number: ordered,
  boolean: ["eq", "ne", "empty", "filled"],
  time: ordered,
  json: ["empty", "filled"],
};

/** The comparisons for a column, in words. */
export function comparisonsOf({ type }: Pick<ShownColumn, "type">): { value: Comparison; label: string }[] {
  return byType[type].map((value) => ({ value, label: (type === "time" && timeWords[value]) || words[value] }));
}

/** Whether a comparison needs a value. */
export function needsValue(is: Comparison): boolean {
  return is !== "empty" && is !== "filled";
}

/** The API's limit of conditions. */
export const linesMax = 50;

/** Converts lines to a filter of the API, or returns each line's problem. */
export function filterOf(
  lines: readonly FilterLine[],
  columns: readonly ShownColumn[],
): { where: string | null; problems: readonly (string | undefined)[] } {
  const read = lines.map((line) => conditionOf(line, columns));
  const problems = read.map((line) => ("problem" in line ? line.problem : undefined));
  if (problems.some((problem) => problem !== undefined)) return { where: null, problems };
  const conditions = read.flatMap((line) => ("value" in line ? [line.value] : []));
  const [only] = conditions;
  if (only === undefined) return { where: null, problems };
  return { where: JSON.stringify(conditions.length === 1 ? only : { and: conditions }), problems };
}

function conditionOf({ column: name, is, value }: FilterLine, columns: readonly ShownColumn[]) {
  const column = columns.find((candidate) => candidate.name === name);
  if (column === undefined) return { problem: "there is no such column" };
  if (is === "empty") return { value: { [name]: { eq: null } } };
  if (is === "filled") return { value: { [name]: { ne: null } } };
  const texts = is === "in" ? value.split(",").map((text) => text.trim()) : [value];
  const values: unknown[] = [];
  for (const text of texts) {
    const read = readCellText({ type: column.type, required: true }, text);
    if ("problem" in read) return { problem: read.problem === "is required" ? "needs a value" : read.problem };
    values.push(read.value);
  }
  return { value: { [name]: { [is]: is === "in" ? values : values[0] } } };
}

/** Converts a filter from the URL to lines; null for one that lines cannot express, such as one with `or`. */
export function linesOf(where: string | undefined, columns: readonly ShownColumn[]): FilterLine[] | null {
  if (where === undefined) return [];
  let filter: unknown;
  try {
    filter = JSON.parse(where);
  } catch {
    return null;
  }
  const lines: FilterLine[] = [];
  return addLines(filter, columns, lines) && lines.length <= linesMax ? lines : null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function addLines(filter: unknown, columns: readonly ShownColumn[], lines: FilterLine[]): boolean {
  if (!isObject(filter)) return false;
  return Object.entries(filter).every(([name, condition]) => {
    if (name === "and")
      return Array.isArray(condition) && condition.every((part) => !hasAnd(part) && addLines(part, columns, lines));
    const column = columns.find((candidate) => candidate.name === name);
    if (column === undefined) return false;
    const comparisons = isObject(condition) ? Object.entries(condition) : [["eq", condition] as const];
    return comparisons.every(([is, value]) => addLine(column, is, value, lines));
  });
}

const hasAnd = (part: unknown) => isObject(part) && "and" in part;

function addLine({ name, type }: ShownColumn, is: string, value: unknown, lines: FilterLine[]): boolean {
  if (value === null && (is === "eq" || is === "ne")) {
    lines.push({ column: name, is: is === "eq" ? "empty" : "filled", value: "" });
    return true;
  }
  if (is === "empty" || is === "filled" || !byType[type].includes(is as Comparison)) return false;
  const texts = (is === "in" && Array.isArray(value) ? value : [value]).map((item) => cellText(type, item));
  if (is === "in" && texts.some((text) => text.includes(","))) return false;
  lines.push({ column: name, is: is as Comparison, value: texts.join(", ") });
  return true;
}

/** The next order of a column when its header is clicked. */
export function nextSort(name: string, sort: string | undefined): string | null {
  if (sort === name) return `-${name}`;
  return sort === `-${name}` ? null : name;
}
