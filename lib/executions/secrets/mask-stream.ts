import type { MaskFinder } from "./mask-finder.ts";
import type { SecretForm } from "./mask-secret-forms.ts";

/** One character for each byte, so that bytes are searched like text, and bytes of any encoding stay as they are. */
const binary = "latin1";
/** Characters beside a form that belong to it: one of base64 on each side, and padding. */
const besideMax = 4;

/** A form as its UTF-8 bytes. Most are ASCII, and need no copy. */
export function inBytes(form: SecretForm): SecretForm {
  return Buffer.byteLength(form.text) === form.text.length
    ? form
    : { ...form, text: Buffer.from(form.text).toString(binary) };
}

/**
 * Masks secrets in the bytes of a text as they arrive, also those that span chunks. Holds back a few times the
 * length of the longest form, and two chunks. `finder` searches for forms as bytes;
 * `longest` is the length of the longest.
 */
export async function* maskedBytes(
  chunks: AsyncIterable<Uint8Array>,
  finder: MaskFinder,
  longest: number,
  mask: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const held = longest + besideMax;
  const replacement = Buffer.from(mask).toString(binary);
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
