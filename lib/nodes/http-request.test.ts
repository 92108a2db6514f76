import { describe, expect, test } from "vitest";
import { z } from "zod";
import { fakeRun, runHttpRequest } from "./http-request/fake-context.ts";
import { httpRequest } from "./http-request.ts";

/** The single request that a config leads to. */
async function sentBy(config: object) {
  const run = fakeRun();
  await runHttpRequest(config, run);
  expect(run.sent).toHaveLength(1);
  return { ...run.sent[0], headers: run.sent[0]?.headers ?? {}, logs: run.logs };
}

describe("the config", () => {
  // Proves http-request.defaults
  test("only the URL is required; the rest has defaults", () => {
    expect(httpRequest.config.parse({ url: "https://x.test" })).toEqual({
      method: "GET",
      url: "https://x.test",
      query: {},
      headers: {},
      responseType: "auto",
      timeout: 30_000,
      retry: { maxRetries: 0, retryDelay: 1000, backoff: "exponential", maxDelay: 30_000 },
      failOnStatus: true,
      followRedirects: true,
    });
    expect(httpRequest.config.safeParse({}).success).toBe(false);
  });

  test("the example is valid, and the common fields of all nodes are no error", () => {
    expect(httpRequest.config.safeParse(httpRequest.example).success).toBe(true);
    expect(httpRequest.config.safeParse({ url: "x", onError: "continue", notes: "!" }).success).toBe(true);
  });

  test.each([
    { timeout: 0 },
    { timeout: -1 },
    { timeout: 300_001 },
    { timeout: 1e308 },
    { timeout: "30" },
    { timeout: 1.5 },
    { retry: { maxRetries: 1e9 } },
    { method: "TRACE" },
    { method: "get" },
    { url: "" },
    { headers: { a: {} } },
    { bodyType: "xml" },
  ])("%j is refused", (config) => {
    expect(httpRequest.config.safeParse({ url: "https://x.test", ...config }).success).toBe(false);
  });

  test("every field has a title and a description for the form", () => {
    const bare: string[] = [];
    const visit = (path: string, schema: z.core.JSONSchema._JSONSchema) => {
      for (const [name, field] of Object.entries((typeof schema === "object" && schema.properties) || {})) {
        if (typeof field !== "object" || !field.title || !field.description) bare.push(`${path}${name}`);
        visit(`${path}${name}.`, field);
      }
    };
    visit("", z.toJSONSchema(httpRequest.config, { io: "input" }));
    expect(bare).toEqual([]);
  });
});

describe("the URL", () => {
  test("the query is added to the URL's own, which stays as written", async () => {
    const { url } = await sentBy({
      url: "https://api.test/a?sig=x%20y&t=1",
      query: { t: 2, tag: ["a b", "c&d"], on: true, off: null, ü: "é" },
    });
    expect(url).toBe("https://api.test/a?sig=x%20y&t=1&t=2&tag=a+b&tag=c%26d&on=true&%C3%BC=%C3%A9");
  });

  test("a query of many values is added at once; one that no server accepts is refused", async () => {
    const ids = Array.from({ length: 1_000 }, (_, id) => id);
    const query = Object.fromEntries(Array.from({ length: 30 }, (_, name) => [`name${name}`, ids]));
    const { url } = await sentBy({ url: "https://api.test/a", query: { a: query.name0, b: ids } });
    expect(url?.split("&")).toHaveLength(2_000);
    const run = fakeRun();
    await expect(runHttpRequest({ url: "https://api.test/a", query }, run)).rejects.toMatchObject({
      code: "INVALID_CONFIG",
      field: "query",
    });
  });

  test.each(["api.test/x", "/x", "ftp://api.test", "http://"])("%s is refused before anything is sent", async (url) => {
    const run = fakeRun();
    await expect(runHttpRequest({ url }, run)).rejects.toMatchObject({ code: "BAD_URL", field: "url" });
    expect(run.sent).toHaveLength(0);
  });
});

describe("the body", () => {
  const post = (config: object) => sentBy({ method: "POST", ...config });

  test.each(["form", "multipart"])("a %s of more fields than servers accept is refused", async (bodyType) => {
    const run = fakeRun();
    const body = { ids: Array.from({ length: 10_001 }, () => 1) };
    await expect(
      runHttpRequest({ method: "POST", url: "https://api.test/", body, bodyType }, run),
    ).rejects.toMatchObject({ code: "INVALID_CONFIG", field: "body" });
    expect(run.sent).toHaveLength(0);
  });

  test.each([
    ["an object as JSON", { body: { a: [1, null] } }, '{"a":[1,null]}', "application/json"],
    ["a number as JSON", { body: 7 }, "7", "application/json"],
    ["a string as it is", { body: "plain" }, "plain", "text/plain; charset=utf-8"],
    ["a string said to be JSON as it is", { body: '{"a":1}', bodyType: "json" }, '{"a":1}', "application/json"],
    [
      "a form",
      { body: { a: "1 2", b: ["x", "y"], c: null, d: { e: 1 } }, bodyType: "form" },
      "a=1+2&b=x&b=y&d=%7B%22e%22%3A1%7D",
      "application/x-www-form-urlencoded",
    ],
    ["a form's string as it is", { body: "a=1", bodyType: "form" }, "a=1", "application/x-www-form-urlencoded"],
    ["an object as text", { body: { a: 1 }, bodyType: "text" }, '{"a":1}', "text/plain; charset=utf-8"],
  ])("%s", async (_case, config, body, contentType) => {
    const request = await post(config);
    expect(request.body).toBe(body);
    expect(request.headers["content-type"]).toBe(contentType);
  });

  test("the flow's own Content-Type wins, in any case", async () => {
    const { headers } = await post({ body: {}, headers: { "CONTENT-type": "application/vnd.api+json" } });
    expect(headers["content-type"]).toBe("application/vnd.api+json");
  });

  test("no body means no Content-Type", async () => {
    const request = await post({ body: null });
    expect(request).not.toHaveProperty("body");
    expect(request.headers).not.toHaveProperty("content-type");
  });

  test.each(["GET", "HEAD"])("%s sends none, and the log says so", async (method) => {
    const request = await sentBy({ method, body: { a: 1 } });
    expect(request).not.toHaveProperty("body");
    expect(request.headers).toEqual({});
    expect(request.logs).toMatchObject([{ level: "warning" }]);
  });
});

describe("headers", () => {
  test("numbers and booleans become text, null leaves one out", async () => {
    const { headers } = await sentBy({ headers: { "X-A": 1, "X-B": false, "X-C": null } });
    expect(headers).toEqual({ "x-a": "1", "x-b": "false" });
  });

  test.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])(
    "%s carries an Idempotency-Key of run and node",
    async (method) => {
      expect((await sentBy({ method })).headers["idempotency-key"]).toBe("exec_1.call");
    },
  );

  test("the flow's own Idempotency-Key wins, in any case", async () => {
    const { headers } = await sentBy({ method: "POST", headers: { "IDEMPOTENCY-KEY": "mine" } });
    expect(headers).toEqual({ "idempotency-key": "mine" });
  });

  test("time limit, redirects and the run's signal are passed on", async () => {
    expect(await sentBy({ timeout: 5, followRedirects: false })).toMatchObject({
      timeoutMs: 5,
      followRedirects: false,
    });
  });
});

describe("the answer", () => {
  const outputOf = async (contentType: string | undefined, body: string | Buffer) => {
    const headers: Record<string, string> = contentType === undefined ? {} : { "content-type": contentType };
    const { output } = await runHttpRequest({}, fakeRun([{ status: 201, headers, body }]));
    expect(output).toMatchObject({ status: 201, headers });
    return (output as { body: unknown }).body;
  };
  const latin = Buffer.from("größe", "latin1");
  const binary = Buffer.from([0xff, 0xd8, 0x00, 0x80]);

  test.each([
    ["application/json", '{"a":[1]}', { a: [1] }],
    ["Application/JSON; charset=utf-8", "null", null],
    ["application/problem+json", "[true]", [true]],
    ["application/json", "{broken", "{broken"],
    ["application/json", "\ufeff1", 1],
    ["text/plain", "größe", "größe"],
    ["text/html; charset=iso-8859-1", latin, "größe"],
    ['text/plain; charset="windows-1252"', Buffer.from([0x80]), "€"],
    ["text/plain; charset=klingon", "qapla'", "qapla'"],
    ["image/svg+xml", "<svg/>", "<svg/>"],
    ["application/xml", "<a/>", "<a/>"],
    ["application/x-ndjson", "{}\n{}", "{}\n{}"],
    ["image/jpeg", binary, binary.toString("base64")],
    ["application/octet-stream", "text", Buffer.from("text").toString("base64")],
    [undefined, "text", "text"],
    [undefined, binary, binary.toString("base64")],
    ["application/json", "", null],
    ["text/plain", "", null],
    [undefined, "", null],
  ])("%s", async (contentType, body, expected) => {
    expect(await outputOf(contentType, body)).toEqual(expected);
  });

  test.each([
    ["closed", `${"[".repeat(501)}${"]".repeat(501)}`],
    ["never closed", "[".repeat(1_000_000)],
    ["objects", '{"a":'.repeat(100_000)],
  ])("JSON nested deeper than an output may be fails the node as soon as that is seen: %s", async (_, body) => {
    await expect(outputOf("application/json", body)).rejects.toMatchObject({
      name: "NodeFailure",
      code: "OUTPUT_TOO_DEEP",
      message: "The output is nested deeper than 500 levels",
    });
  });

  test("large truncated JSON stays text", async () => {
    const broken = JSON.stringify(Array.from({ length: 30_000 }, (_, index) => [index])).slice(0, -1);
    expect(await outputOf("application/json", broken)).toBe(broken);
  });
});

describe("an error status", () => {
  const refused = (body: string, contentType = "text/plain") => [
    { status: 422, headers: { "content-type": contentType }, body },
  ];

  test("fails the node with method, URL, status and the beginning of the body, and without the query", async () => {
    const failed = runHttpRequest(
      { query: { key: "hidden" } },
      fakeRun(refused('{"error":\n  "no stock"}', "application/json")),
    );
    await expect(failed).rejects.toMatchObject({
      name: "NodeFailure",
      code: "HTTP_STATUS",
      message: 'GET https://api.test/path answered 422: {"error": "no stock"}',
    });
  });

  test("a long body is cut between words", async () => {
    const failed = runHttpRequest({}, fakeRun(refused(`${"word ".repeat(58)} ${"k".repeat(50)} end`)));
    await expect(failed).rejects.toThrow(/word…$/);
  });

  test("a body that is not text is not quoted", async () => {
    const failed = runHttpRequest({}, fakeRun(refused("\0\0", "image/png")));
    await expect(failed).rejects.toThrow(/answered 422$/);
  });

  test("is an answer when failOnStatus is false", async () => {
    const { output } = await runHttpRequest({ failOnStatus: false }, fakeRun(refused("no")));
    expect(output).toMatchObject({ status: 422, body: "no" });
  });
});

test.each([
  { method: "GET" },
  { method: "POST", body: "text" },
  { method: "POST", body: [1] },
  { method: "POST", body: {}, bodyType: "multipart" },
])("a page has no place in the body of %j", async (config) => {
  const run = fakeRun();
  const paged = { ...config, url: "https://x.test", pagination: { page: 1, in: "body" } };
  await expect(runHttpRequest(paged, run)).rejects.toMatchObject({
    code: "INVALID_CONFIG",
    field: "pagination.in",
  });
  expect(run.sent).toEqual([]);
});
