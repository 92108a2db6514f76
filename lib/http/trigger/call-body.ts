import { isMultipart, type PartOfForm, readMultipart } from "#lib/http/files/multipart.ts";
import type { ReceivedFile } from "#lib/http/files/receive-upload.ts";
import { HeldBody } from "#lib/http/held-bodies.ts";
import { requireUncoded } from "#lib/http/read-body.ts";
import { env } from "#lib/platform/env.ts";
import { ReceivedBytes } from "#lib/platform/outbound/received-bytes.ts";
import { yieldAfter } from "#lib/platform/turns.ts";
import { isParsed, triggerBody } from "./trigger-body.ts";
import type { IncomingCall } from "./trigger-call.ts";

/** A call's file as its flow gets it. */
export type SavedFile = { readonly file: string };
type SaveFile = (file: ReceivedFile) => Promise<SavedFile>;

/** A body as its flow gets it; a promise if it has to be parsed again. */
export type BodyValue = () => unknown;

const always =
  (value: unknown): BodyValue =>
  () =>
    value;

/**
 * The run keeps the value, and may let it go (`large-output.ts`). It is parsed again if another run has to be started,
 * because the flow had changed.
 */
function whileUsed(value: object, parse: () => unknown): BodyValue {
  const reference = new WeakRef(value);
  return () => reference.deref() ?? parse();
}

/** A body for its flow, and the size of the raw body. */
interface ReadBody {
  readonly value: BodyValue;
  readonly bytes: number;
}

/** Binary bodies of up to this many bytes are passed as base64, larger ones as files. */
export const inlineBodyBytes = 65_536;
/** Smaller bodies keep their value. */
export const smallBodyBytes = 16_384;
const filesMax = 20;
/** Heap bytes per byte of a form while it is parsed: its fields are collected as text, then copied to be decoded. */
const formWeight = 4;

/** The body of a call to a trigger URL. Read once, however often the flow is looked up. */
export class CallBody {
  readonly #request: IncomingCall;
  readonly #held: HeldBody;
  #bytes: Promise<Buffer> | undefined;
  #read: Promise<ReadBody> | undefined;
  /** The ids of its stored files. */
  readonly saved: string[] = [];

  constructor(request: IncomingCall) {
    this.#request = request;
    this.#held = new HeldBody(request.headers);
  }

  /** The whole body, to verify a signature. Throws PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE. */
  bytes(): Promise<Buffer> {
    this.#bytes ??= this.#request.bytes(env().maxBodyBytes, this.#held);
    return this.#bytes;
  }

  /**
   * As `$trigger.body`: the files of forms and large binary bodies are stored as they arrive, everything else is
   * parsed. Throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE.
   */
  read(save: SaveFile): Promise<ReadBody> {
    this.#read ??= this.#readWith(async (file) => {
      const saved = await save(file);
      this.saved.push(saved.file);
      return saved;
    });
    return this.#read;
  }

  async #readWith(save: SaveFile): Promise<ReadBody> {
    const contentType = this.#request.headers.get("content-type");
    if (isMultipart(contentType)) return await this.#readForm(contentType ?? "", save).finally(() => this.release());
    if (!isParsed(contentType)) return await this.#readBinary(contentType, save).finally(() => this.release());
    requireUncoded(this.#request.headers);
    const bytes = await this.bytes();
    // Before and after: concurrent bodies are parsed one after the other.
    const turn = yieldAfter(bytes.length);
    if (turn !== undefined) await turn;
    const parse = () => triggerBody(bytes, contentType);
    const value = await parse();
    if (turn !== undefined) await yieldAfter(bytes.length);
    this.release();
    const isKept = bytes.length <= smallBodyBytes || typeof value !== "object" || value === null;
    return { value: isKept ? always(value) : whileUsed(value, parse), bytes: bytes.length };
  }

  /** The call is answered, or its body parsed. */
  release(): void {
    this.#held.release();
  }

  /** Reuses bytes that were read for a signature. */
  #content(weight = 1): AsyncIterable<Uint8Array> {
    return this.#bytes === undefined ? this.#held.watch(this.#request.content(), weight) : replayBytes(this.#bytes);
  }

  async #readBinary(contentType: string | null, save: SaveFile): Promise<ReadBody> {
    const chunks = this.#content()[Symbol.asyncIterator]();
    const head = new ReceivedBytes();
    for (let next = await chunks.next(); ; next = await chunks.next()) {
      if (next.done) return { value: always(await triggerBody(head.whole(), contentType)), bytes: head.size };
      head.add(next.value);
      if (head.size > inlineBodyBytes) break;
    }
    const declaredBytes = Number(this.#request.headers.get("content-length") ?? Number.NaN);
    const value = await save({
      name: undefined,
      contentType: contentType ?? undefined,
      bytes: this.#passedOn(continued([head.whole()], chunks)),
      bytesExpected: Number.isSafeInteger(declaredBytes) ? declaredBytes : undefined,
    });
    return { value: always(value), bytes: inlineBodyBytes };
  }

  /** Made into a JSON body, because those share memory: few large ones are parsed at a time, and runs let theirs go. */
  async #readForm(contentType: string, save: SaveFile): Promise<ReadBody> {
    const json = Buffer.from(JSON.stringify(await this.#formValue(contentType, save)));
    const parse = () => triggerBody(json, null);
    const value = await parse();
    const isKept = json.length <= smallBodyBytes;
    return { value: isKept ? always(value) : whileUsed(value as object, parse), bytes: json.length };
  }

  async #formValue(contentType: string, save: SaveFile): Promise<object> {
    const limits = { filesMax, fieldBytesMax: env().maxBodyBytes };
    const entries = await readMultipart(this.#content(formWeight), contentType, limits, (part) =>
      keepPart({ ...part, bytes: this.#passedOn(part.bytes, formWeight) }, save),
    );
    const lists = new Map<string, unknown[]>();
    for (const [name, value] of entries) {
      if (value === null) continue;
      const list = lists.get(name);
      if (list === undefined) lists.set(name, [value]);
      else list.push(value);
    }
    // fromEntries defines properties, so that a name such as `__proto__` stays data.
    return Object.fromEntries([...lists].map(([name, list]) => [name, list.length === 1 ? list[0] : list]));
  }

  /** Bytes that are stored as they arrive. Those that were read for a signature stay in memory. */
  async *#passedOn(chunks: AsyncIterable<Uint8Array>, weight = 1): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      yield chunk;
      if (this.#bytes === undefined) this.#held.sub(chunk.length * weight);
    }
  }
}

/** Null for an empty file input, which browsers send nevertheless. */
async function keepPart({ name, contentType, bytes }: PartOfForm, save: SaveFile): Promise<SavedFile | null> {
  const chunks = bytes[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done && name === undefined) return null;
  const allChunks = continued(first.done ? [] : [first.value], chunks);
  return await save({ name, contentType, bytes: allChunks, bytesExpected: undefined });
}

async function* continued(head: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* head;
  yield* { [Symbol.asyncIterator]: () => rest };
}

async function* replayBytes(bytes: Promise<Buffer>): AsyncGenerator<Uint8Array> {
  yield await bytes;
}
