// A local HTTP server for flows to call: it records every request and answers as the test says.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { eventually } from "./eventually.ts";

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly atMs: number;
}

export interface CountingServer {
  readonly url: string;
  readonly received: readonly Received[];
  /** Requests whose caller disconnected before the answer. */
  aborted(): number;
  /** Waits for this many requests. */
  until(count: number): Promise<void>;
  /** Answers the held requests. */
  release(): void;
}

/** The answer to the n-th request, from 0; "hold" keeps it waiting for `release`. */
export type Reply =
  | {
      status?: number;
      headers?: Record<string, string>;
      body?: unknown;
      /** The connection is reset before the answer, or in the middle of its body. */
      reset?: boolean | "in the body";
    }
  | "hold";

/** Closed when the test ends. */
export async function countingServer(
  reply: (index: number, request: Received) => Reply = () => ({}),
): Promise<CountingServer> {
  const received: Received[] = [];
  const held: ServerResponse[] = [];
  let aborted = 0;
  const server = createServer(async (request, response) => {
    response.on("close", () => {
      if (!response.writableFinished) aborted += 1;
    });
    const call = await read(request);
    const answer = reply(received.push(call) - 1, call);
    if (answer === "hold") held.push(response);
    else if (answer.reset === true) request.socket.resetAndDestroy();
    else write(response, answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    aborted: () => aborted,
    until: async (count) => {
      await eventually(`${count} requests arrive`, () => (received.length >= count ? true : undefined));
    },
    release: () => {
      for (const response of held.splice(0)) write(response, {});
    },
  };
}

async function read(request: IncomingMessage): Promise<Received> {
  const atMs = Date.now();
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  return { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body, atMs };
}

function write(response: ServerResponse, answer: Exclude<Reply, "hold">) {
  const { status = 200, headers = {}, body = { ok: true }, reset } = answer;
  const isText = typeof body === "string";
  if (reset === "in the body") {
    response.writeHead(status, { "content-length": "1000" });
    response.write(String(body), () => response.socket?.resetAndDestroy());
    return;
  }
  response.writeHead(status, { "content-type": isText ? "text/plain" : "application/json", ...headers });
  response.end(isText ? body : JSON.stringify(body));
}
