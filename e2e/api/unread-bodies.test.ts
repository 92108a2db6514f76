// Answers given before the body is read, as seen by a client that keeps sending.
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { describe, expect, inject, test } from "vitest";
import { createFlow } from "#e2e/support/flows.ts";
import { startServer } from "#e2e/support/server.ts";
import { createHttpServer } from "../../scripts/server/web-server.ts";

interface Exchange {
  readonly text: string;
  readonly error: string | undefined;
}

/** Sends the head and part of an endless chunked body; resolves when the server has closed. */
function sendUnended(port: number, head: string, chunks = 1): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    let error: string | undefined;
    socket.setEncoding("latin1");
    socket.on("data", (data) => {
      text += data;
    });
    socket.on("error", ({ message }) => {
      error = message;
    });
    socket.on("close", () => resolve({ text, error }));
    const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
    socket.write(`${head}\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`);
    for (let sent = 0; sent < chunks; sent += 1) socket.write(chunk);
  });
}

const statusOf = ({ text }: Exchange) => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);

describe("an answer before the end of the body", () => {
  const readers = {
    nobody: async () => {},
    "a stream that is given up, as the routes' is": async (request: IncomingMessage) => {
      for await (const chunk of request) if (chunk.length > 0) break;
    },
  };
  test.each(Object.entries(readers))("read by %s arrives complete, and closes the connection", async (_who, read) => {
    let requests = 0;
    const server = createHttpServer();
    server.on("request", async (request, response) => {
      requests += 1;
      await read(request);
      response.writeHead(401, { "content-type": "text/plain" }).end("no");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
    const { port } = server.address() as { port: number };
    const answer = await sendUnended(port, "POST / HTTP/1.1", 40);
    expect([statusOf(answer), answer.error]).toEqual([401, undefined]);
    expect(answer.text.toLowerCase()).toContain("connection: close");
    expect(answer.text).toMatch(/no/);
    expect(requests).toBe(1);
    await new Promise((resolve) => server.close(resolve));
  });

  test("of the service itself is the same for who has used up the hour's requests: 429", async () => {
    const server = await startServer({ env: { RATE_LIMIT: "on", DEFAULT_TIER: "free" } });
    try {
      const port = Number(new URL(server.url).port);
      const authorization = `Bearer ${server.apiKey}`;
      const used = async () => {
        const answer = await fetch(`${server.url}/api/v1/flows`, { headers: { authorization } });
        await answer.arrayBuffer();
        return answer.status;
      };
      // Twice as many as an hour has: it may end meanwhile.
      for (let attempts = 0; attempts < 200 && (await used()) === 200; attempts += 1);
      const answer = await sendUnended(port, `POST /api/v1/flows HTTP/1.1\r\nauthorization: ${authorization}`);
      expect([statusOf(answer), answer.error]).toEqual([429, undefined]);
      expect(answer.text).toMatch(/^connection: close\r$/im);
      expect(answer.text).toMatch(/^retry-after: \d+\r$/im);
      expect(answer.text).toContain('"RATE_LIMIT_EXCEEDED"');
    } finally {
      await server.stop();
    }
  });

  test("of the service itself is the same: 401, 404, 405 and 413", async () => {
    const { url, apiKey } = inject("server");
    const port = Number(new URL(url).port);
    const key = `\r\nauthorization: Bearer ${apiKey}`;
    const { trigger } = await createFlow({ trigger: { type: "webhook" } });
    const { pathname } = new URL(trigger.config.url);
    const cases = [
      ["POST /api/v1/flows HTTP/1.1", 1, 401],
      ["POST /api/v1/nowhere HTTP/1.1", 1, 404],
      [`POST /api/v1/webhooks/hook_${"0".repeat(26)} HTTP/1.1`, 1, 404],
      ["PUT /api/v1/flows HTTP/1.1", 1, 405],
      [`PUT ${pathname} HTTP/1.1`, 1, 405],
      [`POST ${pathname} HTTP/1.1`, 40, 413],
      [`POST /api/v1/flows HTTP/1.1${key}`, 40, 413],
    ] as const;
    for (const [head, chunks, status] of cases) {
      const answer = await sendUnended(port, head, chunks);
      expect([head, statusOf(answer)]).toEqual([head, status]);
      expect([head, /^connection: close\r$/im.test(answer.text)]).toEqual([head, true]);
    }
  });
});
