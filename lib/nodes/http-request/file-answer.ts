import type { NodeContext } from "../define.ts";
import type { FileReference } from "../files/file-access.ts";
import { charsetOf, mayBeText } from "./answer-body.ts";
import type { OutboundAnswer, OutboundRequest } from "./outbound-request.ts";

const refusalBytesMax = 65_536;

/** An answer whose body was stored as a file; with an error status, it has the beginning of its body instead. */
export type FileOrAnswer = OutboundAnswer & { readonly file?: FileReference };

/**
 * Sends a request and stores its answer's body as it arrives. Servers repeat what they were sent: a text is stored without
 * the run's secrets; other bytes, in which a few characters may occur by chance, as they are.
 */
export async function requestFile(request: OutboundRequest, context: NodeContext): Promise<FileOrAnswer> {
  const { files } = context;
  const { status, headers, body } = await context.open(request);
  if (status >= 400) return { status, headers, body: await firstBytes(body) };
  const length = Number(headers["content-length"] ?? Number.NaN);
  const contentType = headers["content-type"];
  const name = nameOf(headers["content-disposition"], request.url);
  const file = await files.save({
    name: name && (await files.withoutSecrets(name)),
    contentType,
    bytes: mayBeText(contentType) ? files.textWithoutSecrets(body, charsetOf(contentType)) : body,
    bytesExpected: Number.isSafeInteger(length) ? length : undefined,
  });
  return { status, headers, body: Buffer.alloc(0), file };
}

async function firstBytes(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(part);
    size += part.length;
    if (size >= refusalBytesMax) break;
  }
  return Buffer.concat(parts).subarray(0, refusalBytesMax);
}

/** The file's name from the server, or the last segment of the URL. */
function nameOf(disposition: string | undefined, url: string): string | undefined {
  const [, encoded] = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition ?? "") ?? [];
  const [, quoted, plain] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition ?? "") ?? [];
  const last = new URL(url).pathname.split("/").at(-1);
  return decoded(encoded) ?? quoted?.replace(/\\(.)/g, "$1") ?? plain ?? (decoded(last) || undefined);
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return text;
  }
}
