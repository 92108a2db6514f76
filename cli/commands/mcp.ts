// An MCP server over stdio for assistants that start a program instead of calling a URL. Forwards each line of stdin to the
// server's `/api/mcp`, and writes each answer to stdout, unchanged.
import { type JSONRPCMessage, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Command } from "../context.ts";
import { exitCodes } from "../failure.ts";
import { type Access, accessOf } from "../server/keys.ts";

/** The maximum size of a message; the server's limit is lower. */
const messageBytesMax = 16 * 1024 * 1024;
const internalError = -32_603;

/** Serves until stdin ends. Errors go to stderr, and to the assistant as the answer to its request. */
export const mcp: Command<[]> = async ({ terminal, environment }) => {
  const access = accessOf(environment);
  const assistant = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: messageBytesMax });
  const server = new StreamableHTTPClientTransport(new URL(`${access.url}/api/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${access.key}`, "user-agent": "millrace-cli" } },
  });
  const open = new Map<string | number, AbortController>();

  const answer = (message: JSONRPCMessage) => {
    if ("result" in message && typeof message.result.protocolVersion === "string") {
      server.setProtocolVersion(message.result.protocolVersion);
    }
    if (!("method" in message) && message.id !== undefined) open.delete(message.id);
    // The assistant has gone: no answer is needed.
    assistant.send(message).catch(() => undefined);
  };
  const forward = async (message: JSONRPCMessage) => {
    const id = "method" in message && "id" in message ? message.id : undefined;
    const request = new AbortController();
    if (id !== undefined) open.set(id, request);
    const fail = (problem: string) => {
      if (request.signal.aborted) return;
      terminal.warn(`millrace: ${problem}`);
      if (id !== undefined) answer({ jsonrpc: "2.0", id, error: { code: internalError, message: problem } });
    };
    const onRequestStreamEnd = () => {
      if (id !== undefined && open.get(id) === request) fail(`${access.url} ended the connection before its answer`);
    };
    try {
      await server.send(message, { requestSignal: request.signal, onRequestStreamEnd });
    } catch (error) {
      fail(problemOf(error, access));
    }
  };
  assistant.onmessage = (message) => {
    const cancelled = "method" in message && message.method === "notifications/cancelled" ? message.params : undefined;
    // Without sessions, closing the connection is how the server learns of a cancellation.
    const { requestId = "" } = (cancelled ?? {}) as { readonly requestId?: string | number };
    open.get(requestId)?.abort();
    open.delete(requestId);
    void forward(message);
  };
  assistant.onerror = (error) => terminal.warn(`millrace: what the assistant sent cannot be read: ${error.message}`);
  server.onmessage = answer;
  const ended = new Promise<void>((resolve) => {
    assistant.onclose = resolve;
  });
  await server.start();
  await assistant.start();
  await ended;
  await server.close();
  return exitCodes.ok;
};

function problemOf(error: unknown, { url }: Access): string {
  const status = (error as { status?: number }).status;
  if (error instanceof UnauthorizedError || status === 401) {
    return `${url} does not accept the key. Run "millrace login", or check MILLRACE_API_KEY.`;
  }
  if (status !== undefined) return `${url} answered ${status}`;
  const { message, cause } = error as Error;
  return `No answer from ${url}: ${cause instanceof Error ? cause.message : message}`;
}
