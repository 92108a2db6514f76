import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createOutbound, type Outbound, type OutboundOptions, type OutboundRequest } from "./outbound.ts";

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A real local HTTP server that records its requests; closed when the test ends. */
export interface TestServer {
  readonly port: number;
  readonly url: string;
  readonly received: ReceivedRequest[];
  connections(): number;
  /** Resolves when the server's end of the first connection has closed. */
  readonly firstClosed: Promise<void>;
}

export async function startTestServer(
  listener: RequestListener,
  at = { host: "127.0.0.1", port: 0 },
): Promise<TestServer> {
  let connections = 0;
  const received: ReceivedRequest[] = [];
  let closed = () => {};
  const firstClosed = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    received.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
    listener(request, response);
  });
  server.on("connection", (socket) => {
    connections++;
    socket.on("error", () => {});
    socket.on("close", () => closed());
  });
  server.listen(at.port, at.host);
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${at.host.includes(":") ? `[${at.host}]` : at.host}:${port}`,
    received,
    connections: () => connections,
    firstClosed,
  };
}

/** An outbound client that may reach this machine by default; closed when the test ends. */
export function openClient(options: Partial<OutboundOptions> = {}): Outbound {
  const client = createOutbound({ allow: "127.0.0.1", ...options });
  onTestFinished(() => client.close());
  return client;
}

export function get(url: string, options: Partial<OutboundRequest> = {}): OutboundRequest {
  return {
    method: "GET",
    url,
    headers: {},
    timeoutMs: 10_000,
    followRedirects: true,
    signal: new AbortController().signal,
    ...options,
  };
}
