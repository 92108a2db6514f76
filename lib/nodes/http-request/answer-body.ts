import { parseJsonToKeep, TooDeep } from "#lib/json/parse-json.ts";
import { NoMemory } from "#lib/json/parse-room.ts";
import { levelsMax, NodeFailure, tooDeep } from "#lib/nodes/define.ts";
import type { NodeContext } from "../define.ts";
import type { FileReference } from "../files/file-access.ts";
import type { OutboundAnswer, OutboundRequest } from "./outbound-request.ts";

/** Types besides `text/*` whose bodies are text. */
const textTypes = new Set([
  "application/javascript",
  "application/ecmascript",
  "application/xml",
  "application/yaml",
  "application/x-yaml",
  "application/toml",
  "application/graphql",
  "application/sql",
  "application/x-www-form-urlencoded",
  "application/x-ndjson",
  "application/ndjson",
  "application/jsonl",
  "application/json-seq",
]);

/**
 * An answer's body as a JSON value: null if empty, parsed if it is JSON, a string if it is text, base64 for anything
 * else. Without a content type, it is text if possible. Invalid JSON stays text. Throws NodeFailure for JSON nested
 * deeper than an output may be, without reading on.
 */
export async function answerBody(contentType: string | undefined, body: Buffer): Promise<unknown> {
  if (body.length === 0) return null;
  const { type, charset } = parseContentType(contentType);
  if (type === "application/json" || type === "text/json" || type.endsWith("+json")) {
    const text = decode(body, charset);
    return await parsed(text);
  }
  if (isText(type)) return decode(body, charset);
  return type === "" ? (strictUtf8(body) ?? body.toString("base64")) : body.toString("base64");
}

/** A body as text for quoting, whatever its declared type. */
function quotableText(contentType: string | undefined, body: Buffer): string {
  return mayBeText(contentType) ? decode(body, parseContentType(contentType).charset) : "";
}

/** Whether a body of this type may be text: without a type, it may. */
function mayBeText(contentType: string | undefined): boolean {
  const { type } = parseContentType(contentType);
  return type === "" || type.includes("json") || isText(type);
}

/** The charset that a content type declares; UTF-8 by default. */
function charsetOf(contentType: string | undefined): string {
  return parseContentType(contentType).charset;
}

function isText(type: string): boolean {
  return type.startsWith("text/") || type.endsWith("+xml") || type.endsWith("+yaml") || textTypes.has(type);
}

function parseContentType(text = ""): { type: string; charset: string } {
  const [type = "", ...parameters] = text.split(";");
  const charset = parameters.map((part) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/i.exec(part)?.[1]).find(Boolean);
  return { type: type.trim().toLowerCase(), charset: charset ?? "utf-8" };
}

function decode(body: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    // Falls back to UTF-8 for an unknown charset.
    return new TextDecoder().decode(body);
  }
}

function strictUtf8(body: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

async function parsed(text: string): Promise<unknown> {
  try {
    return await parseJsonToKeep(text, levelsMax);
  } catch (error) {
    if (error instanceof TooDeep) throw tooDeep("output");
    if (error instanceof NoMemory) throw new NodeFailure("NO_MEMORY", `The answer was received, but ${error.message}`);
    return text;
  }
}

const excerptCharactersMax = 300;

/** The failure for an error status: the request, the status, and the beginning of the body. */
export function statusFailure(request: string, answer: OutboundAnswer, secrets: readonly string[]): NodeFailure {
  const excerpt = excerptOf(quotableText(answer.headers["content-type"], answer.body), secrets);
  return new NodeFailure("HTTP_STATUS", `${request} answered ${answer.status}${excerpt === "" ? "" : `: ${excerpt}`}`);
}

/**
 * The beginning of a text on one line. Servers repeat what they were sent, and masking would miss half a secret, so the
 * credential's values are removed first, and the text is cut between words.
 */
function excerptOf(text: string, secrets: readonly string[]): string {
  let line = text.slice(0, 64 * 1024);
  for (const secret of secrets) if (secret.length >= 4) line = line.replaceAll(secret, "•••");
  line = line.replace(/\s+/g, " ").trim();
  if (line.length <= excerptCharactersMax) return line;
  const cut = line.slice(0, excerptCharactersMax + 1).search(/[\s"'<>{}[\](),;&][^\s"'<>{}[\](),;&]*$/);
  return `${line.slice(0, Math.max(0, cut))}…`;
}

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
