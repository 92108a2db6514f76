import { levelOf } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { plainJson } from "./envelope.ts";

/** The text of a JSON value, generated on demand. */
export type JsonPieces = AsyncGenerator<string, void, undefined>;

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
export async function jsonStream(pieces: JsonPieces, { status, headers, before, after }: Form): Promise<Response> {
  const first = await pieces.next();
  const rest = inChunks(before + (first.value ?? ""), pieces, after);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await rest.next();
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          logLine(levelOf(error), "An answer was aborted", errorFields(error));
          controller.error(error);
        }
      },
      cancel: async () => {
        await rest.return();
        await pieces.return();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status, headers: plainJson(status, null, headers).headers });
}

async function* inChunks(first: string, pieces: JsonPieces, last: string): JsonPieces {
  let text = first;
  for await (const piece of pieces) {
    text += piece;
    if (text.length < chunkCharacters) continue;
    yield text;
    text = "";
  }
  yield text + last;
}
