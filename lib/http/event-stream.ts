import type { z } from "zod";
import { AppError } from "#lib/errors.ts";
import { isUnavailable, levelOf } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";

/** The events of a stream, as a use case gives them. */
export type Events = AsyncGenerator<unknown, void, undefined>;

interface Options {
  /** What one event is: `{id, event, data}`. */
  readonly schema: z.ZodType;
  /** Aborted when the reader is gone: what the use case waits for must not hold it. */
  readonly gone: AbortController;
  /** Whether the reader would still be let in; asked while the stream lasts. */
  readonly isAdmitted: () => Promise<boolean>;
}

const heartbeatMs = 15_000;
const admittedMs = 60_000;
/** What a browser waits before it connects again. */
const reconnectMs = 1_000;

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  // A proxy that compressed or gathered the events would hold them back.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};

/**
 * Sends events for as long as there are any, a comment when there are none for a while, and no event before the reader
 * has taken the one before it. The first one is asked for before the answer begins: what fails then is thrown, and when
 * there is none the answer is 204, at which a browser does not connect again.
 */
export async function eventStream(events: Events, options: Options): Promise<Response> {
  const first = await events.next();
  if (first.done) return new Response(null, { status: 204 });
  const sender = new Sender(events, first, options);
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(bytesOf(`retry: ${reconnectMs}\n\n`)),
      pull: async (controller) => {
        const text = await sender.next();
        if (text === null) controller.close();
        else controller.enqueue(bytesOf(text));
      },
      cancel: () => sender.leave(),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: 200, headers });
}

class Sender {
  readonly #events: Events;
  readonly #options: Options;
  #pending: Promise<IteratorResult<unknown, void>> | undefined;
  #admittedAt = Date.now();

  constructor(events: Events, first: IteratorResult<unknown, void>, options: Options) {
    this.#events = events;
    this.#pending = Promise.resolve(first);
    this.#options = options;
  }

  /** What to write next; null at the end. */
  async next(): Promise<string | null> {
    try {
      if (!(await this.#isAdmitted())) return await this.#end();
      this.#pending ??= this.#events.next();
      const result = await within(heartbeatMs, this.#pending);
      if (result === undefined) return ": still here\n\n";
      this.#pending = undefined;
      return result.done ? null : textOf(this.#options.schema.parse(result.value) as SentEvent);
    } catch (error) {
      // The status is sent: all that can be done is to end, and the reader asks again.
      if (!(error instanceof AppError)) logLine(levelOf(error), "A stream was broken off", errorFields(error));
      return await this.#end();
    }
  }

  async leave(): Promise<void> {
    this.#options.gone.abort();
    await this.#events.return();
  }

  async #end(): Promise<null> {
    await this.leave();
    return null;
  }

  /** Looked at again now and then: a key may be revoked and a member removed while the stream lasts. */
  async #isAdmitted(): Promise<boolean> {
    if (Date.now() - this.#admittedAt < admittedMs) return true;
    this.#admittedAt = Date.now();
    try {
      return await this.#options.isAdmitted();
    } catch (error) {
      return isUnavailable(error);
    }
  }
}

interface SentEvent {
  readonly id: number;
  readonly event: string;
  readonly data: unknown;
}

/** JSON has no line breaks of its own. */
function textOf({ id, event, data }: SentEvent): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The promise's value if it comes within `ms`, else undefined. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
