import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { OutboundError } from "./outbound-error.ts";
import { ReceivedBytes } from "./received-bytes.ts";

/** Nested codings. More would only serve a decompression bomb. */
const codingsMax = 3;

type Chunks = AsyncIterable<Buffer>;

export interface BodyRead {
  readonly body: Buffer;
  /** Whether a content coding was removed. */
  readonly decoded: boolean;
}

/**
 * Reads a body and decodes gzip, deflate or br. The cap counts decoded bytes as they arrive, so a small answer that
 * unpacks to gigabytes stops at the cap, and also bytes on the wire.
 */
export async function readBody(source: Readable, coding: string | undefined, bytesMax: number): Promise<BodyRead> {
  const decoders = decodersFor(coding);
  if (decoders === undefined) return { body: await collect(source, bytesMax), decoded: false };
  let chunks: Chunks = capped(source, bytesMax);
  for (const decode of decoders) chunks = decode(chunks);
  return { body: await collect(chunks, bytesMax), decoded: true };
}

/** The same as a stream. */
export function streamBody(source: Readable, coding: string | undefined, bytesMax: number) {
  const decoders = decodersFor(coding);
  let chunks: Chunks = capped(source, bytesMax);
  for (const decode of decoders ?? []) chunks = decode(chunks);
  return { chunks: decoders === undefined ? chunks : capped(chunks, bytesMax), decoded: decoders !== undefined };
}

/** Reads at most this many bytes; a longer body is cut off with its connection. */
export async function readBeginning(source: Readable, bytesMax: number, mayBreakOff = false): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // The cut-off source emits an error that can be ignored.
  source.on("error", () => {});
  try {
    for await (const chunk of source as Chunks) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= bytesMax) break;
    }
  } catch (error) {
    if (!mayBreakOff) throw error;
  }
  return Buffer.concat(chunks).subarray(0, bytesMax);
}

async function* capped(chunks: Chunks, bytesMax: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > bytesMax) throw tooLarge(bytesMax);
    yield chunk;
  }
}

async function collect(chunks: Chunks, bytesMax: number): Promise<Buffer> {
  const received = new ReceivedBytes();
  for await (const chunk of capped(chunks, bytesMax)) received.add(chunk);
  return received.whole();
}

export function tooLarge(bytesMax: number): OutboundError {
  const size = bytesMax >= 1024 * 1024 ? `${+(bytesMax / 1024 / 1024).toFixed(1)} MiB` : `${bytesMax} bytes`;
  return new OutboundError("RESPONSE_TOO_LARGE", `The answer is larger than ${size}`);
}

type Decoder = (chunks: Chunks) => Chunks;

/** The decoders in the order to apply; undefined for a plain body, and for an unknown coding. */
function decodersFor(coding: string | undefined): Decoder[] | undefined {
  const names = (coding ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length > codingsMax)
    throw new OutboundError("BAD_RESPONSE", "The answer is compressed too many times over");
  const decoders = names.reverse().map(decoderFor);
  return decoders.length > 0 && decoders.every((decoder) => decoder !== undefined) ? decoders : undefined;
}

/** Accepts a truncated body, as browsers do: many servers omit the trailer. */
const lenient = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };

function decoderFor(name: string): Decoder | undefined {
  if (name === "gzip" || name === "x-gzip") return (chunks) => decodedBy(chunks, createGunzip(lenient));
  if (name === "deflate") return inflateEither;
  if (name !== "br") return undefined;
  const flush = constants.BROTLI_OPERATION_FLUSH;
  return (chunks) => decodedBy(chunks, createBrotliDecompress({ flush, finishFlush: flush }));
}

async function* decodedBy(chunks: Chunks, decoder: Transform): AsyncGenerator<Buffer> {
  // A failure also surfaces where the decoder is read.
  pipeline(chunks, decoder).catch(() => {});
  yield* decoder;
}

/** By the standard, "deflate" is zlib, but many servers send raw deflate; the first byte shows which. */
async function* inflateEither(chunks: Chunks): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return;
  const whole = async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  const zlib = ((first.value[0] ?? 0) & 0x0f) === 0x08;
  yield* decodedBy(whole(), zlib ? createInflate(lenient) : createInflateRaw(lenient));
}
