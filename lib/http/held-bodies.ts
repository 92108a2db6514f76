// The bodies of requests that are in memory. Thousands of connections may each send one slowly, none of them too large:
// together they may take a share of what the process has.
import { AppError } from "#lib/errors.ts";
import { env } from "#lib/platform/env.ts";
import { networkOf } from "#lib/platform/outbound/public-address.ts";
import { keptBytesMax } from "#lib/platform/processes/memory-of.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { callerAddress } from "./authenticate.ts";

const shareMax = 0.25;
const retryAfterSeconds = 1;

/** A client's network. */
interface Sender {
  bytes: number;
  /** Its bodies that are still arriving, the one that began first in front. */
  readonly arriving: Set<HeldBody>;
}

/**
 * Limits the bytes of all bodies together. Beyond the limit, the sender that takes most loses the body that has been
 * arriving for longest: who sends much, or slowly, is refused, and nobody else.
 */
export class HeldBodies {
  readonly #bytesMax: number;
  readonly #senders = new Map<string, Sender>();
  bytes = 0;

  constructor(bytesMax = Math.max(shareMax * keptBytesMax(), 2 * env().maxBodyBytes)) {
    this.#bytesMax = bytesMax;
  }

  add(body: HeldBody, bytes: number): void {
    const sender = this.#senders.get(body.sender) ?? { bytes: 0, arriving: new Set() };
    this.#senders.set(body.sender, sender);
    sender.arriving.add(body);
    sender.bytes += bytes;
    this.bytes += bytes;
    while (this.bytes > this.#bytesMax) {
      const longest = this.#longest();
      // Complete bodies, which are not refused, never exceed the limit alone.
      if (longest === undefined) return;
      longest.refuse();
    }
  }

  /** Counts bytes that were passed on: such a body starts over, because it holds little, however long it takes. */
  sub(body: HeldBody, bytes: number): void {
    const sender = this.#senders.get(body.sender);
    if (sender === undefined) return;
    sender.bytes -= bytes;
    this.bytes -= bytes;
    if (sender.arriving.delete(body)) sender.arriving.add(body);
  }

  /** What is complete is not refused any more. */
  complete(body: HeldBody): void {
    this.#senders.get(body.sender)?.arriving.delete(body);
  }

  remove(body: HeldBody, bytes: number): void {
    const sender = this.#senders.get(body.sender);
    if (sender === undefined) return;
    sender.arriving.delete(body);
    sender.bytes -= bytes;
    this.bytes -= bytes;
    if (sender.bytes === 0 && sender.arriving.size === 0) this.#senders.delete(body.sender);
  }

  #longest(): HeldBody | undefined {
    let most: Sender | undefined;
    for (const sender of this.#senders.values()) {
      if (sender.arriving.size > 0 && (most === undefined || sender.bytes > most.bytes)) most = sender;
    }
    const [longest] = most?.arriving ?? [];
    return longest;
  }
}

type Refuse = (error: AppError) => void;

/** One request's body, from its arrival until it is parsed. */
export class HeldBody {
  readonly #headers: Pick<Headers, "get">;
  #bytes = 0;
  /** Where it is counted; undefined before and after. */
  #all: HeldBodies | undefined;
  #sender: string | undefined;
  #refusal: AppError | undefined;
  #onRefusal: Refuse | undefined;

  constructor(headers: Pick<Headers, "get">) {
    this.#headers = headers;
  }

  get sender(): string {
    this.#sender ??= networkOf(callerAddress(this.#headers.get("x-forwarded-for")) ?? "");
    return this.#sender;
  }

  /** Counts bytes that have arrived. `refuse`: called, at once or later, if the rest is not to be read. */
  add(bytes: number, refuse: Refuse): void {
    this.#onRefusal = refuse;
    this.#bytes += bytes;
    this.#all ??= singleton("held-bodies", () => new HeldBodies());
    this.#all.add(this, bytes);
  }

  sub(bytes: number): void {
    if (this.#all === undefined) return;
    this.#bytes -= bytes;
    this.#all.sub(this, bytes);
  }

  complete(): void {
    this.#all?.complete(this);
  }

  /** It is parsed, or not needed. */
  release(): void {
    this.#all?.remove(this, this.#bytes);
    this.#all = undefined;
    this.#bytes = 0;
  }

  refuse(): void {
    const message = "Too much is being sent at once: try again shortly";
    this.#refusal = new AppError("SERVICE_UNAVAILABLE", message, { retryAfterSeconds });
    this.release();
    this.#onRefusal?.(this.#refusal);
  }

  /** Bytes as they arrive, each counted as `weight` bytes in memory. */
  async *watch(content: AsyncIterable<Uint8Array>, weight = 1): AsyncGenerator<Uint8Array, void, undefined> {
    const chunks = content[Symbol.asyncIterator]();
    try {
      for (let next = await this.#next(chunks); !next.done; next = await this.#next(chunks)) {
        this.add(next.value.length * weight, () => {});
        yield next.value;
      }
      this.complete();
    } finally {
      // Not awaited: more may never arrive.
      void chunks.return?.().catch(() => {});
    }
  }

  #next(chunks: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    return new Promise((resolve, reject) => {
      this.#onRefusal = reject;
      if (this.#refusal === undefined) chunks.next().then(resolve, reject);
      else reject(this.#refusal);
    });
  }
}

/** Counts the body of an API request until the work, which reads and parses it, has ended. */
export async function whileHeld<Made>(
  { headers }: Pick<Request, "headers">,
  work: (held: HeldBody) => Promise<Made>,
): Promise<Made> {
  const held = new HeldBody(headers);
  try {
    return await work(held);
  } finally {
    held.release();
  }
}
