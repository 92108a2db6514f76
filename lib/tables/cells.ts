// How values are stored: as JSON by column number, in a form that PostgreSQL can compare, and as index keys.
import { parseTime } from "#lib/contract/parse-time.ts";
import type { ColumnType } from "#lib/contract/tables/tables.ts";
import { isStorableText } from "#lib/engine/flow.ts";
import { iso } from "#lib/platform/clock.ts";

/** A stored value: text and JSON as text, numbers unchanged, times as epoch milliseconds. */
export type Cell = string | number | boolean;

/** A row's values by column number. Missing: no value. */
export type Cells = Readonly<Record<string, Cell>>;

/** PostgreSQL's `jsonb` cannot hold U+0000 or unpaired surrogates: they are stored as private-use characters. */
const surrogates = { from: 0xd800, to: 0xdfff, storedFrom: 0xf000, storedTo: 0xf7ff } as const;
const storedNul = "\uf800";
/** Escapes a character that would otherwise mean one of those. */
const literally = "\uf801";

/** Text in stored form: lossless, and still comparable and searchable. */
export function storedText(text: string): string {
  if (isStorableText(text) && !/[\uf000-\uf801]/.test(text)) return text;
  return text
    .replace(/[\uf000-\uf801]/g, (character) => literally + character)
    .replaceAll("\u0000", storedNul)
    .replace(/\p{Surrogate}/gu, (unit) =>
      String.fromCharCode(unit.charCodeAt(0) - surrogates.from + surrogates.storedFrom),
    );
}

/** Reads stored text. */
export function readText(stored: string): string {
  if (!/[\uf000-\uf801]/.test(stored)) return stored;
  return stored.replace(/\uf801([\s\S])|[\uf000-\uf800]/g, (found, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped;
    if (found === storedNul) return "\u0000";
    return String.fromCharCode(found.charCodeAt(0) - surrogates.storedFrom + surrogates.from);
  });
}

/** A problem with a value. The message follows the column's name. */
export class WrongValue extends Error {
  override readonly name = "WrongValue";
}

const expected: Readonly<Record<ColumnType, string>> = {
  text: "text",
  number: "a number",
  boolean: "true or false",
  time: "an ISO 8601 time, such as 2026-01-31T10:00:00Z",
  json: "JSON",
};

/** A column's value in stored form; null for none. Throws WrongValue. */
export function storedCell(type: ColumnType, value: unknown): Cell | null {
  if (value === null || value === undefined) return null;
  if (type === "json") return JSON.stringify(value);
  if (type === "text" && typeof value === "string") return storedText(value);
  if (type === "number" && typeof value === "number" && Number.isFinite(value)) return value;
  if (type === "boolean" && typeof value === "boolean") return value;
  const time = type === "time" && typeof value === "string" ? parseTime(value, "start") : null;
  if (time !== null) return time.getTime();
  throw new WrongValue(`must be ${expected[type]}`);
}

/** Reads a stored value. */
export function readCell(type: ColumnType, cell: Cell | undefined): unknown {
  if (cell === undefined) return null;
  if (type === "json") return JSON.parse(String(cell));
  if (type === "text") return readText(String(cell));
  return type === "time" ? iso(new Date(Number(cell))) : cell;
}

/** The index entry for no value: it sorts last. */
export const emptyKey = "1";

/** A value's index entry: text that sorts bytewise as the values do. */
export function keyOf(cell: Cell | undefined): string {
  if (cell === undefined) return emptyKey;
  return `0${typeof cell === "string" ? cell : numberKey(Number(cell))}`;
}

const bits = new DataView(new ArrayBuffer(8));
const signBit = 1n << 63n;
const allBits = (1n << 64n) - 1n;

/** The bits of a double, inverted for negative numbers, so that they sort as numbers do. */
function numberKey(value: number): string {
  bits.setFloat64(0, value === 0 ? 0 : value);
  const found = bits.getBigUint64(0);
  const sortable = found & signBit ? ~found & allBits : found | signBit;
  return sortable.toString(16).padStart(16, "0");
}
