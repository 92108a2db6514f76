import { textDepth } from "#lib/engine/json.ts";
import { inLargeSlot, nextTurn, yieldTurn } from "#lib/platform/turns.ts";
import { jsonBytesInTurns } from "./json-bytes.ts";
import { knownDepth, knownText } from "./known-text.ts";
import { TooDeep } from "./parse-json.ts";

/** Smaller values are written in one piece: about 10 ms in the worst case, in which every key is different. */
const bytesAtOnce = 262_144;
/** In a larger value, neighboring members are written together up to this size. */
const memberBytesMax = 16_384;
/** Strings are not measured here: even a long one is written quickly. */
const bytesOfScalar = 8;
/** Characters to write before yielding. */
const turnBytes = 131_072;

/** An object or array that is written member by member. */
interface Writing {
  readonly value: Readonly<Record<string | number, unknown>>;
  /** An object's keys; null for an array. */
  readonly keys: readonly string[] | null;
  readonly length: number;
  next: number;
  isFirst: boolean;
}

/**
 * `JSON.stringify` for plain data of any size: a large value is written in pieces, yielding to the event loop between
 * them; a small one synchronously. `bytes`: its size as JSON. Throws TooDeep if it is nested deeper than `levelsMax`.
 */
export function writeJsonInTurns(value: unknown, bytes: number, levelsMax: number): string | Promise<string> {
  if (bytes <= bytesAtOnce || typeof value !== "object" || value === null) return writeAtOnce(value, levelsMax);
  const known = knownText(value);
  if (known !== undefined) {
    if ((knownDepth(value) ?? 0) > levelsMax) throw new TooDeep();
    return known;
  }
  // Before all that is to be parsed: otherwise every value would be in memory before the first one is written.
  return inLargeSlot(0, () => writtenInTurns(value, levelsMax));
}

/** Many of these may be written one after the other without a turn between them. */
const smallBytes = 65_536;

/** The same for a value whose size is not known yet, at any depth. */
export function jsonInTurns(value: unknown): string | Promise<string> {
  const bytes = jsonBytesInTurns(value, Number.POSITIVE_INFINITY);
  const isSmall = typeof bytes === "number" && bytes <= smallBytes;
  return isSmall ? writeJsonInTurns(value, bytes, Number.POSITIVE_INFINITY) : writtenWhenCounted(value, bytes);
}

async function writtenWhenCounted(value: unknown, counted: number | Promise<number>): Promise<string> {
  const bytes = await counted;
  await yieldTurn();
  return await writeJsonInTurns(value, bytes, Number.POSITIVE_INFINITY);
}

async function writtenInTurns(value: object, levelsMax: number): Promise<string> {
  const parts: string[] = [];
  const open: Writing[] = [];
  let written = 0;
  const put = (text: string) => {
    parts.push(text);
    written += text.length;
  };
  const enter = (container: object) => {
    if (open.length >= levelsMax) throw new TooDeep();
    const keys = Array.isArray(container) ? null : Object.keys(container);
    const length = Array.isArray(container) ? container.length : (keys?.length ?? 0);
    put(keys === null ? "[" : "{");
    open.push({ value: container as Writing["value"], keys, length, next: 0, isFirst: true });
  };
  enter(value);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (written > turnBytes) {
      written = 0;
      await nextTurn();
    }
    if (top.next === top.length) {
      put(top.keys === null ? "]" : "}");
      open.pop();
      continue;
    }
    const large = writeMembers(top, put, levelsMax - open.length);
    if (large === null) continue;
    const known = knownText(large);
    if (known !== undefined) {
      if ((knownDepth(large) ?? 0) > levelsMax - open.length) throw new TooDeep();
      put(known);
      continue;
    }
    // Measuring it and listing its keys takes long enough already.
    await nextTurn();
    enter(large);
    await nextTurn();
  }
  return parts.join("");
}

/**
 * Writes members until there are enough for one turn, or one is too large. Returns that member, with its key already
 * written.
 */
function writeMembers(writing: Writing, put: (text: string) => void, levelsMax: number): object | null {
  const from = writing.next;
  const names: string[] = [];
  let large: object | null = null;
  for (let bytes = 0; writing.next < writing.length && bytes <= memberBytesMax && large === null; writing.next += 1) {
    const key = writing.keys?.[writing.next];
    const member = writing.value[key ?? writing.next];
    if (key !== undefined && isOmitted(member)) continue;
    const counted = roughBytes(member, memberBytesMax, levelsMax);
    if (counted > memberBytesMax) large = member as object;
    bytes += counted;
    if (key === undefined) continue;
    const name = `${writing.isFirst ? "" : ","}${JSON.stringify(key)}:`;
    writing.isFirst = false;
    names.push(name, large === null ? (JSON.stringify(member) ?? "null") : "");
    bytes += name.length;
  }
  put(
    writing.keys === null ? itemsOf(writing, from, large === null ? writing.next : writing.next - 1) : names.join(""),
  );
  if (large !== null && writing.keys === null) {
    put(writing.isFirst ? "" : ",");
    writing.isFirst = false;
  }
  return large;
}

/** Roughly the bytes of a value as JSON; stops counting beyond `bytesMax`. Throws TooDeep. */
function roughBytes(value: unknown, bytesMax: number, levelsMax: number): number {
  if (typeof value !== "object" || value === null) return bytesOfScalar;
  if (levelsMax === 0) throw new TooDeep();
  let bytes = bytesOfScalar;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && bytes <= bytesMax; index += 1)
      bytes += 1 + roughPart(value[index], bytesMax - bytes, levelsMax - 1);
    return bytes;
  }
  for (const key in value) {
    if (bytes > bytesMax) break;
    bytes += key.length + roughPart((value as Readonly<Record<string, unknown>>)[key], bytesMax - bytes, levelsMax - 1);
  }
  return bytes;
}

const roughPart = (value: unknown, bytesMax: number, levelsMax: number) =>
  typeof value === "string" ? value.length + bytesOfScalar : roughBytes(value, bytesMax, levelsMax);

/** Items of an array, without its brackets. */
function itemsOf(writing: Writing, from: number, to: number): string {
  if (from === to) return "";
  const json = JSON.stringify((writing.value as unknown as readonly unknown[]).slice(from, to));
  const comma = writing.isFirst ? "" : ",";
  writing.isFirst = false;
  return comma + json.slice(1, -1);
}

/** Values that JSON omits from objects. */
function isOmitted(value: unknown): boolean {
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}

function writeAtOnce(value: unknown, levelsMax: number): string {
  try {
    return within(levelsMax, JSON.stringify(value) ?? "null");
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new TooDeep();
}

function within(levelsMax: number, json: string): string {
  // Each level takes at least two characters.
  if (json.length < 2 * levelsMax || textDepth(json, levelsMax) <= levelsMax) return json;
  throw new TooDeep();
}
