// Request lines and headers that no browser writes, byte by byte: nobody is redirected to another site by them, and each
// gets an answer like any other.
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { apiKey, baseUrl } from "#e2e/support/address.ts";
import { createFlow } from "#e2e/support/flows.ts";
import securityHeaders from "#lib/http/security-headers.json" with { type: "json" };

const { hostname, port, host, origin } = new URL(baseUrl());

/** The answer. */
async function send(line: string, headers: readonly string[] = []): Promise<string> {
  const connection = headers.some((header) => header.startsWith("Connection:")) ? [] : ["Connection: close"];
  return await sendBytes([`${line} HTTP/1.1`, `Host: ${host}`, ...headers, ...connection, "", ""].join("\r\n"));
}

async function sendBytes(request: string): Promise<string> {
  const socket = connect(Number(port), hostname);
  let answer = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    answer += text;
  });
  socket.write(request);
  await once(socket, "close");
  return answer;
}

/** The head of the answer. */
async function sendRaw(target: string): Promise<string> {
  return (await send(`GET ${target}`)).split("\r\n\r\n")[0] ?? "";
}

test.each([
  ...["//evil.example", "///evil.example", "/\\evil.example", "/.//evil.example", "//evil.example/..//"],
  ...["http://evil.example/flows", "HTTPS://evil.example//x", "http://evil.example:80//evil.example/flows"],
  ...[
    "/%5cevil.example",
    "/%2f/evil.example",
    "/sign-in?next=//evil.example",
    "/api/auth/signin?callbackUrl=//evil.example",
  ],
])("%s leads to no other site", async (target) => {
  const answer = await sendRaw(target);
  expect(answer).toMatch(/^HTTP\/1\.1 (200|30\d|40\d) /);
  const location = /^location: (.*)$/im.exec(answer)?.[1] ?? "/";
  expect(new URL(location, origin).origin).toBe(origin);
});

test("a URL with a host in the request line is answered as its path", async () => {
  expect(await sendRaw("http://evil.example/api/health")).toMatch(/^HTTP\/1\.1 200 /);
});

test("OPTIONS * is about the server as a whole", async () => {
  const answer = await send("OPTIONS *");
  expect(answer).toMatch(/^HTTP\/1\.1 204 /);
  expect(answer).toMatch(/^allow: .*POST/im);
});

test.each([
  ["/api/v1/flows", 405, "METHOD_NOT_ALLOWED"],
  ["/api/v1/nope", 404, "NOT_FOUND"],
  ["example.com:443", 400, "VALIDATION_ERROR"],
])("CONNECT %s, which is for proxies, is %i in the envelope", async (target, status, code) => {
  const answer = await send(`CONNECT ${target}`);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*^x-request-id: .*"code":"${code}"`, "ims"));
  if (status === 405) expect(answer).toContain("allow: GET, HEAD, POST, OPTIONS");
});

test("every answer forbids frames, guessed types and foreign referrers, whoever gives it", async () => {
  const { trigger } = await createFlow();
  const script = /"(\/_next\/static\/[^"]+\.js)"/.exec(await send("GET /sign-in"))?.[1];
  expect(script).toBeDefined();
  const lines = [
    ...["GET /sign-in", "GET /nowhere", "GET /icon.svg", `GET ${script}`, "GET /api/health", "GET /api/nope"],
    ...["GET /api/v1/flows", "GET /api/v1/nope", "GET /api/v1//flows", "GET /api/v1/%zz", "GET /api/v1/files/x"],
    ...[
      "GET /api/v1/webhooks/hook_x",
      `POST ${new URL(trigger.config.url).pathname}`,
      "TRACE /v1/flows",
      "FETCH /v1/x",
    ],
    ...["OPTIONS /api/v1/flows", "HEAD /api/v1/flows", "CONNECT /v1/flows", "no request"],
  ];
  for (const line of lines) {
    const [head = ""] = (await send(line, ["Accept-Encoding: br"])).toLowerCase().split("\r\n\r\n");
    for (const [name, value] of Object.entries(securityHeaders))
      expect([line, head]).toEqual([line, expect.stringContaining(`\r\n${name}: ${value.toLowerCase()}\r\n`)]);
  }
});

test.each([
  ["no Host", "HTTP/1.1", [], 400],
  ["two", "HTTP/1.1", [host, host], 400],
  ["two in HTTP/1.0", "HTTP/1.0", [host, "evil.example"], 400],
  ["one", "HTTP/1.1", [host], 200],
  ["none in HTTP/1.0", "HTTP/1.0", [], 200],
])("%s in a request of %s: %j is %i, in the envelope", async (_title, version, hosts, status) => {
  for (const path of ["/api/v1/flows", "/api/v1/webhooks/hook_x", "/sign-in"]) {
    const lines = hosts.map((name) => `Host: ${name}`);
    const head = [`GET ${path} ${version}`, ...lines, `Authorization: Bearer ${apiKey()}`, "Connection: close", "", ""];
    const answer = await sendBytes(head.join("\r\n"));
    const answered = path.includes("hook_") && status === 200 ? 404 : status;
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${answered} `));
    if (status === 400) expect(answer).toMatch(/^x-request-id: .*"code":"VALIDATION_ERROR"/ims);
  }
});

test.each(["/api/v2/flows", "/api/nope", "/api", "/api/v1/flows\\x", "/v1\\flows"])(
  "%s is 404 in the envelope, not a page",
  async (path) => {
    const answer = await send(`GET ${path}`);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('"code":"NOT_FOUND"');
  },
);

describe("an API call is answered as ever", () => {
  const key = `Authorization: Bearer ${apiKey()}`;
  test.each([
    // curl --http2 and Java's client offer HTTP/2 with every first request.
    ["h2c", ["Connection: Upgrade, HTTP2-Settings, close", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA"]],
    ["a web socket", ["Connection: Upgrade, close", "Upgrade: websocket"]],
  ])("with an offer of %s", async (_title, headers) => {
    for (const path of ["/api/v1/node-types", "/nope.png"]) {
      const answer = await send(`GET ${path}`, [key, ...headers]);
      expect(answer).toMatch(path === "/nope.png" ? /^HTTP\/1\.1 404 / : /^HTTP\/1\.1 200 .*"success":true/s);
    }
  });

  test.each(["RSC: 1", "Next-Router-Prefetch: 1", "x-middleware-prefetch: 1", "Expect: 200-ok"])(
    "with %s",
    async (header) => {
      const answer = await send("GET /api/v1/flows?limit=1", [key, header]);
      expect(answer).toMatch(/^HTTP\/1\.1 200 .*^x-request-id: .*"success":true/ims);
    },
  );
});
