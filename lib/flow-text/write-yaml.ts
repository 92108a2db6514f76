import type { Json } from "#lib/engine/json.ts";
import type { Trivia } from "./trivia.ts";
import { blockText, scalarText } from "./yaml-scalars.ts";

/** The input: JSON, with maps where key order matters, and short lists on one line. */
export type Written = Json | Entries | OneLine | readonly Written[];
export type Entries = Map<string, Written>;

type Pieces = Generator<void, void, undefined>;

/** A list of numbers on one line, in brackets. */
export class OneLine {
  readonly numbers: readonly number[];
  constructor(numbers: readonly number[]) {
    this.numbers = numbers;
  }
}

/** Parsers look only this many characters ahead for the end of a key. */
const keyCharactersMax = 1_000;

/** Characters to write before yielding: a few milliseconds. */
const pieceCharacters = 262_144;

/**
 * Writes canonical YAML: the same value always gives the same text. What may be long is a generator that yields when
 * there is a piece to take: each line repeats its indentation, so that a deep value is far longer than as JSON.
 */
export class YamlWriter {
  readonly #trivia: Trivia;
  #lines: string[] = [];
  #characters = 0;

  constructor(trivia: Trivia) {
    this.#trivia = trivia;
  }

  /** An entry of the root. */
  *entry(key: string, value: Written): Pieces {
    yield* this.#entry("", key, value, this.#trivia.child("", key), "");
  }

  /** Lines after the root's last entry. */
  end(): void {
    this.#after("", "");
  }

  /** The lines since the last call, each with its end. */
  take(): string {
    const text = this.#lines.length === 0 ? "" : `${this.#lines.join("\n")}\n`;
    this.#lines = [];
    this.#characters = 0;
    return text;
  }

  line(text: string): void {
    this.#lines.push(text);
    this.#characters += text.length;
  }

  /** `prefix`: what precedes the first entry instead of the indentation: the dash of a list's item. */
  *#map(indent: string, entries: Iterable<[string, Written]>, path: string, prefix?: string): Pieces {
    let before = prefix;
    for (const [key, value] of entries) {
      yield* this.#entry(before ?? indent, key, value, this.#trivia.child(path, key), indent);
      before = undefined;
    }
    this.#after(indent, path);
  }

  *#entry(prefix: string, key: string, value: Written, path: string, indent: string): Pieces {
    // Lines before an item's first entry go above its dash.
    this.#before(prefix.endsWith("- ") ? prefix.slice(0, -2) : indent, path);
    const text = scalarText(key);
    if (text.length <= keyCharactersMax) yield* this.#value(`${prefix}${text}:`, value, indent, path);
    else {
      this.line(`${prefix}? ${text}`);
      yield* this.#value(`${indent}:`, value, indent, path);
    }
  }

  *#value(head: string, value: Written, indent: string, path: string, note = this.#trivia.beside(path)): Pieces {
    if (this.#characters > pieceCharacters) yield;
    const inside = `${indent}  `;
    if (typeof value === "string") this.#text(head, value, inside, note);
    else if (value instanceof OneLine) this.line(`${head} [${value.numbers.join(", ")}]${note}`);
    else if (isList(value)) {
      if (value.length === 0) this.line(`${head} []${note}`);
      else {
        this.line(`${head}${note}`);
        yield* this.#list(inside, value, path);
      }
    } else if (typeof value === "object" && value !== null) {
      const entries = entriesOf(value);
      if (entries.length === 0) this.line(`${head} {}${note}`);
      else {
        this.line(`${head}${note}`);
        yield* this.#map(inside, entries, path);
      }
    } else this.line(`${head} ${JSON.stringify(value)}${note}`);
  }

  *#list(indent: string, items: readonly Written[], path: string): Pieces {
    for (const [index, item] of items.entries()) {
      const at = this.#trivia.child(path, itemName(item, index));
      this.#before(indent, at);
      const isMap = typeof item === "object" && item !== null && !isList(item) && !(item instanceof OneLine);
      const entries = isMap ? entriesOf(item) : [];
      const note = this.#trivia.beside(at);
      if (entries.length === 0 || note !== "") yield* this.#value(`${indent}-`, item, indent, at, note);
      else yield* this.#map(`${indent}  `, entries, at, `${indent}- `);
    }
    this.#after(indent, path);
  }

  #text(head: string, text: string, indent: string, note: string): void {
    const block = blockText(text);
    if (block === null) this.line(`${head} ${scalarText(text)}${note}`);
    else {
      this.line(`${head} ${block.header}${note}`);
      for (const line of block.lines) this.line(line === "" ? "" : indent + line);
    }
  }

  #before(indent: string, path: string): void {
    for (const line of this.#trivia.before(path)) this.line(line === "" ? "" : indent + line);
  }

  #after(indent: string, path: string): void {
    for (const line of this.#trivia.after(path)) this.line(line === "" ? "" : indent + line);
  }
}

function isList(value: Written): value is readonly Written[] {
  return Array.isArray(value);
}

/** Without undefined members, as in JSON. */
function entriesOf(value: object): [string, Written][] {
  const entries: [string, Written][] = value instanceof Map ? [...value] : Object.entries(value);
  return entries.filter(([, item]) => item !== undefined);
}

/** Identifies a list item regardless of its position, so that comments follow it. */
export function itemName(item: unknown, index: number): string {
  if (typeof item === "string") return `-${item}`;
  if (typeof item !== "object" || item === null || Array.isArray(item)) return `-${index}`;
  for (const key of ["id", "name", "to"]) {
    const named = item instanceof Map ? item.get(key) : (item as Record<string, unknown>)[key];
    if (typeof named === "string") return `-${named}`;
  }
  return `-${index}`;
}
