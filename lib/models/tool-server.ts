// The only file that imports the MCP client.
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/client";

/** A server; all requests go through `send`. */
export interface ReachedServer {
  readonly url: URL;
  readonly send: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A tool as listed by its server. */
export interface Offered {
  readonly name: string;
  readonly description: string;
  readonly input: unknown;
}

/** The first `limit` tools that a server offers. */
export async function listTools(server: ReachedServer, limit: number): Promise<Offered[]> {
  return await withClient(server, async (client, options) => {
    // The client requests the pages itself, at most 64.
    const { tools } = await client.listTools(undefined, options);
    return tools
      .slice(0, limit)
      .map(({ name, description = "", inputSchema }) => ({ name, description, input: inputSchema }));
  });
}

/** Calls a tool of a server. */
export async function callTool(server: ReachedServer, name: string, input: Record<string, unknown>): Promise<unknown> {
  return await withClient(
    server,
    async (client, options) => await client.callTool({ name, arguments: input }, options),
  );
}

/** How long ending the session may delay a finished call. */
const endMsMax = 2_000;

type Options = { readonly signal: AbortSignal; readonly timeout: number };

/** Rethrows errors of `send`; other errors are the server's or the client's. */
async function withClient<Result>(
  { url, send, timeoutMs, signal }: ReachedServer,
  work: (client: Client, options: Options) => Promise<Result>,
): Promise<Result> {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const failures: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    // The stream of server-initiated messages is not needed.
    if ((init?.method ?? "GET") === "GET") return new Response(null, { status: 405 });
    try {
      return await send(input, init);
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  // Schemas of unknown servers are not compiled: answers are treated as plain data.
  const jsonSchemaValidator = {
    getValidator: () => (data: unknown) => ({ valid: true, data, errorMessage: undefined }),
  };
  const client = new Client(
    { name: "millrace", version: "1.0.0" },
    { jsonSchemaValidator: jsonSchemaValidator as never },
  );
  const transport = new StreamableHTTPClientTransport(url, { fetch, redirectPolicy: "same-origin" });
  const options = { signal, timeout: timeoutMs };
  try {
    await client.connect(transport, options);
    return await work(client, options);
  } catch (error) {
    throw failures[0] ?? error;
  } finally {
    // Ends the session, so that the server can drop it. Failures do not matter.
    await Promise.race([transport.terminateSession().catch(() => {}), sleep(endMsMax, undefined, { ref: false })]);
    await client.close().catch(() => {});
  }
}
