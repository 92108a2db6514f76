import { inLargeSlot, nextTurn } from "#lib/platform/turns.ts";
import { knownDepth, knownText } from "./known-text.ts";

/** Values to count before yielding: about 10 ms. */
const valuesAtOnce = 20_000;
/** Keys of one object to count in one step. */
const keysAtOnce = 5_000;
/** Items of one list to queue in one step. */
const itemsAtOnce = 5_000;
/** Members of the root that may be values passed on. A look-up costs as much as counting a small object. */
const lookedUpMax = 20;

/**
 * The size of plain data as JSON in UTF-8, in bytes, counted without serializing and without recursion, and only until
 * it exceeds `bytesMax`. A shared part counts each time, as in the text.
 */
export function jsonBytes(root: unknown, bytesMax: number): number {
  const count = new ByteCount(root, bytesMax);
  count.advance(Number.POSITIVE_INFINITY);
  return count.bytes;
}

/** The same for a value of any size, yielding to the event loop. Synchronous for small values, which most are. */
export function jsonBytesInTurns(root: unknown, bytesMax: number): number | Promise<number> {
  const count = new ByteCount(root, bytesMax);
  return count.advance(valuesAtOnce) ? count.bytes : inLargeSlot(count.bytes, () => countedInTurns(count));
}

async function countedInTurns(count: ByteCount): Promise<number> {
  do await nextTurn();
  while (!count.advance(valuesAtOnce));
  return count.bytes;
}

/** The keys of an object that are still to be counted. */
class PendingKeys {
  readonly object: Readonly<Record<string, unknown>>;
  readonly keys: readonly string[];
  from = 0;
  hasMembers = false;

  constructor(object: object, keys: readonly string[]) {
    this.object = object as Readonly<Record<string, unknown>>;
    this.keys = keys;
  }
}

/** The items of a long list that are still to be counted. */
class PendingItems {
  readonly list: readonly unknown[];
  from = 0;

  constructor(list: readonly unknown[]) {
    this.list = list;
  }
}

class ByteCount {
  bytes = 0;
  readonly #root: unknown;
  readonly #pending: unknown[];
  readonly #bytesMax: number;

  constructor(root: unknown, bytesMax: number) {
    this.#root = root;
    this.#pending = [root];
    this.#bytesMax = bytesMax;
  }

  /** Counts up to `values` more; true once all are counted or the limit is passed. */
  advance(values: number): boolean {
    const pending = this.#pending;
    for (let left = values; left > 0; left -= 1) {
      if (pending.length === 0 || this.bytes > this.#bytesMax) return true;
      const value = pending.pop();
      if (typeof value !== "object" || value === null) this.bytes += scalarBytes(value, this.#bytesMax);
      else if (Array.isArray(value)) {
        this.bytes += punctuationBytes(value.length);
        this.#itemsOf(new PendingItems(value));
      } else if (value instanceof PendingItems) this.#itemsOf(value);
      else {
        const pendingKeys = value instanceof PendingKeys ? value : new PendingKeys(value, Object.keys(value));
        left -= this.#keysOf(pendingKeys);
      }
    }
    return false;
  }

  /** Queues some items of a list, so that a list is not walked further than it is counted. */
  #itemsOf(items: PendingItems): void {
    const { list, from } = items;
    const until = Math.min(list.length, from + itemsAtOnce);
    if (until < list.length) this.#pending.push(items);
    for (let at = from; at < until; at += 1) this.#pending.push(list[at]);
    items.from = until;
  }

  /** Counts some keys of an object and queues their values. */
  #keysOf(pendingKeys: PendingKeys): number {
    const { object, keys, from } = pendingKeys;
    const until = Math.min(keys.length, from + keysAtOnce);
    if (until < keys.length) this.#pending.push(pendingKeys);
    const isLookedUp = object === this.#root && keys.length <= lookedUpMax;
    let [bytes, count] = [0, 0];
    for (let at = from; at < until; at += 1) {
      const key = keys[at] as string;
      const value = object[key];
      if (value === undefined || typeof value === "function" || typeof value === "symbol") continue;
      bytes += textBytes(key, this.#bytesMax) + ":".length;
      count += 1;
      const known = isLookedUp ? knownText(value) : undefined;
      if (known === undefined) this.#pending.push(value);
      else bytes += Buffer.byteLength(known);
    }
    pendingKeys.from = until;
    // One comma per member except the object's first.
    this.bytes += bytes + count + (from === 0 ? punctuationBytes(0) : 0);
    pendingKeys.hasMembers ||= count > 0;
    if (until === keys.length && pendingKeys.hasMembers) this.bytes -= ",".length;
    return until - from;
  }
}

/** The brackets and commas around this many members. */
const punctuationBytes = (count: number) => 2 + Math.max(0, count - 1);

function scalarBytes(value: unknown, bytesMax: number): number {
  if (typeof value === "string") return textBytes(value, bytesMax);
  if (typeof value === "number") return numberBytes(value);
  return value === false ? "false".length : "null".length;
}

function numberBytes(value: number): number {
  // Most numbers are small, with a known length.
  if (value >= 0 && value < 10 && Number.isInteger(value)) return 1;
  return Number.isFinite(value) ? (Object.is(value, -0) ? 1 : String(value).length) : "null".length;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes these.
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/;

function textBytes(text: string, bytesMax: number): number {
  // A text has at least as many bytes as characters.
  if (text.length > bytesMax) return text.length + 2;
  return 2 + (escaped.test(text) ? escapedBytes(text) : Buffer.byteLength(text));
}

const short = new Set([...'"\\\b\f\n\r\t'].map((character) => character.charCodeAt(0)));

function escapedBytes(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (short.has(unit)) bytes += 2;
    else if (unit < 0x20) bytes += 6;
    else if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit < 0xd800 || unit > 0xdfff) bytes += 3;
    else if (isPair(text, index)) {
      bytes += 4;
      index += 1;
    } else bytes += 6;
  }
  return bytes;
}

function isPair(text: string, index: number): boolean {
  const [high, low] = [text.charCodeAt(index), text.charCodeAt(index + 1)];
  return high < 0xdc00 && low >= 0xdc00 && low <= 0xdfff;
}

/**
 * Whether a value is nested deeper than `levelsMax`; the root is the first level. Yields to the event loop. Does not
 * serialize: with shared parts, a value may be far larger as JSON than in memory.
 */
export async function isDeeperThan(root: unknown, levelsMax: number): Promise<boolean> {
  if (!isContainer(root)) return false;
  const known = knownDepth(root);
  if (known !== undefined) return known > levelsMax;
  let level = new Set<object>([root]);
  let [depth, left] = [0, valuesAtOnce];
  while (level.size > 0 && depth <= levelsMax) {
    depth += 1;
    const next = new Set<object>();
    for (const container of level) {
      // Listing a large object's keys is three times faster than listing its values.
      const keys = Array.isArray(container) ? container.keys() : Object.keys(container);
      left -= 1;
      for (const key of keys) {
        const member = (container as Readonly<Record<string | number, unknown>>)[key];
        const below = isContainer(member) ? knownDepth(member) : undefined;
        if (below !== undefined && depth + below > levelsMax) return true;
        if (below === undefined && isContainer(member)) next.add(member);
        left -= 1;
        if (left > 0) continue;
        await nextTurn();
        left = valuesAtOnce;
      }
    }
    level = next;
  }
  return depth > levelsMax;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
