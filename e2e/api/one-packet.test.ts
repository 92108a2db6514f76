// How the server's answers leave: the tests start its HTTP server without the rest.
import type { Server, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { createHttpServer } from "../../scripts/server/web-server.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Sends a request to a server that answers like this; the first bytes that arrive. */
async function answered(answer: (response: ServerResponse, socket: Socket) => void): Promise<string> {
  server = createHttpServer();
  server.on("request", ({ socket }, response) => answer(response, socket));
  await new Promise<void>((resolve) => server?.listen(0, resolve));
  const client = connect((server.address() as AddressInfo).port);
  client.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
  const first = await new Promise<Buffer>((resolve) => client.once("data", resolve));
  client.destroy();
  return first.toString();
}

test("a head that is flushed leaves in one system call with what follows at once", async () => {
  let calls = 0;
  const text = await answered((response, socket) => {
    const count = vi.spyOn(socket as unknown as { _writeGeneric(): void }, "_writeGeneric");
    response.once("finish", () => {
      calls = count.mock.calls.length;
    });
    // As Next writes what a route's stream holds.
    queueMicrotask(() => {
      response.flushHeaders();
      response.write("first");
      queueMicrotask(() => response.end());
    });
  });
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n5\r\nfirst\r\n0\r\n\r\n$/s);
  expect(calls).toBe(1);
});

test("a head that is flushed leaves although nothing follows", async () => {
  expect(await answered((response) => response.flushHeaders())).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});
