import { levelOf } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { plainJson } from "./envelope.ts";

/** The text of a JSON value, generated on demand. */
export type JsonChunks = AsyncGenerator<string, void, undefined>;

/** Small pieces are sent together. */
const chunkCharacters = 65_536;

interface Form {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Text around the value. */
  readonly before: string;
  readonly after: string;
}

/**
 * Streams a value, with backpressure. The first piece is read before the answer starts: its error is thrown. A later
 * error breaks the connection, so that a partial document cannot look complete.
 */
export async function jsonStream(chunks: JsonChunks, { status, headers, before, after }: Form): Promise<Response> {
  const first = await chunks.next();
  const rest = inChunks(before + (first.value ?? ""), chunks, after);
  const encoder = new TextEncoder();
  let hasLeft = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await rest.next();
          if (hasLeft) return;
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          logLine(levelOf(error), "An answer was aborted", errorFields(error));
          controller.error(error);
        }
      },
      cancel: async () => {
        hasLeft = true;
        await rest.return();
        await chunks.return();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status, headers: plainJson(status, null, headers).headers });
}

async function* inChunks(first: string, chunks: JsonChunks, last: string): JsonChunks {
  let text = first;
  for await (const chunk of chunks) {
    text += chunk;
    if (text.length < chunkCharacters) continue;
    yield text;
    text = "";
  }
  yield text + last;
}
