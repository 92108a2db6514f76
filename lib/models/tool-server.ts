// The one file that knows the client of MCP servers.
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/client";

/** How a server is reached: `send` is the only way out. */
export interface ReachedServer {
  readonly url: URL;
  readonly send: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A tool as its server offers it. */
export interface Offered {
  readonly name: string;
  readonly description: string;
  readonly input: unknown;
}

/** The first `most` tools that a server offers. */
export async function listTools(server: ReachedServer, most: number): Promise<Offered[]> {
  return await withClient(server, async (client, options) => {
    // The client asks for the pages itself, 64 at most.
    const { tools } = await client.listTools(undefined, options);
    return tools
      .slice(0, most)
      .map(({ name, description = "", inputSchema }) => ({ name, description, input: inputSchema }));
  });
}

/** What a server says of a call of a tool. */
export async function callTool(server: ReachedServer, name: string, input: Record<string, unknown>): Promise<unknown> {
  return await withClient(
    server,
    async (client, options) => await client.callTool({ name, arguments: input }, options),
  );
}

/** How long ending a session may delay a call that is done. */
const endMsMax = 2_000;

type Options = { readonly signal: AbortSignal; readonly timeout: number };

/** What `send` throws is thrown again; anything else is the server's, or the client's. */
async function withClient<Result>(
  { url, send, timeoutMs, signal }: ReachedServer,
  work: (client: Client, options: Options) => Promise<Result>,
): Promise<Result> {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const failures: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    // A stream of server-initiated messages: there is nothing to receive between a call and its answer.
    if ((init?.method ?? "GET") === "GET") return new Response(null, { status: 405 });
    try {
      return await send(input, init);
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  // A stranger's schemas are not compiled into code: what the server answers is taken as plain data.
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
    // A server with sessions would keep it; whether it learns of the end does not matter.
    await Promise.race([transport.terminateSession().catch(() => {}), sleep(endMsMax, undefined, { ref: false })]);
    await client.close().catch(() => {});
  }
}
