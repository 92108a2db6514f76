import { request } from "node:http";
import { connect as connectTo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { apiKey, baseUrl } from "#e2e/support/address.ts";
import { call, get, patch, post, send } from "#e2e/support/api-client.ts";
import { createFlow, minimalFlow, type TestFlow } from "#e2e/support/flows.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";

const missingFlow = "flow_01hzzzzzzzzzzzzzzzzzzzzzzz";
const json = { "content-type": "application/json" };
const create = (body: BodyInit, headers: Record<string, string> = json) =>
  send<TestFlow>("POST", "/flows", body, { headers });
/** JSON with this many levels, including the root. */
const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
const flowOfDepth = (levels: number) =>
  `{"name":"deep","trigger":{"type":"webhook"},"nodes":[],"variables":${nested(levels - 1)}}`;

describe("401 without a valid key", () => {
  // Proves authentication.bearer, authentication.unauthorized
  it.each<[string, Record<string, string>]>([
    ["no header", {}],
    ["an empty header", { authorization: "" }],
    ["an unknown key", { authorization: `Bearer ${"x".repeat(40)}` }],
    ["a short key", { authorization: "Bearer short" }],
    ["a key with a wrong checksum", { authorization: `Bearer mill_live_${"0".repeat(32)}_000000` }],
    ["another scheme", { authorization: "Basic dXNlcjpwYXNz" }],
    ["no scheme", { authorization: "test-key" }],
    ["two keys", { authorization: "Bearer one two" }],
    ["a very long key", { authorization: `Bearer ${"k".repeat(8_000)}` }],
  ])("%s", async (_, headers) => {
    const answer = await get("/flows", { key: null, headers });
    expectRefusal(answer, 401, "UNAUTHORIZED");
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  it("a key in the query string does not count", async () => {
    expectRefusal(
      await get(`/flows?api_key=${apiKey()}&authorization=Bearer%20${apiKey()}`, { key: null }),
      401,
      "UNAUTHORIZED",
    );
  });

  // Proves authentication.bearer
  it("the scheme may be in any case", async () => {
    const answer = await get("/flows", { key: null, headers: { authorization: `bEARER ${apiKey()}` } });
    expect(answer.status).toBe(200);
  });
});

describe("404 in the envelope for a path that does not exist, whoever calls", () => {
  // Proves addresses.unknown-path
  it.each(["/nope", "/flows/a/b/c", "/flows/x/nope", "/Flows", "/executions/x/y", "/", ""])("%s", async (path) => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      expectRefusal(await call(method, path, undefined, { key: null }), 404, "NOT_FOUND");
    }
  });

  // Proves addresses.unknown-path
  it("below /v1 as well", async () => {
    expectRefusal(await get("/nope", { base: `${baseUrl()}/v1` }), 404, "NOT_FOUND");
  });

  it("also for an encoded slash", async () => {
    expectRefusal(await get("/flows%2fx"), 404, "NOT_FOUND");
  });
});

describe("405 with Allow for a method that the path does not have, whoever calls", () => {
  const id = missingFlow;
  // Proves addresses.wrong-method, addresses.options, errors.method-not-allowed
  it.each([
    ["/flows", "GET, HEAD, POST, OPTIONS"],
    [`/flows/${id}`, "GET, HEAD, PATCH, DELETE, OPTIONS"],
    [`/flows/${id}/execute`, "POST, OPTIONS"],
    [`/executions/${id}/logs`, "GET, HEAD, OPTIONS"],
    [`/executions/${id}`, "GET, HEAD, DELETE, OPTIONS"],
    [`/executions/${id}/cancel`, "POST, OPTIONS"],
    [`/executions/${id}/retry`, "POST, OPTIONS"],
    ["/node-types", "GET, HEAD, OPTIONS"],
  ])("%s has %s", async (path, allow) => {
    const refused = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((method) => !allow.includes(method));
    expect(refused.length).toBeGreaterThan(0);
    for (const method of refused) {
      const answer = await call(method, path, undefined, { key: null });
      expectRefusal(answer, 405, "METHOD_NOT_ALLOWED");
      expect(answer.headers.get("allow")).toBe(allow);
    }
    const options = await call("OPTIONS", path, undefined, { key: null });
    expect([options.status, options.text, options.headers.get("allow")]).toEqual([204, "", allow]);
  });
});

describe("methods that the API does not have", () => {
  /** `fetch` refuses to send them. */
  const sendRaw = (method: string, path: string) =>
    new Promise<{ status: number | undefined; allow: string | undefined; body: string }>((resolve, reject) => {
      const sent = request(`${baseUrl()}/api/v1${path}`, { method }, async (response) => {
        let body = "";
        for await (const chunk of response) body += chunk;
        resolve({ status: response.statusCode, allow: response.headers.allow, body });
      });
      sent.on("error", reject).end();
    });

  it.each(["TRACE", "PROPFIND", "PURGE"])("%s is 405 on an existing path, and 404 elsewhere", async (method) => {
    const refused = await sendRaw(method, `/flows/${missingFlow}`);
    expect(refused).toMatchObject({ status: 405, allow: "GET, HEAD, PATCH, DELETE, OPTIONS" });
    expect(JSON.parse(refused.body)).toMatchObject({ success: false, error: { code: "METHOD_NOT_ALLOWED" } });
    expect((await sendRaw(method, "/nope")).status).toBe(404);
    const { trigger } = await createFlow();
    const hook = new URL(trigger.config.url).pathname.replace("/api/v1", "");
    expect(await sendRaw(method, hook)).toMatchObject({ status: 405, allow: expect.stringContaining("POST") });
  });
});

describe("what is invalid in HTTP itself", () => {
  /** Sends exactly these bytes; returns the status and what follows the headers. */
  const sendBytes = (text: string) =>
    new Promise<{ status: number; headers: string; body: string }>((resolve, reject) => {
      const { hostname, port } = new URL(baseUrl());
      let answer = "";
      const socket = connectTo({ host: hostname, port: Number(port) }, () => socket.write(text));
      socket.setEncoding("utf8").on("data", (chunk) => {
        answer += chunk;
      });
      socket.on("error", reject).on("close", () => {
        const [headers = "", body = ""] = answer.split("\r\n\r\n");
        resolve({ status: Number(headers.split(" ")[1]), headers: headers.toLowerCase(), body });
      });
    });

  it("as a method, is 405 on an existing path, and 404 elsewhere", async () => {
    const refused = await sendBytes("FETCH /api/v1/flows?page=1 HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(refused.status).toBe(405);
    expect(refused.headers).toContain("\r\nallow: get, head, post, options");
    expect(JSON.parse(refused.body)).toMatchObject({ success: false, error: { code: "METHOD_NOT_ALLOWED" } });
    expect((await sendBytes("FETCH /v1/nope HTTP/1.1\r\nHost: x\r\n\r\n")).status).toBe(404);
  });

  it.each([
    ["no request at all", "\u0016\u0003\u0001 hello\r\n\r\n", 400],
    ["a header without a colon", "GET /api/v1/flows HTTP/1.1\r\nHost x\r\n\r\n", 400],
    ["headers of 20 KB", `GET /api/v1/flows HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(20_000)}\r\n\r\n`, 431],
  ])("as %s, is refused in the envelope", async (_, text, status) => {
    const refused = await sendBytes(text);
    expect(refused.status).toBe(status);
    expect(refused.headers).toContain("\r\nconnection: close");
    expect(JSON.parse(refused.body)).toMatchObject({ success: false, error: { code: "VALIDATION_ERROR" } });
  });

  it("as an empty path segment, is 404 and leads nowhere else", async () => {
    for (const path of ["/api/v1//flows", "/api//v1/flows", "//v1/flows", "/api/v1/flows//"]) {
      const answer = await send("GET", path, undefined, { base: baseUrl() });
      expect([path, answer.status, answer.error?.code]).toEqual([path, 404, "NOT_FOUND"]);
    }
  });
});

describe("every URL of the API", () => {
  // Proves addresses.head
  it("answers HEAD like GET, without the body", async () => {
    const flow = await createFlow();
    for (const [path, status] of [
      ["/flows", 200],
      [`/flows/${flow.id}`, 200],
      ["/flows/x", 404],
      ["/flows?page=0", 400],
    ]) {
      const answer = await call("HEAD", String(path));
      expect([answer.status, answer.text]).toEqual([status, ""]);
    }
    expect((await call("HEAD", `/flows/${flow.id}`)).headers.get("etag")).toBe('"1"');
    expect((await call("HEAD", "/flows", undefined, { key: null })).status).toBe(401);
  });

  // Proves errors.request-id
  it("has a new X-Request-Id each time", async () => {
    const ids = new Set<string | null>();
    const paths = ["/flows", "/flows/x", "/nope", "/flows?page=0", "/flows", "/openapi.json", "/webhooks/hook_x"];
    for (const path of paths) ids.add((await get(path)).headers.get("x-request-id"));
    expect(ids.size).toBe(paths.length);
    expect([...ids].every((id) => /^[0-9a-f-]{36}$/.test(id ?? ""))).toBe(true);
  });

  // Proves trigger-urls.cors
  it("is not open to pages of other origins", async () => {
    const headers = { origin: "https://evil.example", "access-control-request-method": "GET" };
    for (const method of ["GET", "OPTIONS"]) {
      const answer = await call(method, "/flows", undefined, { headers });
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  // Proves addresses.v1-in-path
  it("is the same below /v1 and with a trailing slash", async () => {
    const { id } = await createFlow();
    const base = `${baseUrl()}/v1`;
    expect((await get<TestFlow>(`/flows/${id}`, { base })).data.id).toBe(id);
    expect((await post<TestFlow>("/flows", minimalFlow, { base })).status).toBe(201);
    expect((await get<TestFlow>(`/flows/${id}/`)).data.id).toBe(id);
  });

  it("ignores X-HTTP-Method-Override", async () => {
    const { id } = await createFlow();
    const headers = { "x-http-method-override": "DELETE" };
    expectRefusal(await post(`/flows/${id}`, {}, { headers }), 405, "METHOD_NOT_ALLOWED");
    expect((await get(`/flows/${id}`)).status).toBe(200);
  });
});

describe("a request body", () => {
  // Proves conventions.malformed-json
  it.each(["{", '{"a":1,}', "'x'", "NaN", "undefined", "\ufeff{}", "{}{}", "\u0000"])(
    "must be JSON, not %j",
    async (body) => {
      expectInvalid(await create(body), "body");
    },
  );

  // Proves conventions.object-body
  it.each(["null", "[]", '"x"', "5", "true"])("must be an object, not %s", async (body) => {
    expectInvalid(await create(body), "body", /object/);
  });

  it("must be UTF-8", async () => {
    expectInvalid(await create(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), "body", /UTF-8/);
    const headers = { "content-type": "application/json; charset=utf-16" };
    expectInvalid(await create(JSON.stringify(minimalFlow), headers), "body", /UTF-8/);
  });

  // Proves conventions.json-bodies
  it.each(["text/plain", "application/xml", "multipart/form-data", "application/x-www-form-urlencoded"])(
    "is not accepted as %s",
    async (type) => {
      expectInvalid(await create(JSON.stringify(minimalFlow), { "content-type": type }), "body", /application\/json/);
    },
  );

  // Proves conventions.json-bodies
  it.each(["application/json", "application/json; charset=UTF-8", "application/vnd.api+json", "Application/JSON"])(
    "is accepted as %s",
    async (type) => {
      expect((await create(JSON.stringify(minimalFlow), { "content-type": type })).status).toBe(201);
    },
  );

  // Proves conventions.no-content-type
  it("is read as JSON without a Content-Type", async () => {
    const answer = await create(Buffer.from(JSON.stringify(minimalFlow)), {});
    expect(answer.status).toBe(201);
  });

  it("is not accepted compressed", async () => {
    const body = gzipSync(JSON.stringify(minimalFlow));
    expectInvalid(await create(body, { ...json, "content-encoding": "gzip" }), "body");
  });

  // Proves limits.nesting
  it("may be nested 64 levels deep and no deeper", async () => {
    expect((await create(flowOfDepth(64))).status).toBe(201);
    expectInvalid(await create(flowOfDepth(65)), "body", /64/);
    expectInvalid(await create(flowOfDepth(100_000)), "body", /64/);
  });

  it("takes the last value of a repeated key", async () => {
    const body = '{"name":"first","name":"last","trigger":{"type":"webhook"},"nodes":[]}';
    expect((await create(body)).data.name).toBe("last");
  });

  // Proves errors.payload-too-large, limits.body
  it("may be 1 MiB large and no larger", async () => {
    const frame = JSON.stringify({ ...minimalFlow, variables: { pad: "" } });
    const ofSize = (bytes: number) => frame.replace('"pad":""', `"pad":"${"x".repeat(bytes - frame.length)}"`);
    expect((await create(ofSize(1_048_576))).status).toBe(201);
    expectRefusal(await create(ofSize(1_048_577)), 413, "PAYLOAD_TOO_LARGE");
  });

  // Proves limits.body
  it("is counted as it arrives if its length is not declared", async () => {
    const { id } = await createFlow();
    const body = new ReadableStream({ pull: (stream) => stream.enqueue(Buffer.alloc(65_536, " ")) });
    const request = { method: "PATCH", body, duplex: "half" } as RequestInit;
    const headers = { ...json, authorization: `Bearer ${apiKey()}` };
    const answer = await fetch(`${baseUrl()}/api/v1/flows/${id}`, { ...request, headers });
    expect(answer.status).toBe(413);
  });
});

describe("of several errors the first in this order is reported", () => {
  const tooLarge = "x".repeat(1_048_577);

  // Proves errors.order-path-method-key
  it("unknown path, wrong method, then the key", async () => {
    expect((await send("PUT", "/nope", "{", { key: null })).status).toBe(404);
    expect((await send("PUT", "/flows", "{", { key: null })).status).toBe(405);
    expect((await send("POST", "/flows", "{", { key: null, headers: json })).status).toBe(401);
  });

  // Proves errors.order-body
  it("the key before the size, the size before the syntax", async () => {
    expect((await send("POST", "/flows", tooLarge, { key: null, headers: json })).status).toBe(401);
    expect((await create(tooLarge)).status).toBe(413);
    expect((await send("POST", "/flows?page=0", tooLarge, { headers: json })).status).toBe(413);
  });

  // Proves errors.order-quota
  it("the scope before the size", async () => {
    const made = await post<{ key: string }>("/api-keys", { name: "Reads only", scopes: ["flows:read"] });
    const { key } = made.data;
    expectRefusal(await send("POST", "/flows", tooLarge, { key, headers: json }), 403, "FORBIDDEN");
    expectRefusal(await send("POST", "/flows", "{", { key, headers: json }), 403, "FORBIDDEN");
    expectRefusal(await call("DELETE", `/flows/${missingFlow}`, undefined, { key }), 403, "FORBIDDEN");
  });

  // Proves errors.order-id
  it("the body and the query before the id, the id before If-Match", async () => {
    expectInvalid(await patch(`/flows/${missingFlow}`, { name: 5 }), "name");
    expectInvalid(await call("DELETE", `/flows/${missingFlow}?deleteExecutions=x`), "deleteExecutions");
    expectInvalid(await get("/executions/x?includeLogs=x"), "includeLogs");
    const stale = { headers: { "if-match": '"9"' } };
    expectRefusal(await patch(`/flows/${missingFlow}`, { name: "x" }, stale), 404, "NOT_FOUND");
  });

  it("a wrong body before a stale If-Match", async () => {
    const { id } = await createFlow();
    expectInvalid(await patch(`/flows/${id}`, { name: "" }, { headers: { "if-match": '"9"' } }), "name");
  });
});
