import type { IncomingMessage } from "node:http";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { AppError } from "#lib/errors.ts";
import { isSmallJson, parseJsonToKeep, parseJsonWithRoom, parseSmallJson, TooDeep } from "#lib/json/parse-json.ts";
import { NoMemory, parseRoom } from "#lib/json/parse-room.ts";
import { ReceivedBytes } from "#lib/platform/outbound/received-bytes.ts";
import { yieldAfter } from "#lib/platform/turns.ts";
import { type HeldBody, whileHeld } from "./held-bodies.ts";

/** Levels of nesting that a JSON body may have, including its root, unless its operation takes more. */
const jsonDepthMax = 64;

export function invalidBody(message: string): AppError {
  return new AppError("VALIDATION_ERROR", "The request body is not valid", { details: { body: message } });
}

function bodyTooLarge(bytesMax: number): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", `The request body is over the limit of ${bytesMax} bytes`);
}

/** The parts of a `Request` that concern its body. */
type Incoming = { readonly headers: Pick<Headers, "get">; readonly body: AsyncIterable<Uint8Array> | null };

/**
 * The raw bytes, counted as they arrive, so that nothing beyond the limit is buffered. Throws PAYLOAD_TOO_LARGE,
 * SERVICE_UNAVAILABLE.
 */
export async function readBytes(request: Incoming, bytesMax: number, held: HeldBody): Promise<Buffer> {
  if (Number(request.headers.get("content-length") ?? 0) > bytesMax) throw bodyTooLarge(bytesMax);
  if (request.body === null) return Buffer.alloc(0);
  const received = new ReceivedBytes();
  for await (const chunk of held.watch(request.body)) {
    if (received.size + chunk.byteLength > bytesMax) throw bodyTooLarge(bytesMax);
    received.add(chunk);
  }
  return received.whole();
}

/** A request's body. Does not read ahead. If the request is abandoned, keeps the connection for the answer. */
export async function* bytesOf(request: IncomingMessage): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw new AppError("VALIDATION_ERROR", "The request was cut off", { cause });
  }
}

/** The body of an API request as a JSON object; an empty one counts as `{}`. */
export function readJsonObject(request: Request, bytesMax: number, levelsMax = jsonDepthMax): Promise<JsonObject> {
  return whileHeld(request, async (held) => jsonObject(request, await readBytes(request, bytesMax, held), levelsMax));
}

async function jsonObject(request: Request, bytes: Buffer, levelsMax: number): Promise<JsonObject> {
  if (bytes.length === 0) return {};
  requireUncoded(request.headers);
  const [type = "", ...parameters] = (request.headers.get("content-type") || "application/json")
    .toLowerCase()
    .split(";");
  const charset = parameters.find((parameter) => parameter.trim().startsWith("charset="));
  if (!/^application\/([\w.-]+\+)?json$/.test(type.trim())) throw invalidBody("Content-Type must be application/json");
  if (charset !== undefined && !/utf-?8/.test(charset)) throw invalidBody("JSON must be encoded as UTF-8");
  // Before and after: concurrent bodies are parsed one after the other.
  await yieldAfter(bytes.length);
  const value = await parseJson(decodeUtf8(bytes), { levelsMax });
  await yieldAfter(bytes.length);
  if (!isJsonObject(value)) throw invalidBody("must be a JSON object");
  return value;
}

const compressions = /\b(?:gzip|deflate|compress|br|zstd)\b/i;

/**
 * Throws VALIDATION_ERROR for a compressed body, which would otherwise be reported as invalid JSON or UTF-8. Accepts
 * codings that change nothing: clients send `identity` or, by mistake, the charset.
 */
export function requireUncoded(headers: Pick<Headers, "get">): void {
  if (!compressions.test(headers.get("content-encoding") ?? "")) return;
  throw invalidBody("must not be compressed: Content-Encoding is not supported");
}

/** The body of an API request as text, in the charset of its type. */
export function readText(request: Request, bytesMax: number): Promise<string> {
  return whileHeld(request, async (held) => {
    const bytes = await readBytes(request, bytesMax, held);
    requireUncoded(request.headers);
    await yieldAfter(bytes.length);
    return decodeText(bytes, request.headers.get("content-type") ?? "");
  });
}

/** Text in the charset of its type; UTF-8 by default. Throws VALIDATION_ERROR. */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const charset = /;\s*charset="?([^\s";]+)/i.exec(contentType)?.[1] ?? "UTF-8";
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidBody(`must be encoded as ${charset}`);
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidBody("must be encoded as UTF-8");
  }
}

interface ParseOptions {
  /** Whether it will be stored whole. */
  readonly isKept?: boolean;
  readonly levelsMax?: number;
}

/**
 * The value, or a promise of it if the text is long or memory is short. Throws VALIDATION_ERROR for invalid or too
 * deeply nested JSON, SERVICE_UNAVAILABLE if there is no memory for it.
 */
export function parseJson(text: string, { isKept = false, levelsMax = jsonDepthMax }: ParseOptions = {}): unknown {
  const refuse = (error: unknown) => refuseJson(error, levelsMax);
  const isSmall = isSmallJson(text);
  if (!isSmall && isKept) return parseJsonToKeep(text, levelsMax).catch(refuse);
  if (!isSmall || parseRoom().isFull) return parseJsonWithRoom(text, levelsMax).catch(refuse);
  try {
    return parseSmallJson(text, levelsMax);
  } catch (error) {
    return refuse(error);
  }
}

function refuseJson(error: unknown, levelsMax: number): never {
  if (error instanceof NoMemory) {
    throw new AppError("SERVICE_UNAVAILABLE", `The body was received, but ${error.message}`, { retryAfterSeconds: 5 });
  }
  if (error instanceof TooDeep) throw invalidBody(`must not be nested deeper than ${levelsMax} levels`);
  throw invalidBody("must be valid JSON");
}

/**
 * The bytes that Node's own server receives, counted as they arrive. Uses events instead of the stream's iterator,
 * because most bodies are a single chunk that has already arrived. Stops reading at the limit, and keeps the connection
 * open for the answer. Throws PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE.
 */
export function receiveBody(request: IncomingMessage, bytesMax: number, held: HeldBody): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const length = Number(request.headers["content-length"] ?? Number.NaN);
    if (length > bytesMax) {
      reject(bodyTooLarge(bytesMax));
      return;
    }
    const received = new ReceivedBytes();
    const take = (chunk: Buffer) => {
      if (received.size + chunk.length > bytesMax) {
        stop(bodyTooLarge(bytesMax));
        return;
      }
      received.add(chunk);
      if (received.size !== length) held.add(chunk.length, stop);
    };
    const finish = () => {
      held.complete();
      resolve(received.whole());
    };
    const stop = (error: AppError) => {
      request.off("data", take).off("end", finish).pause();
      reject(error);
    };
    request.on("data", take).on("end", finish).on("error", reject);
  });
}
