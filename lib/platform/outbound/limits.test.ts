import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { get, openClient, startTestServer } from "./test-server.ts";

const mebibyte = 1024 * 1024;

const codings: [string, (data: Buffer) => Buffer][] = [
  ["gzip", gzipSync],
  ["x-gzip", gzipSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
  ["br", brotliCompressSync],
  ["gzip, br", (data) => brotliCompressSync(gzipSync(data))],
];

/** Writes endlessly, as fast as it is read. */
function writeEndlessly(response: ServerResponse, chunk: Buffer): void {
  const more = () => {
    while (!response.destroyed && response.write(chunk)) {}
  };
  response.on("drain", more);
  more();
}

/** A TCP server with the given behaviour for each connection. */
async function startRawServer(onSocket: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(onSocket as never);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("bodies are decoded", () => {
  test.each(codings)("%s", async (coding, compress) => {
    const server = await startTestServer((_request, response) => {
      response.writeHead(200, { "content-encoding": coding }).end(compress(Buffer.from("hello ".repeat(1000))));
    });
    const answer = await openClient().send(get(server.url));
    expect(answer.body.toString()).toBe("hello ".repeat(1000));
    expect(answer.headers).not.toHaveProperty("content-encoding");
  });

  test("an empty body and the answer to HEAD are empty whatever their coding", async () => {
    const server = await startTestServer((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end();
    });
    for (const method of ["GET", "HEAD"]) {
      expect((await openClient().send(get(server.url, { method }))).body).toHaveLength(0);
    }
  });

  test("an unknown coding is left alone", async () => {
    const server = await startTestServer((_request, response) => {
      response.writeHead(200, { "content-encoding": "aes128gcm" }).end("???");
    });
    const answer = await openClient().send(get(server.url));
    expect(answer.headers["content-encoding"]).toBe("aes128gcm");
    expect(answer.body.toString()).toBe("???");
  });

  test("a broken coding is a broken answer", async () => {
    const server = await startTestServer((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end("this is not gzip");
    });
    await expect(openClient().send(get(server.url))).rejects.toMatchObject({ code: "BAD_RESPONSE" });
  });

  test("a body with too many codings is refused", async () => {
    const server = await startTestServer((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip, gzip, gzip, gzip" }).end("x");
    });
    await expect(openClient().send(get(server.url))).rejects.toMatchObject({ code: "BAD_RESPONSE" });
  });
});

describe("the size of an answer is capped", () => {
  test("a body of exactly the cap passes, one more byte does not", async () => {
    const server = await startTestServer((request, response) =>
      response.end(Buffer.alloc(Number(request.url?.slice(1)))),
    );
    const client = openClient({ maxBodyBytes: 1000 });
    expect((await client.send(get(`${server.url}/1000`))).body).toHaveLength(1000);
    await expect(client.send(get(`${server.url}/1001`))).rejects.toMatchObject({ code: "RESPONSE_TOO_LARGE" });
  });

  test("a declared size is enough to refuse", async () => {
    const server = await startTestServer((_request, response) => {
      response.writeHead(200, { "content-length": "10000000000" }).write("x");
    });
    await expect(openClient().send(get(server.url))).rejects.toThrow(/larger than 5 MiB/);
    await server.firstClosed;
  });

  test("an endless body is cut off at the cap", async () => {
    const server = await startTestServer((_request, response) => writeEndlessly(response, Buffer.alloc(64 * 1024)));
    await expect(openClient().send(get(server.url))).rejects.toMatchObject({ code: "RESPONSE_TOO_LARGE" });
    await server.firstClosed;
  });

  test.each(codings)("a bomb in %s is cut off at the cap, not unpacked", async (coding, compress) => {
    const bomb = compress(Buffer.alloc(200 * mebibyte));
    const server = await startTestServer((_request, response) => {
      response.writeHead(200, { "content-encoding": coding }).end(bomb);
    });
    const before = process.memoryUsage().rss;
    await expect(openClient().send(get(server.url))).rejects.toMatchObject({ code: "RESPONSE_TOO_LARGE" });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * mebibyte);
  });

  test("compressed bytes that unpack to nothing count too", async () => {
    const nothing = Buffer.concat(Array.from({ length: 1000 }, () => gzipSync("")));
    const server = await startTestServer((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      writeEndlessly(response, nothing);
    });
    await expect(openClient().send(get(server.url))).rejects.toMatchObject({ code: "RESPONSE_TOO_LARGE" });
    await server.firstClosed;
  });
});

describe("an exchange ends in time", () => {
  test("a server that never answers", async () => {
    const server = await startTestServer(() => {});
    await expect(openClient().send(get(server.url, { timeoutMs: 100 }))).rejects.toMatchObject({ code: "TIMEOUT" });
    await server.firstClosed;
  });

  test("a server that never finishes its headers", async () => {
    const url = await startRawServer((socket) => void socket.on("error", () => {}).write("HTTP/1.1 200 OK\r\nx-a: "));
    await expect(openClient().send(get(url, { timeoutMs: 100 }))).rejects.toMatchObject({ code: "TIMEOUT" });
  });

  test.each([undefined, "gzip"])("a body that drips, coded %s", async (coding) => {
    const server = await startTestServer((_request, response) => {
      if (coding) response.setHeader("content-encoding", coding);
      const timer = setInterval(() => response.write("\x1f"), 20);
      response.on("close", () => clearInterval(timer));
    });
    await expect(openClient().send(get(server.url, { timeoutMs: 200 }))).rejects.toMatchObject({
      code: expect.stringMatching(coding ? /TIMEOUT|BAD_RESPONSE/ : /TIMEOUT/),
    });
    await server.firstClosed;
  });

  test("redirects share one deadline", async () => {
    const server = await startTestServer((request, response) => {
      if (request.url === "/") response.writeHead(302, { location: "/slow" }).end();
    });
    await expect(openClient().send(get(server.url, { timeoutMs: 100 }))).rejects.toMatchObject({ code: "TIMEOUT" });
    expect(server.received).toHaveLength(2);
  });

  test("a timeout beyond the timer's range does not fire at once", async () => {
    const server = await startTestServer((_request, response) => response.end("ok"));
    expect((await openClient().send(get(server.url, { timeoutMs: 1e308 }))).status).toBe(200);
  });
});

describe("a cancelled request releases its socket", () => {
  test("before the answer", async () => {
    const cancel = new AbortController();
    const server = await startTestServer(() => cancel.abort());
    await expect(openClient().send(get(server.url, { signal: cancel.signal }))).rejects.toMatchObject({
      code: "ABORTED",
    });
    await server.firstClosed;
  });

  test("in the middle of the body", async () => {
    const cancel = new AbortController();
    const server = await startTestServer((_request, response) => {
      response.write("begun", () => cancel.abort());
    });
    await expect(openClient().send(get(server.url, { signal: cancel.signal }))).rejects.toMatchObject({
      code: "ABORTED",
    });
    await server.firstClosed;
  });

  test("before it began", async () => {
    const server = await startTestServer((_request, response) => response.end());
    const sent = openClient().send(get(server.url, { signal: AbortSignal.abort() }));
    await expect(sent).rejects.toMatchObject({ code: "ABORTED" });
    expect(server.received).toHaveLength(0);
  });

  test("when the client closes", async () => {
    const client = openClient();
    let closed: Promise<void> | undefined;
    const server = await startTestServer(() => {
      closed = client.close();
    });
    await expect(client.send(get(server.url))).rejects.toMatchObject({ code: "ABORTED" });
    await closed;
    await server.firstClosed;
  });
});

describe("a broken connection is described", () => {
  test("reset before the answer", async () => {
    const server = await startTestServer((request) => request.socket.resetAndDestroy());
    await expect(openClient().send(get(server.url))).rejects.toMatchObject({ code: "RESET" });
  });

  test.each([undefined, "gzip"])("reset in the middle of a body coded %s", async (coding) => {
    const start = gzipSync(Buffer.alloc(mebibyte)).subarray(0, 20);
    const server = await startTestServer((request, response) => {
      if (coding) response.setHeader("content-encoding", coding);
      response.writeHead(200, { "content-length": "1000" }).write(start, () => request.socket.resetAndDestroy());
    });
    await expect(openClient().send(get(server.url))).rejects.toMatchObject({ code: "RESET" });
  });

  test("nobody listens", async () => {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    const refused = openClient().send(get(`http://127.0.0.1:${port}/`));
    await expect(refused).rejects.toMatchObject({
      code: "CONNECT_FAILED",
      message: expect.stringContaining("refused"),
    });
  });

  test("TLS with a server without TLS", async () => {
    const server = await startTestServer((_request, response) => response.end());
    const url = server.url.replace("http:", "https:");
    await expect(openClient().send(get(url))).rejects.toMatchObject({ code: expect.stringMatching(/^(TLS|RESET)$/) });
  });

  test("an answer that is not HTTP", async () => {
    const url = await startRawServer((socket) => void socket.on("error", () => {}).end("SSH-2.0-OpenSSH_9.9\r\n"));
    await expect(openClient().send(get(url))).rejects.toMatchObject({ code: "BAD_RESPONSE" });
  });

  test("headers larger than 16 KiB", async () => {
    const server = await startTestServer((_request, response) => {
      response.setHeader("x-large", "x".repeat(20_000)).end();
    });
    await expect(openClient().send(get(server.url))).rejects.toMatchObject({ code: "BAD_RESPONSE" });
  });
});

test("a body of which only the beginning is wanted is cut off there without an error", async () => {
  const server = await startTestServer((_request, response) => response.end("x".repeat(3_000_000)));
  const answer = await openClient({ maxBodyBytes: 1_000 }).send(get(server.url, { bodyBytesRead: 64 }));
  expect([answer.status, answer.body.toString()]).toEqual([200, "x".repeat(64)]);
  await server.firstClosed;
});

test("the beginning of a body that never arrives is awaited no longer than the time limit", async () => {
  const server = await startTestServer((_request, response) => response.write("x"));
  const answer = openClient().send(get(server.url, { bodyBytesRead: 64, timeoutMs: 200 }));
  await expect(answer).rejects.toMatchObject({ code: "TIMEOUT" });
});

test("of a body that may break off, or is late, there is what has arrived", async () => {
  const server = await startTestServer((_request, response) => response.write("x"));
  const late = await openClient().send(get(server.url, { bodyBytesRead: 64, bodyMayBreakOff: true, timeoutMs: 200 }));
  expect([late.status, late.body.toString()]).toEqual([200, "x"]);
});
