import { createContext, type DragEvent } from "react";
import { isJsonObject } from "#lib/engine/json.ts";

/** A row of a tree: a value, its depth, and the expression for it. */
export interface JsonRow {
  readonly path: string;
  readonly depth: number;
  readonly name: string | null;
  readonly value: unknown;
  /** Null for a leaf. */
  readonly opened: boolean | null;
}

/** Whether a branch is open by default. */
function opensByItself(depth: number, count: number): boolean {
  return depth === 0 || (depth < 3 && count <= 20);
}

interface RowsWish {
  /** Branches that the user opened or closed, by path. */
  readonly toggled: ReadonlyMap<string, boolean>;
  /** A search: shows only matches and their ancestors. */
  readonly search?: string;
}

/** The visible rows of a value, from the top. */
export function jsonRows(value: unknown, path: string, { toggled, search = "" }: RowsWish): JsonRow[] {
  const term = search.trim().toLowerCase();
  const rows: JsonRow[] = [];
  if (term === "") addRow(rows, { value, path, name: null, depth: 0 }, toggled);
  else addFound(rows, { value, path, name: null, depth: 0 }, term);
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
  eachBelow(place, (child) => addRow(rows, child, toggled));
}

/** Adds the matches at or below a value, after the value itself; returns whether there are any. */
function addFound(rows: JsonRow[], place: Place, term: string): boolean {
  const { value, name } = place;
  const isNamed = name?.toLowerCase().includes(term) ?? false;
  if (!isBranch(value) || childCount(value) === 0) {
    if (!isNamed && !textOf(value).toLowerCase().includes(term)) return false;
    rows.push({ ...place, opened: null });
    return true;
  }
  const at = rows.push({ ...place, opened: true }) - 1;
  let isBelow = false;
  eachBelow(place, (child) => {
    isBelow = addFound(rows, child, term) || isBelow;
  });
  if (isBelow) return true;
  rows.length = at;
  if (isNamed) rows.push({ ...place, opened: false });
  return isNamed;
}

/** Calls back for each child. Without lists in between: there may be hundreds of thousands. */
function eachBelow({ value, path, depth }: Place, add: (child: Place) => void): void {
  if (!isBranch(value)) return;
  const ofList = Array.isArray(value);
  if (!ofList && !isJsonObject(value)) return;
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    add({ value: Reflect.get(value, key), name: key, path: childPath(path, key, ofList), depth: depth + 1 });
  }
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

/** The first `limit` children, with their displayed names. */
export function children(value: JsonBranchValue, limit: number): { readonly name: string; readonly value: unknown }[] {
  if (Array.isArray(value)) return value.slice(0, limit).map((child, index) => ({ name: String(index), value: child }));
  return Object.entries(value)
    .slice(0, limit)
    .map(([name, child]) => ({ name, value: child }));
}

/** The expression for a child. */
export function childPath(path: string, name: string, ofList: boolean): string {
  if (ofList) return `${path}[${name}]`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}

/** A value as copied to the clipboard: text as it is, anything else as JSON. */
export function copiedText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "null");
}

export function sizeInWords(value: JsonBranchValue): string {
  const count = childCount(value);
  if (Array.isArray(value)) return count === 1 ? "1 item" : `${count} items`;
  return count === 1 ? "1 field" : `${count} fields`;
}

const format = "application/x-millrace-path";

/**
 * Makes a value's path draggable into a field, where it becomes an expression. Only for paths that expressions can
 * reach.
 */
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

/** Whether a path is being dragged. The browser reveals which one only on drop. */
export function holdsPath(data: DataTransfer): boolean {
  return data.types.includes(format);
}

/** The dropped path; empty for anything else. */
export function droppedPath(data: DataTransfer | null): string {
  return data?.getData(format) ?? "";
}

/** What a click on a value does with its path; null for nothing. */
export const PickPath = createContext<((path: string) => void) | null>(null);
