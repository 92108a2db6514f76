// Converts typed and pasted text to a column's values, and values to text.
import type { ColumnType, ShownColumn } from "#components/tables/table-queries.ts";
import { parseTime } from "#lib/contract/parse-time.ts";

/** A parsed value, or the reason why the text is invalid. */
export type Read = { readonly value: unknown } | { readonly problem: string };

const grouped = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/;
const yes: ReadonlySet<string> = new Set(["true", "yes", "1"]);
const no: ReadonlySet<string> = new Set(["false", "no", "0"]);

/** Parses text as a value of the column; empty text is no value. */
export function readCellText({ type, required }: Pick<ShownColumn, "type" | "required">, text: string): Read {
  if (type === "text" ? text === "" : text.trim() === "") {
    return required ? { problem: "is required" } : { value: null };
  }
  return type === "text" ? { value: text } : readers[type](text.trim());
}

const readers: Readonly<Record<Exclude<ColumnType, "text">, (text: string) => Read>> = {
  number: (text) => {
    // Number() would also accept "0x10" and "Infinity".
    const plain = grouped.test(text) ? text.replaceAll(",", "") : text;
    const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : Number.NaN;
    return Number.isFinite(value) ? { value } : { problem: "must be a number, such as 12.5" };
  },
  boolean: (text) => {
    const word = text.toLowerCase();
    if (yes.has(word)) return { value: true };
    return no.has(word) ? { value: false } : { problem: "must be true or false" };
  },
  time: (text) => {
    const time = parseTime(text.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, "$1T"), "start");
    return time === null
      ? { problem: "must be a time, such as 2026-01-31 10:00 (in UTC) or 2026-01-31T10:00:00+01:00" }
      : { value: time.toISOString() };
  },
  json: (text) => {
    try {
      const value: unknown = JSON.parse(text);
      return { value };
    } catch {
      return { problem: 'must be JSON, such as {"size": 3}' };
    }
  },
};

/** Formats a value as text that parses to the same value. */
export function cellText(type: ColumnType, value: unknown): string {
  if (value === null || value === undefined) return "";
  return type === "json" ? JSON.stringify(value) : String(value);
}

/** Whether two values are equal as stored. */
export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}
