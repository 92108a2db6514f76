import { childCount, childPath, children, isBranch } from "./json-value.ts";

/** A line of a tree: a value, how deep it lies, and the expression that reaches it. */
export interface JsonRow {
  readonly path: string;
  readonly depth: number;
  readonly name: string | null;
  readonly value: unknown;
  /** Null for what has no children. */
  readonly opened: boolean | null;
}

/** Whether a branch is shown open while nobody has opened or closed it. */
export function opensByItself(depth: number, count: number): boolean {
  return depth === 0 || (depth < 3 && count <= 20);
}

export interface RowsWish {
  /** Branches that were opened or closed by hand, by their path. */
  readonly toggled: ReadonlyMap<string, boolean>;
  /** With it, only what is found and what leads there. */
  readonly search?: string;
}

/** The lines that are seen of a value, from the top. */
export function jsonRows(value: unknown, path: string, { toggled, search = "" }: RowsWish): JsonRow[] {
  const wanted = search.trim().toLowerCase();
  const rows: JsonRow[] = [];
  if (wanted === "") addRow(rows, { value, path, name: null, depth: 0 }, toggled);
  else addFound(rows, { value, path, name: null, depth: 0 }, wanted);
  return rows;
}

type Place = Pick<JsonRow, "value" | "path" | "name" | "depth">;

function addRow(rows: JsonRow[], place: Place, toggled: ReadonlyMap<string, boolean>): void {
  const { value, path, depth } = place;
  const count = isBranch(value) ? childCount(value) : 0;
  if (!isBranch(value) || count === 0) {
    rows.push({ ...place, opened: null });
    return;
  }
  const opened = toggled.get(path) ?? opensByItself(depth, count);
  rows.push({ ...place, opened });
  if (!opened) return;
  for (const child of placesBelow(place)) addRow(rows, child, toggled);
}

/** Adds what is found at a place or below it, with the place itself before it; tells whether anything was. */
function addFound(rows: JsonRow[], place: Place, wanted: string): boolean {
  const { value, name } = place;
  const isNamed = name?.toLowerCase().includes(wanted) ?? false;
  if (!isBranch(value) || childCount(value) === 0) {
    if (!isNamed && !textOf(value).toLowerCase().includes(wanted)) return false;
    rows.push({ ...place, opened: null });
    return true;
  }
  const at = rows.push({ ...place, opened: true }) - 1;
  let isBelow = false;
  for (const child of placesBelow(place)) isBelow = addFound(rows, child, wanted) || isBelow;
  if (isBelow) return true;
  rows.length = at;
  if (isNamed) rows.push({ ...place, opened: false });
  return isNamed;
}

function placesBelow({ value, path, depth }: Place): Place[] {
  if (!isBranch(value)) return [];
  const ofList = Array.isArray(value);
  return children(value, Number.POSITIVE_INFINITY).map((child) => ({
    value: child.value,
    name: child.name,
    path: childPath(path, child.name, ofList),
    depth: depth + 1,
  }));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
}
