import { textDepth } from "#lib/engine/json.ts";
import { inLargeSlot, nextTurn } from "#lib/platform/turns.ts";
import { rememberText } from "./known-text.ts";
import { parseRoom, valueBytes } from "./parse-room.ts";
import { TextCopy } from "./text-copy.ts";

/** Characters to parse before yielding: about 10 ms in the worst case, in which every key is different. */
const charactersAtOnce = 65_536;

/**
 * `JSON.parse` for text of any length: long text is parsed in pieces, yielding to the event loop between them. Throws a
 * SyntaxError for invalid JSON, and TooDeep.
 */
export async function parseJsonInTurns(
  text: string,
  levelsMax: number,
  atOnce: number = charactersAtOnce,
): Promise<unknown> {
  if (text.length <= atOnce) return parseSmallJson(text, levelsMax);
  return await parsedInTurns(new Parsing(text, levelsMax, atOnce), text);
}

async function parsedInTurns(parsing: Parsing, text: string): Promise<unknown> {
  return await inLargeSlot(text.length, async () => {
    while (!parsing.advance()) await nextTurn();
    return parsing.value;
  });
}

/** The same for a value from outside: begins once there is memory for it, or throws NoMemory. */
export async function parseJsonWithRoom(text: string, levelsMax: number): Promise<unknown> {
  return await parseRoom().during(valueBytes(text), () => parseJsonInTurns(text, levelsMax));
}

/**
 * The same for a value from outside that will be stored or passed on: its JSON is written while it is parsed, and
 * remembered (`known-text.ts`).
 */
export async function parseJsonToKeep(
  text: string,
  levelsMax: number,
  atOnce: number = charactersAtOnce,
): Promise<unknown> {
  if (text.length <= atOnce) return parseSmallJson(text, levelsMax);
  const copy = new TextCopy();
  const parsing = new Parsing(text, levelsMax, atOnce, copy);
  const value = await parseRoom().during(valueBytes(text), () => parsedInTurns(parsing, text));
  const json = copy.text;
  if (json !== null) rememberText(value, json, parsing.depth);
  return value;
}

/** Whether a text is parsed in one piece. */
export function isSmallJson(text: string): boolean {
  return text.length <= charactersAtOnce;
}

/** `JSON.parse` of such a text. Throws a SyntaxError for invalid JSON, and TooDeep. */
export function parseSmallJson(text: string, levelsMax: number): unknown {
  // Each level takes two characters.
  if (text.length > 2 * levelsMax && textDepth(text, levelsMax) > levelsMax) throw new TooDeep();
  return JSON.parse(text);
}

/** The same for JSON that the service or its sandbox wrote: any depth is accepted. */
export async function parseOwnJson(text: string): Promise<unknown> {
  if (text.length <= charactersAtOnce) return JSON.parse(text);
  return await parseJsonInTurns(text, Number.POSITIVE_INFINITY);
}

/** The JSON is nested more deeply than allowed. */
export class TooDeep extends SyntaxError {
  constructor() {
    super("the JSON is nested too deeply");
    this.name = "TooDeep";
  }
}

/** An object or array whose closing bracket has not been reached. */
interface Open {
  /** The position of its opening bracket. */
  readonly at: number;
  readonly isList: boolean;
  /** The parsed members so far; null while the whole value may still be parsed as part of its parent. */
  made: unknown[] | Record<string, unknown> | null;
  /** Where the members that are not parsed yet begin. */
  from: number;
  /** The last comma after `from`; -1 if there is none. */
  comma: number;
  /** A member that was parsed separately ends at `from`: only a comma or the closing bracket may follow. */
  isAfterMember: boolean;
  /** Nothing of it has been parsed. */
  isEmpty: boolean;
}

const [quote, backslash, comma, openList, closeList, openObject, closeObject] = [...'"\\,[]{}'].map((character) =>
  character.charCodeAt(0),
);

/** Where the string that begins at `from` ends: at its closing quote. */
export function endOfText(text: string, from: number): number {
  let at = from + 1;
  for (; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === quote) return at;
    if (unit === backslash) at += 1;
  }
  return at;
}

/**
 * Scans each character once. After every `atOnce` characters, parses the complete members of each open object and array,
 * together per container, and adds them to its value.
 */
class Parsing {
  value: unknown;
  /** The deepest level so far; the root is the first. */
  depth = 0;
  readonly #text: string;
  readonly #levelsMax: number;
  readonly #atOnce: number;
  readonly #copy: TextCopy | undefined;
  readonly #open: Open[] = [];
  /** How many of the outermost have a value already. */
  #startedCount = 0;
  #at = 0;
  /** The root's value, and where its text ends; undefined until part of it is parsed. */
  #root: { readonly made: unknown; end: number } | undefined;

  constructor(text: string, levelsMax: number, atOnce: number, copy?: TextCopy) {
    this.#text = text;
    this.#levelsMax = levelsMax;
    this.#atOnce = atOnce;
    this.#copy = copy;
  }

  /** Parses the next piece; true once `value` is complete. */
  advance(): boolean {
    const until = this.#at + this.#atOnce;
    while (this.#at < this.#text.length && this.#at < until) this.#scan();
    if (this.#at < this.#text.length) {
      this.#parseMembers();
      return false;
    }
    if (this.#root === undefined) {
      this.value = JSON.parse(this.#text);
      this.#copy?.spoil();
    } else {
      if (this.#open.length > 0) throw new SyntaxError("the text ends too early");
      this.#requireBlank(this.#root.end, this.#text.length);
      this.value = this.#root.made;
    }
    return true;
  }

  /** Scans one character, or one whole string. */
  #scan(): void {
    const unit = this.#text.charCodeAt(this.#at);
    if (unit === quote) {
      this.#at = endOfText(this.#text, this.#at) + 1;
      return;
    }
    if (unit === openList || unit === openObject) this.#enter(unit === openList);
    else if (unit === closeList || unit === closeObject) this.#leave(unit === closeList);
    else if (unit === comma) this.#separate();
    this.#at += 1;
  }

  #enter(isList: boolean): void {
    if (this.#open.length >= this.#levelsMax) throw new TooDeep();
    const at = this.#at;
    this.#open.push({ at, isList, made: null, from: at + 1, comma: -1, isAfterMember: false, isEmpty: true });
    this.depth = Math.max(this.depth, this.#open.length);
  }

  #separate(): void {
    const top = this.#open.at(-1);
    if (top === undefined) return;
    if (!top.isAfterMember) {
      top.comma = this.#at;
      return;
    }
    this.#requireBlank(top.from, this.#at);
    top.from = this.#at + 1;
    top.comma = -1;
    top.isAfterMember = false;
  }

  #leave(isList: boolean): void {
    const closed = this.#open.pop();
    if (closed === undefined || closed.isList !== isList) throw new SyntaxError("brackets do not match");
    this.#startedCount = Math.min(this.#startedCount, this.#open.length);
    if (closed.made === null) return;
    if (closed.isAfterMember) this.#requireBlank(closed.from, this.#at);
    else this.#add(closed, this.#at, true);
    this.#copy?.leave(isList);
    const parent = this.#open.at(-1);
    if (parent === undefined) {
      if (this.#root !== undefined) this.#root.end = this.#at + 1;
      return;
    }
    parent.from = this.#at + 1;
    parent.comma = -1;
    parent.isAfterMember = true;
  }

  /**
   * Parses the complete members of every open container. Containers around the innermost one with a value have no new
   * members: that one has been open since the last time.
   */
  #parseMembers(): void {
    for (let level = Math.max(0, this.#startedCount - 1); level < this.#open.length; level += 1) {
      const open = this.#open[level] as Open;
      open.made ??= this.#begin(open, this.#open[level - 1]);
      if (open.comma < 0) continue;
      this.#add(open, open.comma, false);
      open.from = open.comma + 1;
      open.comma = -1;
    }
    this.#startedCount = this.#open.length;
  }

  /** Creates an empty array or object in its place in the parent. */
  #begin(open: Open, parent: Open | undefined): unknown[] | Record<string, unknown> {
    const made = open.isList ? [] : {};
    if (parent === undefined) {
      if (this.#root !== undefined) throw new SyntaxError("there is more than one value");
      this.#requireBlank(0, open.at);
      this.#root = { made, end: this.#text.length };
      this.#copy?.enter(true, null, open.isList);
      return made;
    }
    if (parent.isAfterMember) throw new SyntaxError("a comma is missing");
    const before = this.#text.slice(parent.from, open.at);
    if (Array.isArray(parent.made)) {
      this.#requireBlank(parent.from, open.at);
      this.#copy?.enter(parent.isEmpty, null, open.isList);
      parent.made.push(made);
    } else {
      // If the JSON is valid, the value is preceded by its key and a colon.
      const [[key] = [], ...others] = Object.entries(JSON.parse(`{${before}null}`) as Record<string, unknown>);
      if (key === undefined || others.length > 0) throw new SyntaxError("a value has no name");
      this.#copy?.enter(parent.isEmpty, key, open.isList);
      this.#define(parent.made as Record<string, unknown>, key, made);
    }
    parent.isEmpty = false;
    return made;
  }

  /** Parses the members up to `end`. `isLast`: an empty container may have none. */
  #add(open: Open, end: number, isLast: boolean): void {
    const members = this.#text.slice(open.from, end);
    const isFirst = open.from === open.at + 1;
    if (isLast && isFirst && /^[ \t\n\r]*$/.test(members)) return;
    const { made } = open;
    if (Array.isArray(made)) {
      const items = JSON.parse(`[${members}]`) as unknown[];
      if (items.length === 0) throw new SyntaxError("a value is missing");
      this.#copy?.add(items, open.isEmpty);
      open.isEmpty = false;
      for (const item of items) made.push(item);
      return;
    }
    const more = JSON.parse(`{${members}}`) as Record<string, unknown>;
    let count = 0;
    for (const key of Object.keys(more)) {
      count += 1;
      this.#define(made as Record<string, unknown>, key, more[key]);
    }
    if (count === 0) throw new SyntaxError("a value is missing");
    this.#copy?.add(more, open.isEmpty);
    open.isEmpty = false;
  }

  #define(target: Record<string, unknown>, key: string, value: unknown): void {
    // A repeated key keeps its first place, and keys that are numbers come first.
    if (this.#copy !== undefined && (isDigit(key.charCodeAt(0)) || Object.hasOwn(target, key))) this.#copy.spoil();
    define(target, key, value);
  }

  #requireBlank(from: number, to: number): void {
    if (!/^[ \t\n\r]*$/.test(this.#text.slice(from, to))) throw new SyntaxError("a comma or an end is missing");
  }
}

const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39;

/** Plain assignment would set the prototype for a key named `__proto__`. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else target[key] = value;
}
