import { ReadableStream as WebStream } from "node:stream/web";
import { streamedTexts } from "#lib/executions/live/streamed-texts.ts";
import type { Run } from "#lib/executions/run.ts";
import { JsonCost, tooCostly } from "#lib/json/json-cost.ts";
import { askModel, type LoadedRequest } from "#lib/models/ask-model.ts";
import type { ModelServer } from "#lib/models/model-server.ts";
import type { ModelAnswer } from "#lib/nodes/ai/model-request.ts";
import { type NodeContext, NodeFailure } from "#lib/nodes/define.ts";
import type { OutboundAnswer, OutboundRequest } from "#lib/nodes/http-request/outbound-request.ts";

const answerBytesMax = 5 * 1_048_576;
/** Characters of an answer that are masked and shown while it streams; the rest is only recorded. */
const streamedMax = 40_000;

/** An answer that may be streamed; its `body` is then empty. */
export type StreamedAnswer = OutboundAnswer & { readonly stream?: ReadableStream<Uint8Array> };

interface ModelQuestion {
  readonly run: Run;
  readonly stepId: string;
  readonly server: ModelServer;
  readonly question: LoadedRequest;
  readonly over: (ask: (request: OutboundRequest) => Promise<StreamedAnswer>) => typeof fetch;
  readonly context: NodeContext;
}

/** Why an answer was not read to its end. */
interface StreamFault {
  readonly broken: { readonly code: string; readonly message: string };
}

/** The answer of a server that does not support streaming. */
class UnstreamedAnswer extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super("The answer is no stream");
    this.response = response;
  }
}

/** Asks a model and streams its text to clients that watch the run. Throws what `askModel` throws. */
export async function streamAnswer({
  run,
  stepId,
  server,
  question,
  over,
  context,
}: ModelQuestion): Promise<ModelAnswer | StreamFault> {
  let streamed = "";
  const masked = () => run.mask.text(streamed.slice(0, streamedMax));
  const append = (text: string) => {
    streamed = text;
    streamedTexts().set(run.id, stepId, masked);
  };
  let broken: StreamFault["broken"] | undefined;
  const onBreak = (code: string, message: string) => {
    broken = { code, message };
  };
  try {
    return await askModel(
      server,
      { ...question, onText: append },
      over((request) => openAnswer(request, context, onBreak)),
    );
  } catch (error) {
    if (error instanceof UnstreamedAnswer) return await askModel(server, question, async () => error.response);
    if (broken !== undefined) return { broken };
    throw error;
  } finally {
    streamedTexts().set(run.id, stepId, null);
  }
}

/** Reads a stream as it arrives, any other answer at once. */
async function openAnswer(
  request: OutboundRequest,
  context: NodeContext,
  onBreak: (code: string, message: string) => void,
): Promise<StreamedAnswer> {
  const { status, headers, body } = await context.open(request);
  if (status < 300 && /^text\/event-stream\b/i.test(headers["content-type"] ?? "")) {
    return {
      status,
      headers,
      body: Buffer.alloc(0),
      stream: streamOf(bounded(body, new JsonCost(headers["content-type"]), onBreak)),
    };
  }
  const parts: Uint8Array[] = [];
  for await (const part of bounded(body, new JsonCost())) parts.push(part);
  const bytes = Buffer.concat(parts);
  if (status < 300) throw new UnstreamedAnswer(new Response(new Uint8Array(bytes), { headers }));
  return { status, headers, body: bytes };
}

/** Node's stream as the platform's type. */
const streamOf = (parts: AsyncIterable<Uint8Array>) => WebStream.from(parts) as unknown as ReadableStream<Uint8Array>;

async function* bounded(
  body: AsyncIterable<Uint8Array>,
  cost: JsonCost,
  onBreak?: (code: string, message: string) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = answerBytesMax;
  try {
    for await (const part of body) {
      left -= part.length;
      if (left < 0) throw new NodeFailure("RESPONSE_TOO_LARGE", `The answer has more than ${answerBytesMax} bytes`);
      if (!cost.allows(part)) throw new NodeFailure("RESPONSE_TOO_LARGE", tooCostly);
      yield part;
    }
  } catch (error) {
    const { code, message } = error as Error & { code: string };
    onBreak?.(code, message);
    throw error;
  }
}
