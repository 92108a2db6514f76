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

type Place = Pick<JsonRow, "value" | "path" | "name" | "depth">;

/** An open branch whose children are being visited. */
interface Frame {
  readonly place: Place;
  /** The index of its row. */
  readonly at: number;
  /** The names of its children; null for a list. */
  readonly names: readonly string[] | null;
  readonly count: number;
  next: number;
  /** Whether a match was found below it. */
  isBelow: boolean;
}

/** A few milliseconds of work. */
const visitsPerTurn = 10_000;

/** Finds the visible rows of a value, from the top, turn by turn: there may be millions. */
export class RowWalk {
  /** Those found so far; during a search, the last ones may be ancestors without a match. */
  readonly rows: JsonRow[] = [];
  readonly #frames: Frame[] = [];
  readonly #toggled: ReadonlyMap<string, boolean>;
  readonly #term: string;

  constructor(value: unknown, path: string, { toggled, search = "" }: RowsWish) {
    this.#toggled = toggled;
    this.#term = search.trim().toLowerCase();
    this.#visit({ value, path, name: null, depth: 0 });
    this.go();
  }

  get isDone(): boolean {
    return this.#frames.length === 0;
  }

  /** Goes on for one turn. */
  go(): void {
    for (let left = visitsPerTurn; left > 0; left -= 1) {
      const frame = this.#frames.at(-1);
      if (frame === undefined) return;
      if (frame.next < frame.count) this.#visit(nextOf(frame));
      else this.#leave(frame);
    }
  }

  #visit(place: Place): void {
    const { value, path, name, depth } = place;
    const names = isJsonObject(value) ? namesIn(value) : null;
    const count = names?.length ?? (Array.isArray(value) ? value.length : 0);
    const isWanted = this.#term === "" || this.#isMatch(name);
    if (count === 0) {
      if (isWanted || this.#isMatch(textOf(value))) this.#add({ ...place, opened: null });
      return;
    }
    const opened = this.#term !== "" || (this.#toggled.get(path) ?? opensByItself(depth, count));
    const at = this.rows.push({ ...place, opened }) - 1;
    if (opened) this.#frames.push({ place, at, names, count, next: 0, isBelow: false });
  }

  #leave({ place, at, isBelow }: Frame): void {
    this.#frames.pop();
    if (this.#term === "") return;
    if (isBelow) this.#found();
    else {
      this.rows.length = at;
      if (this.#isMatch(place.name)) this.#add({ ...place, opened: false });
    }
  }

  #add(row: JsonRow): void {
    this.rows.push(row);
    this.#found();
  }

  #found(): void {
    const around = this.#frames.at(-1);
    if (around !== undefined) around.isBelow = true;
  }

  #isMatch(text: string | null): boolean {
    return text?.toLowerCase().includes(this.#term) ?? false;
  }
}

function nextOf(frame: Frame): Place {
  const { value, path, depth } = frame.place;
  const name = frame.names?.[frame.next] ?? String(frame.next);
  frame.next += 1;
  const child = isBranch(value) ? Reflect.get(value, name) : undefined;
  return { value: child, name, path: childPath(path, name, frame.names === null), depth: depth + 1 };
}

/** The names of large objects: listing hundreds of thousands takes a moment each time. */
const known = new WeakMap<object, readonly string[]>();

function namesIn(value: object): readonly string[] {
  const names = known.get(value) ?? Object.keys(value);
  if (names.length > 1_000) known.set(value, names);
  return names;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
}

type JsonBranchValue = readonly unknown[] | Readonly<Record<string, unknown>>;

export function isBranch(value: unknown): value is JsonBranchValue {
  return Array.isArray(value) || isJsonObject(value);
}

function childCount(value: JsonBranchValue): number {
  return Array.isArray(value) ? value.length : namesIn(value).length;
}

/** The first `limit` children, with their displayed names. */
export function children(value: JsonBranchValue, limit: number): { readonly name: string; readonly value: unknown }[] {
  if (Array.isArray(value)) return value.slice(0, limit).map((child, index) => ({ name: String(index), value: child }));
  return namesIn(value)
    .slice(0, limit)
    .map((name) => ({ name, value: Reflect.get(value, name) }));
}

/** Whether a value's JSON has more than this many characters; looks no further than that. */
export function isLongerThan(value: unknown, characters: number): boolean {
  return charactersLeft(value, characters) < 0;
}

function charactersLeft(value: unknown, characters: number): number {
  if (!isBranch(value)) return characters - textOf(value).length;
  let left = characters;
  for (const { name, value: child } of children(value, characters)) {
    left = charactersLeft(child, left - name.length);
    if (left < 0) break;
  }
  return left;
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
