import { jsonInTurns } from "#lib/json/write-json.ts";
import { NodeFailure } from "../define.ts";

/** How bytes are written as text. */
export const encodings = ["hex", "base64", "base64url"] as const;
export type Encoding = (typeof encodings)[number];

/** How text encodes bytes. */
export const inputEncodings = ["utf8", ...encodings] as const;
type InputEncoding = (typeof inputEncodings)[number];

/** The bytes of a text, or of any other value as JSON. Throws NodeFailure. */
export async function bytesOf(value: unknown, encoding: InputEncoding): Promise<Buffer> {
  if (typeof value !== "string") return Buffer.from(await jsonInTurns(value ?? null));
  if (encoding !== "utf8") return decoded(value, encoding, "value");
  // Each would become the same replacement character, and different texts would have the same hash.
  if (!value.isWellFormed()) throw refused("value", "has half a character: an unpaired surrogate");
  return Buffer.from(value);
}

const alphabets = { hex: /^(?:[0-9a-f]{2})*$/i, base64: /^[\w+/=-]*$/, base64url: /^[\w+/=-]*$/ } as const;

/** The bytes that a text encodes. Throws NodeFailure. */
export function decoded(text: string, encoding: Encoding, field: string): Buffer {
  if (!alphabets[encoding].test(text)) throw refused(field, `is not ${encoding}`);
  return Buffer.from(text, encoding);
}

/** The failure for an invalid field. */
export function refused(field: string, message: string): NodeFailure {
  return new NodeFailure("CRYPTO_INPUT", `${field}: ${message}`, { field });
}
