import { invalidBody } from "#lib/http/read-body.ts";
import { isMultipart, readMultipart } from "./multipart.ts";

/** An uploaded file. */
export interface ReceivedFile {
  readonly name: string | undefined;
  readonly contentType: string | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly bytesExpected: number | undefined;
}

interface Upload {
  readonly header: (name: string) => string | null;
  readonly content: AsyncIterable<Uint8Array>;
  /** The name from the query. */
  readonly name: string | undefined;
}

const fieldBytesMax = 65_536;

/** Receives the single file of a request: its body, or the file of its form. Throws VALIDATION_ERROR. */
export async function receiveUpload<Saved>(
  { header, content, name }: Upload,
  save: (file: ReceivedFile) => Promise<Saved>,
): Promise<Saved> {
  const contentType = header("content-type");
  if (!isMultipart(contentType)) {
    const givenName = name ?? nameIn(header("content-disposition"));
    const bytesExpected = lengthIn(header("content-length"));
    return await save({ name: givenName, contentType: contentType ?? undefined, bytes: content, bytesExpected });
  }
  const limits = { filesMax: 1, fieldBytesMax };
  const entries = await readMultipart(content, contentType ?? "", limits, async (part) => ({
    saved: await save({
      name: name ?? part.name,
      contentType: part.contentType,
      bytes: part.bytes,
      bytesExpected: undefined,
    }),
  }));
  const file = entries.map(([, value]) => value).find((value) => typeof value !== "string");
  if (file === undefined) throw invalidBody("must have a file");
  return file.saved;
}

function lengthIn(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The file name of a Content-Disposition (RFC 6266). */
export function nameIn(disposition: string | null): string | undefined {
  if (disposition === null) return undefined;
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded);
  } catch {
    // Falls back to the plain name.
  }
  const [, quoted, plain] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  return quoted?.replace(/\\(.)/g, "$1") ?? plain;
}
