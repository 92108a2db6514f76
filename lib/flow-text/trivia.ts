import type { TextNode } from "./parse-yaml.ts";
import { itemName } from "./write-yaml.ts";

/** A comment or an empty line, with its position. `text`: from `#`; empty for an empty line. */
export interface YamlComment {
  readonly at: number;
  readonly column: number;
  readonly text: string;
  /** Whether it follows something on the same line. */
  readonly isBeside: boolean;
}

const separator = "\u0001";
const none: readonly string[] = [];

/** Comments and empty lines by the entry to which they belong; an entry is identified by its path. */
export class Trivia {
  readonly #before = new Map<string, string[]>();
  readonly #beside = new Map<string, string>();
  readonly #after = new Map<string, string[]>();

  /** The path of an entry, or of an item by its name. Built only if there is something to look up. */
  child(path: string, key: string): string {
    return this.isEmpty ? "" : `${path}${separator}${key}`;
  }

  get isEmpty(): boolean {
    return this.#before.size === 0 && this.#beside.size === 0 && this.#after.size === 0;
  }

  /** Takes the lines above an entry: of two entries with the same path, the first gets them. */
  before(path: string): readonly string[] {
    return taken(this.#before, path) ?? none;
  }

  /** The comment beside an entry, with the space before it. */
  beside(path: string): string {
    const text = taken(this.#beside, path);
    return text === undefined ? "" : ` ${text}`;
  }

  /** Lines below the last entry of a map or list. */
  after(path: string): readonly string[] {
    return taken(this.#after, path) ?? none;
  }

  add(place: "before" | "after", path: string, lines: readonly string[]): void {
    const all = place === "before" ? this.#before : this.#after;
    const known = all.get(path);
    if (known === undefined) all.set(path, [...lines]);
    else known.push(...lines);
  }

  /** A second comment beside one entry goes above it. */
  addBeside(path: string, text: string): void {
    if (this.#beside.has(path)) this.add("before", path, [text]);
    else this.#beside.set(path, text);
  }
}

function taken<Value>(all: Map<string, Value>, path: string): Value | undefined {
  const value = all.get(path);
  if (value !== undefined) all.delete(path);
  return value;
}

interface Spot {
  readonly at: number;
  readonly column: number;
  readonly path: string;
  /** The map or list that it is in. */
  readonly enclosing: Enclosing | null;
}

interface Enclosing {
  readonly path: string;
  readonly column: number;
  readonly enclosing: Enclosing | null;
}

/** Assigns each remark to an entry: the next one or, if the remark is indented more, the end of the previous one. */
export function triviaOf(root: TextNode, remarks: readonly YamlComment[], columnOf: (at: number) => number): Trivia {
  const trivia = new Trivia();
  if (remarks.length === 0) return trivia;
  const spots: Spot[] = [];
  collect(root, "", null, columnOf, spots);
  let next = 0;
  let lines: string[] = [];
  let column = 0;
  /** `isPassed`: the next entry has been reached. */
  const flush = (isPassed: boolean) => {
    if (lines.length === 0) return;
    const empty: string[] = [];
    const [last, following] = [spots[next - 1], spots[next]];
    if (following !== undefined && (last === undefined || column <= following.column)) {
      trivia.add("before", following.path, lines);
    } else {
      let enclosing = last?.enclosing ?? null;
      while (enclosing !== null && enclosing.column > column && enclosing.enclosing !== null)
        enclosing = enclosing.enclosing;
      while (lines.at(-1) === "") empty.push(lines.pop() ?? "");
      trivia.add("after", enclosing?.path ?? "", lines);
    }
    lines = isPassed ? [] : empty;
    if (isPassed && following !== undefined && empty.length > 0) trivia.add("before", following.path, empty);
  };
  for (const remark of remarks) {
    while (next < spots.length && (spots[next]?.at ?? 0) < remark.at) {
      flush(true);
      next += 1;
    }
    if (remark.isBeside) trivia.addBeside(spots[next - 1]?.path ?? "", remark.text);
    else {
      const isFirst = !lines.some((line) => line !== "");
      if (!isFirst && remark.text !== "" && remark.column !== column) flush(false);
      if (remark.text !== "" || isFirst) column = remark.text === "" ? 0 : remark.column;
      lines.push(remark.text);
    }
  }
  flush(true);
  return trivia;
}

function collect(
  node: TextNode,
  path: string,
  enclosing: Enclosing | null,
  columnOf: (at: number) => number,
  spots: Spot[],
): void {
  if (node.kind === "scalar" || node.isInline) return;
  const first = node.kind === "map" ? node.entries[0]?.value.keyAt : node.items[0]?.keyAt;
  if (first === undefined) return;
  const here: Enclosing = { path, column: columnOf(first), enclosing };
  const put = (key: string, value: TextNode) => {
    const own = `${path}${separator}${key}`;
    spots.push({ at: value.keyAt, column: columnOf(value.keyAt), path: own, enclosing: here });
    collect(value, own, here, columnOf, spots);
  };
  if (node.kind === "map") for (const { key, value } of node.entries) put(key, value);
  else for (const [index, item] of node.items.entries()) put(itemName(named(item), index), item);
}

/** The fields of an item that form its name. */
function named(node: TextNode): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return [];
  return new Map(node.entries.map(({ key, value }) => [key, value.kind === "scalar" ? value.value : null]));
}
