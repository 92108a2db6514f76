/**
 * The size of plain data as JSON in UTF-8, without creating the text and without recursion. Stops counting beyond
 * `most`. A repeated value counts each time, as in the text.
 */
export function jsonBytes(root: unknown, most: number): number {
  const pending: unknown[] = [root];
  let bytes = 0;
  while (pending.length > 0 && bytes <= most) {
    const value = pending.pop();
    if (typeof value !== "object" || value === null) bytes += scalarBytes(value, most);
    else if (Array.isArray(value)) {
      bytes += around(value.length);
      for (const item of value) pending.push(item);
    } else bytes += objectBytes(value, pending, most);
  }
  return bytes;
}

/** The brackets, and the commas between so many. */
const around = (count: number) => 2 + Math.max(0, count - 1);

/** Without the values, which are left in `pending`. */
function objectBytes(object: object, pending: unknown[], most: number): number {
  let [bytes, count] = [0, 0];
  for (const key of Object.keys(object)) {
    const value = (object as Readonly<Record<string, unknown>>)[key];
    if (value === undefined || typeof value === "function" || typeof value === "symbol") continue;
    bytes += textBytes(key, most) + ":".length;
    count += 1;
    pending.push(value);
  }
  return bytes + around(count);
}

function scalarBytes(value: unknown, most: number): number {
  if (typeof value === "string") return textBytes(value, most);
  if (typeof value === "number") return numberBytes(value);
  return value === false ? "false".length : "null".length;
}

function numberBytes(value: number): number {
  // Most numbers are small, and their length is known without formatting them.
  if (value >= 0 && value < 10 && Number.isInteger(value)) return 1;
  return Number.isFinite(value) ? (Object.is(value, -0) ? 1 : String(value).length) : "null".length;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes these.
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/;

function textBytes(text: string, most: number): number {
  // It has at least as many bytes as characters.
  if (text.length > most) return text.length + 2;
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
