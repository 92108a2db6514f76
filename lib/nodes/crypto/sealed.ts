// Encrypted values as JSON Web Encryption (RFC 7516), `dir` with `A256GCM`, which every language has libraries for.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { parseOwnJson } from "#lib/json/parse-json.ts";
import { NodeFailure } from "../define.ts";

const cipher = "aes-256-gcm";
const [ivBytes, tagBytes] = [12, 16];

/** Encrypts a text, or any other value as JSON, which the header then says. */
export function encrypt(key: Buffer, bytes: Buffer, isJson: boolean): string {
  const header = encoded(JSON.stringify({ alg: "dir", enc: "A256GCM", ...(isJson ? { cty: "json" } : {}) }));
  const iv = randomBytes(ivBytes);
  const sealing = createCipheriv(cipher, key, iv).setAAD(Buffer.from(header));
  const body = Buffer.concat([sealing.update(bytes), sealing.final()]);
  return [header, "", encoded(iv), encoded(body), encoded(sealing.getAuthTag())].join(".");
}

/** Decrypts a value. Throws NodeFailure DECRYPTION_FAILED, including for another key or a changed text. */
export async function decrypt(key: Buffer, text: unknown): Promise<unknown> {
  const [header = "", wrapped, iv = "", body = "", tag = "", ...more] = typeof text === "string" ? text.split(".") : [];
  const { alg, enc, cty } = readHeader(header);
  if (wrapped !== "" || more.length > 0 || alg !== "dir" || enc !== "A256GCM") {
    throw failed('it is not what the action "encrypt" makes');
  }
  const bytes = open(key, { header, iv: decoded(iv), body: decoded(body), tag: decoded(tag) }).toString();
  try {
    return cty === "json" ? await parseOwnJson(bytes) : bytes;
  } catch {
    throw failed("it holds no JSON, as it says it does");
  }
}

interface Parts {
  readonly header: string;
  readonly iv: Buffer;
  readonly body: Buffer;
  readonly tag: Buffer;
}

function open(key: Buffer, { header, iv, body, tag }: Parts): Buffer {
  if (iv.length !== ivBytes || tag.length !== tagBytes) throw failed("it is damaged");
  const opening = createDecipheriv(cipher, key, iv, { authTagLength: tagBytes });
  opening.setAAD(Buffer.from(header)).setAuthTag(tag);
  try {
    return Buffer.concat([opening.update(body), opening.final()]);
  } catch {
    throw failed("another key encrypted it, or it was changed");
  }
}

function readHeader(part: string): { alg?: unknown; enc?: unknown; cty?: unknown } {
  try {
    return JSON.parse(decoded(part).toString()) ?? {};
  } catch {
    return {};
  }
}

function encoded(part: string | Buffer): string {
  return Buffer.from(part).toString("base64url");
}

function decoded(part: string): Buffer {
  return Buffer.from(part, "base64url");
}

function failed(reason: string): NodeFailure {
  return new NodeFailure("DECRYPTION_FAILED", `The value cannot be decrypted: ${reason}`, { field: "value" });
}
