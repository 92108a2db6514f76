import type { z } from "zod";
import { AppError } from "#lib/errors.ts";
import { jsonInTurns } from "#lib/json/write-json.ts";
import { isUnavailable, levelOf } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";

/** A stream's events, from a use case. */
export type Events = AsyncGenerator<unknown, void, undefined>;

interface Options {
  /** The schema of one event: `{id, event, data}`. */
  readonly schema: z.ZodType;
  /** Aborted when the reader leaves, so that the use case stops waiting. */
  readonly disconnected: AbortController;
  /** Whether the reader is still authorized; checked during the stream. */
  readonly isAdmitted: () => Promise<boolean>;
}

const heartbeatMs = 15_000;
const admittedMs = 60_000;
/** How long a browser waits before it reconnects. */
const reconnectMs = 1_000;

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  // A proxy that compresses or buffers the events would delay them.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};

/**
 * Sends events as they come, and comments during pauses; reads the next one only when the reader has consumed the
 * previous one. The first one is read before the answer starts: its error is thrown, and without any event the answer
 * is 204, after which browsers do not reconnect.
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
  #admittedAt = performance.now();

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
      return result.done ? null : await textOf(this.#options.schema.parse(result.value) as SentEvent);
    } catch (error) {
      // The status is already sent, so the stream just ends, and the reader reconnects.
      if (!(error instanceof AppError)) logLine(levelOf(error), "A stream was aborted", errorFields(error));
      return await this.#end();
    }
  }

  async leave(): Promise<void> {
    this.#options.disconnected.abort();
    await this.#events.return();
  }

  async #end(): Promise<null> {
    await this.leave();
    return null;
  }

  /** Checked periodically: a key may be revoked or a member removed during the stream. */
  async #isAdmitted(): Promise<boolean> {
    if (performance.now() - this.#admittedAt < admittedMs) return true;
    this.#admittedAt = performance.now();
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

/** JSON contains no raw line breaks. */
async function textOf({ id, event, data }: SentEvent): Promise<string> {
  return `id: ${id}\nevent: ${event}\ndata: ${await jsonInTurns(data)}\n\n`;
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The promise's value if it settles within `ms`, else undefined. */
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
