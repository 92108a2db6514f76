import { createContext, type DragEvent } from "react";
import { isJsonObject } from "#lib/engine/json.ts";

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
function opensByItself(depth: number, count: number): boolean {
  return depth === 0 || (depth < 3 && count <= 20);
}

interface RowsWish {
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

/** Adds what is found at a place or below it, with the place itself before it; returns whether anything was found. */
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

type JsonBranchValue = readonly unknown[] | Readonly<Record<string, unknown>>;

export function isBranch(value: unknown): value is JsonBranchValue {
  return Array.isArray(value) || isJsonObject(value);
}

function childCount(value: JsonBranchValue): number {
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** The first `limit` children, with the names that they are shown by. */
export function children(value: JsonBranchValue, limit: number): { readonly name: string; readonly value: unknown }[] {
  if (Array.isArray(value)) return value.slice(0, limit).map((child, index) => ({ name: String(index), value: child }));
  return Object.entries(value)
    .slice(0, limit)
    .map(([name, child]) => ({ name, value: child }));
}

/** How an expression reaches a child. */
export function childPath(path: string, name: string, ofList: boolean): string {
  if (ofList) return `${path}[${name}]`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}

/** What copying a value puts on the clipboard: text as it is, all else as JSON. */
export function copiedText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "null");
}

export function sizeInWords(value: JsonBranchValue): string {
  const count = childCount(value);
  if (Array.isArray(value)) return count === 1 ? "1 item" : `${count} items`;
  return count === 1 ? "1 field" : `${count} fields`;
}

const format = "application/x-millrace-path";

/** Lets the path of a value be dragged into a field, where it becomes an expression. Only paths that expressions know. */
export function draggable(path: string) {
  if (!path.startsWith("$")) return {};
  return {
    draggable: true,
    onDragStart: ({ dataTransfer }: DragEvent) => {
      dataTransfer.setData(format, path);
      dataTransfer.setData("text/plain", `{{ ${path} }}`);
      dataTransfer.effectAllowed = "copy";
    },
  };
}

/** Whether a path is being dragged; which one is known only when it is dropped. */
export function holdsPath(data: DataTransfer): boolean {
  return data.types.includes(format);
}

/** The path that is dropped here; empty for anything else. */
export function droppedPath(data: DataTransfer | null): string {
  return data?.getData(format) ?? "";
}

/** What a click on a value of a tree does with the path that reaches it; null where nothing can be done with it. */
export const PickPath = createContext<((path: string) => void) | null>(null);
