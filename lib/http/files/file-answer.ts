import { namesTag } from "#lib/http/entity-tag.ts";
import { plainJson } from "#lib/http/envelope.ts";

/** The parts of a stored file that its answer shows. */
interface ShownFile {
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  readonly sha256: string;
}

interface Range {
  readonly first: number;
  readonly last: number;
}

/** An answer whose bytes are opened when it is sent. */
export interface FileAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly bytes: AsyncIterable<Uint8Array> | null;
  /** Instead of bytes. */
  readonly text?: string | null;
}

/** The answer to a download: the whole file, the requested range, or 304. */
export async function fileAnswer(
  file: ShownFile,
  header: (name: string) => string | null,
  open: (range?: Range) => Promise<AsyncIterable<Uint8Array>>,
): Promise<FileAnswer> {
  const etag = `"${file.sha256}"`;
  const headers = headersOf(file, etag);
  if (namesTag(header("if-none-match"), etag)) return { status: 304, headers, bytes: null };
  const { size } = file;
  // With `If-Range`, a range is sent only of the same file.
  const mayBePart = header("if-range") === null || header("if-range") === etag;
  const range = mayBePart ? rangeIn(header("range"), size) : undefined;
  if (range === null) {
    const error = { code: "VALIDATION_ERROR", message: `The range is outside of the file, which has ${size} bytes` };
    const refusal = plainJson(416, { success: false, error }, { "content-range": `bytes */${size}` });
    return { status: refusal.status, headers: { ...refusal.headers }, bytes: null, text: refusal.body };
  }
  if (range === undefined) {
    return { status: 200, headers: { ...headers, "content-length": String(size) }, bytes: await open() };
  }
  const { first, last } = range;
  const part = { "content-length": String(last - first + 1), "content-range": `bytes ${first}-${last}/${size}` };
  return { status: 206, headers: { ...headers, ...part }, bytes: await open(range) };
}

/** Browsers must not run the content: files come from anyone. */
function headersOf({ name, contentType }: ShownFile, etag: string): Record<string, string> {
  return {
    "content-type": contentType,
    "content-disposition": dispositionOf(name),
    "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "private, no-cache",
    "accept-ranges": "bytes",
    etag,
  };
}

/** Both forms of the name: the plain one for old clients. */
export function dispositionOf(name: string): string {
  const base = name.slice(name.lastIndexOf("/") + 1) || "file";
  const plain = base.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(base.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** Undefined for the whole file, including for several or invalid ranges; null for a range outside of the file. */
function rangeIn(text: string | null, size: number): Range | null | undefined {
  const [, from = "", to = ""] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(text ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  if (from === "") {
    const last = Number(to);
    return last === 0 || size === 0 ? null : { first: Math.max(0, size - last), last: size - 1 };
  }
  if (to !== "" && Number(to) < Number(from)) return undefined;
  if (Number(from) >= size) return null;
  return { first: Number(from), last: to === "" ? size - 1 : Math.min(Number(to), size - 1) };
}
