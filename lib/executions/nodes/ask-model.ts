import { streamedTexts } from "#lib/executions/live/streamed-texts.ts";
import type { Run } from "#lib/executions/run.ts";
import { jsonBytesInTurns } from "#lib/json/json-bytes.ts";
import { JsonCost, tooCostly } from "#lib/json/json-cost.ts";
import { askModel, type LoadedFile } from "#lib/models/ask-model.ts";
import { type ModelServer, modelServerOf } from "#lib/models/model-server.ts";
import type { ModelAnswer, ModelRequest } from "#lib/nodes/ai/model-request.ts";
import { type NodeContext, type NodeCredential, NodeFailure } from "#lib/nodes/define.ts";
import type { FileReference } from "#lib/nodes/files/file-access.ts";
import { statusFailure } from "#lib/nodes/http-request/answer-body.ts";
import { hostFailure, mayBeSentTo } from "#lib/nodes/http-request/apply-credential.ts";
import type { OutboundAnswer, OutboundRequest } from "#lib/nodes/http-request/outbound-request.ts";
import { passingCodes, sendWithRetries } from "#lib/nodes/http-request/send-with-retries.ts";
import { delayBeforeRetry } from "#lib/nodes/retries/retry-policy.ts";
import { hidden } from "./node-output.ts";
import { type StreamedAnswer, streamAnswer } from "./stream-answer.ts";

/** Bytes of a request without its files. */
const requestBytesMax = 5 * 1_048_576;
/** Bytes of all files of a request: they are sent as one JSON text. */
const filesBytesMax = 8 * 1_048_576;

/**
 * Asks a node's model. It is sent no secrets: any in a prompt or a tool's result is replaced with `•••`. Throws
 * NodeFailure: CREDENTIAL_TYPE, CREDENTIAL_HOST, MODEL_SIGN_IN, MODEL_RATE_LIMIT, MODEL_STATUS, MODEL_ANSWER,
 * MODEL_FILES, MODEL_TOO_LARGE, and the codes of OutboundError.
 */
export async function askNodesModel(
  run: Run,
  stepId: string,
  { credential, timeoutMs, retry, ...request }: ModelRequest,
  context: NodeContext,
): Promise<ModelAnswer> {
  const server = serverOf(credential);
  await requireSize(request);
  const masked = await hidden(run, request);
  const files = await loadFiles(
    run,
    masked.messages.flatMap((message) => (message.role === "user" ? (message.files ?? []) : [])),
    context,
  );
  const name = `Asking ${new URL(server.baseUrl).host}`;
  /** A transport to the server: `ask` sends one request and returns its answer. */
  const over =
    (ask: (request: OutboundRequest) => Promise<StreamedAnswer>, policy = retry): typeof fetch =>
    async (input, init) => {
      const request = {
        method: init?.method ?? "GET",
        url: String(input),
        headers: headersOf(server, init),
        ...(typeof init?.body === "string" ? { body: init.body } : {}),
        timeoutMs,
        followRedirects: false,
        signal: context.signal,
      };
      const answer = await sendWithRetries(request, name, policy, context, ask);
      if (answer.status >= 300) throw refusal(name, answer, Object.values(credential.data));
      if (!new JsonCost().allows(answer.body))
        throw new NodeFailure("RESPONSE_TOO_LARGE", `${name} failed: ${tooCostly}`);
      // Drops the status: some, such as 204, allow no body, and all that come here mean success.
      return new Response(answer.stream ?? new Uint8Array(answer.body), { headers: answer.headers });
    };
  const question = { ...masked, files, signal: context.signal };
  try {
    if (!streamedTexts().hasListeners(run.id)) return await askModel(server, question, over(context.request));
    const streamed = await streamAnswer({ run, stepId, server, question, over, context });
    if (!("broken" in streamed)) return streamed;
    const { code, message } = streamed.broken;
    if (retry.maxRetries === 0 || !passingCodes.has(code)) throw new NodeFailure(code, `${name} failed: ${message}`);
    context.log("warning", `${name} failed: ${message}. It is asked again`, { code });
    await context.sleep(delayBeforeRetry(retry, 1, context.random(), undefined));
    context.retried();
    const left = { ...retry, maxRetries: retry.maxRetries - 1 };
    return await askModel(server, question, over(context.request, left));
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "UnreadableAnswer") throw error;
    throw new NodeFailure("MODEL_ANSWER", `${name} gave an answer that can't be read: ${error.message}`, {
      cause: error,
    });
  }
}

/** Conversations grow with every step of an agent. */
async function requireSize(request: unknown): Promise<void> {
  const bytes = await jsonBytesInTurns(request, requestBytesMax);
  if (bytes <= requestBytesMax) return;
  throw new NodeFailure("MODEL_TOO_LARGE", `The input for the model has more than ${requestBytesMax} bytes`);
}

function serverOf({ name, type, data, allowedHosts }: NodeCredential): ModelServer {
  const server = modelServerOf(type, data);
  if (server === null) {
    const message = `The credential "${name}" cannot be used here: it is of type ${type}, not openai, anthropic or google-ai`;
    throw new NodeFailure("CREDENTIAL_TYPE", message, { field: "credential" });
  }
  const { hostname } = new URL(server.baseUrl);
  if (!mayBeSentTo(allowedHosts, hostname)) {
    throw new NodeFailure("CREDENTIAL_HOST", hostFailure(name, allowedHosts, hostname), { field: "credential" });
  }
  return server;
}

/** Without an empty key, and without headers that identify the library. */
function headersOf({ key }: ModelServer, init: RequestInit | undefined): Record<string, string> {
  const headers = Object.fromEntries(new Headers(init?.headers));
  delete headers["user-agent"];
  if (key === undefined) delete headers.authorization;
  return headers;
}

const codeOfStatus: Readonly<Record<number, string>> = {
  401: "MODEL_SIGN_IN",
  403: "MODEL_SIGN_IN",
  429: "MODEL_RATE_LIMIT",
};

function refusal(name: string, answer: OutboundAnswer, secrets: readonly string[]): NodeFailure {
  const { message } = statusFailure(name, answer, secrets);
  return new NodeFailure(codeOfStatus[answer.status] ?? "MODEL_STATUS", message);
}

async function loadFiles(
  run: Run,
  references: readonly FileReference[],
  { files }: NodeContext,
): Promise<ReadonlyMap<string, LoadedFile>> {
  const loaded = new Map<string, LoadedFile>();
  let bytesLeft = filesBytesMax;
  for (const reference of references) {
    if (loaded.has(reference.file)) continue;
    const file = await files.find(reference);
    bytesLeft -= file.size;
    if (bytesLeft < 0) {
      throw new NodeFailure("MODEL_FILES", `The files have more than ${filesBytesMax} bytes together`, {
        field: "files",
      });
    }
    loaded.set(reference.file, await loadFile(run, file, files));
  }
  return loaded;
}

async function loadFile(run: Run, file: FileReference, files: NodeContext["files"]): Promise<LoadedFile> {
  const mediaType = file.contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  const { name } = file;
  const isText = /^text\/|^application\/(?:.*\+)?(?:json|xml|yaml)$/.test(mediaType);
  if (!isText && !/^image\/(?:png|jpeg|gif|webp)$|^application\/pdf$/.test(mediaType)) {
    const message = `The file "${name}" is of type ${mediaType}: models take images, PDF and text`;
    throw new NodeFailure("MODEL_FILES", message, { field: "files" });
  }
  const parts: Uint8Array[] = [];
  for await (const part of files.open(file)) parts.push(part);
  const bytes = Buffer.concat(parts);
  return isText
    ? { name, mediaType, text: await hidden(run, bytes.toString("utf8")) }
    : { name, mediaType, base64: bytes.toString("base64") };
}
