import type { MaskFinder } from "./mask-finder.ts";
import type { SecretForm } from "./mask-secret-forms.ts";

/** One character for each byte, so that bytes are searched like text, and bytes of any encoding stay as they are. */
const binary = "latin1";
/** Characters beside a form that belong to it: one of base64 on each side, and padding. */
const besideMax = 4;

export type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/** A form as its bytes. In UTF-8, most are ASCII, and need no copy. */
export function inBytes(form: SecretForm, encoding: Encoding): SecretForm {
  if (encoding === "utf-8" && Buffer.byteLength(form.text) === form.text.length) return form;
  return { ...form, text: bytesOf(form.text, encoding) };
}

export function bytesOf(text: string, encoding: Encoding): string {
  if (encoding === "utf-8") return Buffer.from(text).toString(binary);
  const bytes = Buffer.from(text, "utf16le");
  return (encoding === "utf-16be" ? bytes.swap16() : bytes).toString(binary);
}

/** How a text is encoded, by its byte order mark or else by its charset, with all its bytes. */
export async function encodingOf(
  chunks: AsyncIterable<Uint8Array>,
  charset: string,
): Promise<{ readonly encoding: Encoding; readonly all: AsyncIterable<Uint8Array> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  for (let isOver = false; start.length < 2 && !isOver; ) {
    const next = await iterator.next();
    if (next.done === true) isOver = true;
    else start = start.length === 0 ? Buffer.from(next.value) : Buffer.concat([start, next.value]);
  }
  const marked = ({ fffe: "utf-16le", feff: "utf-16be" } as const)[start.toString("hex", 0, 2)];
  const named = { "utf-16": "utf-16le", "utf-16le": "utf-16le", "utf-16be": "utf-16be" } as const;
  const encoding = marked ?? Object.entries(named).find(([name]) => name === charset.toLowerCase())?.[1] ?? "utf-8";
  return { encoding, all: joined(start, iterator) };
}

async function* joined(start: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    if (start.length > 0) yield start;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/**
 * Masks secrets in the bytes of a text as they arrive, also those that span chunks. Holds back a few times the
 * length of the longest form, and two chunks. `finder` searches for forms as bytes, `longest` is the length of the longest, and
 * `replacement` is the mask as bytes.
 */
export async function* maskedBytes(
  chunks: AsyncIterable<Uint8Array>,
  finder: MaskFinder,
  longest: number,
  replacement: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const held = longest + besideMax;
  let rest = "";
  /** How much of the rest is already covered by the mask that was written last. */
  let covered = 0;
  /** The text up to `limit`, or to a secret that spans it, masked. */
  const take = (text: string, limit: number): Uint8Array => {
    const found = finder.find(text);
    const across = found.find((span) => span.start < limit && span.end > limit);
    // A secret at the end is written later as a whole, unless secrets follow each other without an end.
    const end = across !== undefined && across.start > covered ? across.start : limit;
    let result = "";
    let done = covered;
    for (const span of found) {
      if (span.start >= end) break;
      if (span.end <= done) continue;
      result += text.slice(done, span.start);
      if (span.start >= done) result += replacement;
      done = span.end;
    }
    if (done < end) result += text.slice(done, end);
    covered = Math.max(0, done - end);
    rest = text.slice(end);
    return Buffer.from(result, binary);
  };
  for await (const chunk of chunks) {
    rest += Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString(binary);
    if (rest.length <= 2 * held) continue;
    yield take(rest, rest.length - held);
  }
  yield take(rest, rest.length);
}
