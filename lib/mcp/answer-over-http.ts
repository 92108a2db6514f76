import { createMcpHandler } from "@modelcontextprotocol/server";
import type { JsonObject } from "#lib/engine/json.ts";
import type { Port } from "./port.ts";
import { assistantsServer } from "./server.ts";

/**
 * Answers one message by streamable HTTP, without a session: each request has a server of its own, which ends with the answer.
 * `body` is the message, parsed.
 */
export async function answerOverHttp(request: Request, body: JsonObject, port: Port): Promise<Response> {
  // Nothing is announced here, so there is nothing to subscribe to.
  const handler = createMcpHandler(() => assistantsServer(port), { maxSubscriptions: 0, keepAliveMs: 15_000 });
  return await handler.fetch(request, { parsedBody: body });
}
