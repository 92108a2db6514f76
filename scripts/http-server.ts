import { createServer, type Server, type ServerOptions } from "node:http";

/** How long a connection may take: idle between requests, with the head of one, with all of it. */
export const patience = {
  // Longer than the minute for which common load balancers keep a connection that they may still use.
  keepAliveTimeout: 65_000,
  // Who sends a request drop by drop holds a connection no longer than this.
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 1_000,
} as const satisfies ServerOptions;

export function createHttpServer(times: ServerOptions = patience): Server {
  return createServer(times);
}
