import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { OutboundError } from "./outbound-error.ts";

/** Codings on top of one another; more of them only serve to multiply a bomb. */
const codingsMax = 3;

type Chunks = AsyncIterable<Buffer>;

export interface BodyRead {
  readonly body: Buffer;
  /** Whether a content coding was taken off. */
  readonly decoded: boolean;
}

/**
 * Reads a body with its gzip, deflate or br coding taken off. The cap counts decoded bytes as they come, so that a
 * small answer that unpacks to gigabytes is dropped at the cap; it counts the bytes on the wire as well.
 */
export async function readBody(source: Readable, coding: string | undefined, bytesMax: number): Promise<BodyRead> {
  const decoders = decodersFor(coding);
  if (decoders === undefined) return { body: await collect(source, bytesMax), decoded: false };
  let chunks: Chunks = capped(source, bytesMax);
  for (const decode of decoders) chunks = decode(chunks);
  return { body: await collect(chunks, bytesMax), decoded: true };
}

/** Reads no more than this many bytes, as they come; a longer body is cut off with its connection. */
export async function readBeginning(source: Readable, bytesMax: number): Promise<Buffer> {
  const kept: Buffer[] = [];
  let size = 0;
  // What is cut off complains, and nobody needs to hear it.
  source.on("error", () => {});
  for await (const chunk of source as Chunks) {
    kept.push(chunk);
    size += chunk.length;
    if (size >= bytesMax) break;
  }
  return Buffer.concat(kept).subarray(0, bytesMax);
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
  const kept: Buffer[] = [];
  for await (const chunk of capped(chunks, bytesMax)) kept.push(chunk);
  return Buffer.concat(kept);
}

export function tooLarge(bytesMax: number): OutboundError {
  const size = bytesMax >= 1024 * 1024 ? `${+(bytesMax / 1024 / 1024).toFixed(1)} MiB` : `${bytesMax} bytes`;
  return new OutboundError("RESPONSE_TOO_LARGE", `The answer is larger than ${size}`);
}

type Decoder = (chunks: Chunks) => Chunks;

/** The decoders in the order to apply; undefined for a plain body, and for a coding that is left as it is. */
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

/** A body that ends early is given as far as it came, as browsers do: many servers leave the trailer out. */
const lenient = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };

function decoderFor(name: string): Decoder | undefined {
  if (name === "gzip" || name === "x-gzip") return (chunks) => through(chunks, createGunzip(lenient));
  if (name === "deflate") return inflateEither;
  if (name !== "br") return undefined;
  const flush = constants.BROTLI_OPERATION_FLUSH;
  return (chunks) => through(chunks, createBrotliDecompress({ flush, finishFlush: flush }));
}

async function* through(chunks: Chunks, decoder: Transform): AsyncGenerator<Buffer> {
  // Its failure is the decoder's own, and is met where the decoder is read.
  pipeline(chunks, decoder).catch(() => {});
  yield* decoder;
}

/** "deflate" is zlib by the standard and bare deflate by half the servers; the first byte tells which. */
async function* inflateEither(chunks: Chunks): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return;
  const whole = async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  const zlib = ((first.value[0] ?? 0) & 0x0f) === 0x08;
  yield* through(whole(), zlib ? createInflate(lenient) : createInflateRaw(lenient));
}
