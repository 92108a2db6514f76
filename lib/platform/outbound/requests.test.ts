import { describe, expect, onTestFinished, test } from "vitest";
import { get, openClient, startTestServer } from "./test-server.ts";

describe("what is sent", () => {
  test("method, path, query, headers and body arrive", async () => {
    const server = await startTestServer((_request, response) => response.writeHead(201).end("made"));
    const answer = await openClient().send(
      get(`${server.url}/a%20b?c=d#hidden`, { method: "post", headers: { "X-One": "1" }, body: "größe" }),
    );
    expect(answer.status).toBe(201);
    expect(server.received[0]).toMatchObject({ method: "POST", url: "/a%20b?c=d", body: "größe" });
    expect(server.received[0]?.headers).toMatchObject({ "x-one": "1", "user-agent": "Millrace", accept: "*/*" });
  });

  test("a header given in two cases is sent once, with the last value", async () => {
    const server = await startTestServer((_request, response) => response.end());
    await openClient().send(get(server.url, { headers: { "X-One": "1", "x-one": "2" } }));
    expect(server.received[0]?.headers["x-one"]).toBe("2");
  });

  test.each([
    "Host",
    "Transfer-Encoding",
    "content-length",
    "Connection",
    "Upgrade",
    "Proxy-Authorization",
    "proxy-connection",
    "TE",
    "Trailer",
    "Keep-Alive",
    "Expect",
  ])("%s cannot be set", async (name) => {
    const server = await startTestServer((_request, response) => response.end());
    const refused = openClient().send(get(server.url, { headers: { [name]: "x" } }));
    await expect(refused).rejects.toMatchObject({ code: "BAD_HEADER", message: expect.stringContaining(name) });
    expect(server.connections()).toBe(0);
  });

  test.each(["a\r\nHost: b", "a\nb", "a\0b", "a\x7fb", "5 €"])(
    "the value %j is refused without being shown",
    async (value) => {
      const refused = openClient().send(get("http://127.0.0.1/", { headers: { "X-Bad": value } }));
      await expect(refused).rejects.toMatchObject({ code: "BAD_HEADER", message: expect.stringContaining("X-Bad") });
      await expect(refused).rejects.not.toThrow(value);
    },
  );

  test.each(["", "a b", "a:b", "a\r\nb", "ä"])("the name %j is refused", async (name) => {
    const refused = openClient().send(get("http://127.0.0.1/", { headers: { [name]: "x" } }));
    await expect(refused).rejects.toMatchObject({ code: "BAD_HEADER" });
  });

  test.each(["CONNECT", "TRACE", "GET /", ""])("the method %j is refused", async (method) => {
    await expect(openClient().send(get("http://127.0.0.1/", { method }))).rejects.toMatchObject({ code: "BAD_METHOD" });
  });

  test("a password in the URL is refused without being shown", async () => {
    const refused = openClient().send(get("http://user:hunter22@127.0.0.1/"));
    await expect(refused).rejects.toMatchObject({ code: "BAD_URL" });
    await expect(refused).rejects.not.toThrow("hunter22");
  });

  test("a user name in the URL is refused, even for an allowed host", async () => {
    await expect(openClient().send(get("http://user@127.0.0.1/"))).rejects.toMatchObject({ code: "BAD_URL" });
  });

  test("the environment's proxies are ignored", async () => {
    const proxy = await startTestServer((_request, response) => response.end("proxied"));
    const server = await startTestServer((_request, response) => response.end("direct"));
    const before = { ...process.env };
    onTestFinished(() => {
      process.env = before;
    });
    for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"]) process.env[name] = proxy.url;
    expect((await openClient().send(get(server.url))).body.toString()).toBe("direct");
    expect(proxy.connections()).toBe(0);
  });
});

describe("what comes back", () => {
  test("header names are lower-case, repeated ones are joined", async () => {
    const server = await startTestServer((_request, response) => {
      response.writeHead(200, [
        ["Set-Cookie", "a=1"],
        ["Set-Cookie", "b=2"],
        ["X-One", "1"],
        ["__proto__", "2"],
      ] as never);
      response.end();
    });
    const { headers } = await openClient().send(get(server.url));
    expect(headers).toMatchObject({ "set-cookie": "a=1, b=2", "x-one": "1" });
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype);
  });

  test.each([204, 304, 404, 500])("an answer of %i is an answer", async (status) => {
    const server = await startTestServer((_request, response) => response.writeHead(status).end());
    expect((await openClient().send(get(server.url))).status).toBe(status);
  });
});

test("connections serve one request after another", async () => {
  const server = await startTestServer((_request, response) => response.end("ok"));
  const client = openClient();
  for (let count = 0; count < 20; count++) await client.send(get(server.url));
  expect(server.connections()).toBeLessThan(5);
});

test("concurrent requests do not wait for each other", async () => {
  const waiting: (() => void)[] = [];
  const server = await startTestServer((_request, response) => {
    waiting.push(() => response.end("ok"));
    if (waiting.length === 10) for (const answer of waiting) answer();
  });
  const client = openClient();
  const answers = await Promise.all(Array.from({ length: 10 }, () => client.send(get(server.url))));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
});
