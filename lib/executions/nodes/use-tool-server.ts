import type { JsonObject } from "#lib/engine/json.ts";
import type { Run } from "#lib/executions/run.ts";
import { JsonCost, tooCostly } from "#lib/json/json-cost.ts";
import { callTool, listTools, type ReachedServer } from "#lib/models/tool-server.ts";
import type { ModelTool } from "#lib/nodes/ai/model-request.ts";
import { outputOfCall, type ToolServer } from "#lib/nodes/ai/tools/tool-server.ts";
import { type NodeContext, NodeFailure } from "#lib/nodes/define.ts";
import { applyCredential } from "#lib/nodes/http-request/apply-credential.ts";
import { hidden, requireShallow } from "./node-output.ts";

/** Bytes of all answers to a call, or of all pages of a list: they are in memory together. */
const answerBytesMax = 5 * 1_048_576;

/** The tools of an MCP server. Throws NodeFailure: MCP_FAILED, CREDENTIAL_TYPE, CREDENTIAL_HOST, and the codes of OutboundError. */
export async function listServersTools(
  server: ToolServer,
  limit: number,
  context: NodeContext,
): Promise<readonly ModelTool[]> {
  const offered = await orFailure(server, () => listTools(connectionOf(server, context), limit));
  return offered.map(({ name, description, input }) => ({ name, description, input: input as JsonObject }));
}

/**
 * Calls a tool of an MCP server. Throws NodeFailure as above, with TOOL_FAILED, and for an answer nested too deeply.
 */
export async function callServersTool(
  run: Run,
  server: ToolServer,
  name: string,
  input: JsonObject,
  context: NodeContext,
): Promise<unknown> {
  const given = await hidden(run, input);
  const output = outputOfCall(await orFailure(server, () => callTool(connectionOf(server, context), name, given)));
  await requireShallow("output", output);
  return output;
}

function connectionOf({ url: text, credential, timeoutMs }: ToolServer, context: NodeContext): ReachedServer {
  if (!URL.canParse(text)) throw new NodeFailure("BAD_URL", "The MCP server's URL is not valid", { field: "tools" });
  const url = new URL(text);
  let shown = credential;
  // From here on, the URL has what the credential adds to it.
  let secret = credential === undefined ? {} : applyCredential(credential, url).headers;
  const spent = { bytes: 0 };
  const open = async (input: unknown, init: RequestInit | undefined) =>
    await context.open({
      method: init?.method ?? "POST",
      url: String(input),
      headers: { ...Object.fromEntries(new Headers(init?.headers)), ...secret },
      ...(typeof init?.body === "string" ? { body: init.body } : {}),
      ...{ timeoutMs, followRedirects: false, secretHeaders: Object.keys(secret) },
      signal: init?.signal ? AbortSignal.any([context.signal, init.signal]) : context.signal,
    });
  const send: typeof fetch = async (input, init) => {
    let answer = await open(input, init);
    if (answer.status === 401 && shown?.type === "oauth2") {
      const refused = shown.data.accessToken;
      shown = await context.credential(shown.name, refused);
      if (shown.data.accessToken !== refused) {
        await answer.body[Symbol.asyncIterator]().return?.();
        secret = applyCredential(shown, new URL(url)).headers;
        answer = await open(input, init);
      }
    }
    const { status, headers, body } = answer;
    const hasBody = status !== 204 && status !== 205 && status !== 304;
    return new Response(hasBody ? streamOf(bounded(body, spent, headers["content-type"])) : null, { status, headers });
  };
  return { url, send, timeoutMs, signal: context.signal };
}

/** Leaving it unread closes the connection. */
function streamOf(parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    cancel: async () => void (await parts.return(undefined)),
  });
}

async function* bounded(
  body: AsyncIterable<Uint8Array>,
  spent: { bytes: number },
  contentType: string | undefined,
): AsyncGenerator<Uint8Array> {
  const cost = new JsonCost(contentType);
  for await (const part of body) {
    spent.bytes += part.length;
    if (spent.bytes > answerBytesMax)
      throw new NodeFailure("RESPONSE_TOO_LARGE", `It has more than ${answerBytesMax} bytes`);
    if (!cost.allows(part)) throw new NodeFailure("RESPONSE_TOO_LARGE", tooCostly);
    yield part;
  }
}

const messageCharactersMax = 300;

async function orFailure<Result>({ url }: ToolServer, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof NodeFailure) throw error;
    const host = URL.canParse(url) ? new URL(url).host : url;
    // Compares names: other bundles have copies of the class.
    const code = error.name === "OutboundError" && "code" in error ? String(error.code) : "MCP_FAILED";
    const message = `The MCP server ${host} failed: ${error.message.slice(0, messageCharactersMax)}`;
    throw new NodeFailure(code, message, { cause: error });
  }
}
