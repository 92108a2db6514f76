// A fake MCP server, built on the protocol's official library.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";

export interface ToolCalled {
  readonly name: string;
  readonly input: unknown;
}

/** A tool's result; a failure is `{error}`. */
type Responder = (called: ToolCalled) => {
  readonly text: string;
  readonly structured?: object;
  readonly isError?: boolean;
};

/** Closed when the test ends. Its tools are `weather.today`, `broken`, and one whose name no model accepts. */
export async function startToolServer(answers: Responder) {
  const called: ToolCalled[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const input = { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] };
  const make = () => {
    const server = new Server({ name: "tests", version: "1.0.0" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", async ({ params }) =>
      params?.cursor === undefined
        ? {
            tools: [{ name: "weather.today", description: "Says how the weather is", inputSchema: input }],
            nextCursor: "more",
          }
        : {
            tools: [
              { name: "broken", description: "Fails", inputSchema: { type: "object" as const } },
              { name: "huge", inputSchema: { type: "object" as const, title: "x".repeat(70_000) } },
            ],
          },
    );
    server.setRequestHandler("tools/call", async ({ params }) => {
      const call = { name: params.name, input: params.arguments };
      called.push(call);
      const { text, structured, isError } = answers(call);
      return {
        content: [{ type: "text" as const, text }],
        ...(structured === undefined ? {} : { structuredContent: structured }),
        ...(isError === undefined ? {} : { isError }),
      };
    });
    return server;
  };
  const handler = createMcpHandler(make, { maxSubscriptions: 0, keepAliveMs: 15_000 });
  const http = createServer(async (request, response) => {
    headers.push(request.headers);
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const received = new Request(`http://${request.headers.host}${request.url}`, {
      method: request.method ?? "GET",
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      ...(body === "" ? {} : { body }),
    });
    const answer = await handler.fetch(received);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const part of answer.body ?? []) response.write(part);
    response.end();
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, called, headers };
}
