import { describe, expect, test } from "vitest";
import { jsonText } from "#lib/engine/outcome.ts";
import { responseOf } from "#lib/http/envelope.ts";
import { completedAnswer } from "./trigger-answer.ts";

const own = { "x-request-id": "r1", "x-execution-id": "exec_1" };
const answer = (value: unknown, status?: number, headers: Record<string, string> = {}) =>
  responseOf(completedAnswer(jsonText(value), status === undefined ? null : { status, headers }, own));

describe("without a respond node", () => {
  test("the output is the body, as JSON, whatever it is", async () => {
    for (const value of [{ a: 1 }, [1], "text", 3, null, true]) {
      const response = answer(value);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(await response.json()).toEqual(value);
    }
  });

  test("it is inert in a browser, open to all origins, and has the run's id", () => {
    expect(Object.fromEntries(answer(1).headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringMatching(/^sandbox; default-src 'none'/),
      "cache-control": "no-store",
      "access-control-allow-origin": "*",
      ...own,
    });
  });
});

describe("with one", () => {
  test.each([
    ...["Set-Cookie", "Clear-Site-Data", "Service-Worker-Allowed", "Content-Security-Policy", "Set-Login"],
    ...["Alt-Svc", "NEL", "Report-To", "Reporting-Endpoints", "Accept-CH", "Strict-Transport-Security", "Expect-CT"],
    ...["Public-Key-Pins", "Access-Control-Allow-Credentials", "Origin-Agent-Cluster", "No-Such-Header-Yet"],
    ...["WWW-Authenticate", "Proxy-Authenticate", "Refresh", "Link", "Speculation-Rules", "SourceMap", "Server-Timing"],
    ...[
      "Supports-Loading-Mode",
      "Document-Policy",
      "Permissions-Policy",
      "Content-Encoding",
      "Content-Range",
      "Location",
    ],
    ...[
      "X-Accel-Redirect",
      "X-Sendfile",
      "X-RateLimit-Limit",
      "X-Middleware-Rewrite",
      "X-Request-Id",
      " X-Execution-Id",
    ],
  ])("what acts on more than the answer, or is not the flow's to say, is not sent: %s", (name) => {
    expect(JSON.stringify([...answer("x", 200, { [name]: "forged" }).headers])).not.toContain("forged");
  });

  test.each([
    ["Content-Language", "de", 200],
    ["Content-Disposition", "attachment", 200],
    ["Cache-Control", "max-age=5", 200],
    ["ETag", '"1"', 200],
    ["Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT", 200],
    ["Vary", "Accept", 200],
    ["Retry-After", "5", 503],
    ["Location", "https://example.com/", 303],
    ["X-Own", "1", 200],
  ])("what describes the answer is sent: %s", (name, value, status) => {
    expect(answer("x", status, { [name]: value }).headers.get(name)).toBe(value);
  });

  test("a multipart answer, whose parts would have their own headers, is sent as JSON", () => {
    const type = "multipart/x-mixed-replace; boundary=a";
    expect(answer("x", 200, { "content-type": type }).headers.get("content-type")).toMatch(/^application\/json/);
  });

  test("it sets status and headers; text of another type is sent unchanged", async () => {
    const response = answer("<p>hello</p>", 201, {
      "Content-Type": "text/html",
      "X-Own": "1",
      "Cache-Control": "max-age=5",
    });
    expect([response.status, response.headers.get("x-own"), response.headers.get("cache-control")]).toEqual([
      201,
      "1",
      "max-age=5",
    ]);
    expect(await response.text()).toBe("<p>hello</p>");
    expect(response.headers.get("content-security-policy")).toMatch(/^sandbox/);
  });

  test.each(["application/json", "application/problem+json", "application/vnd.api+json; charset=utf-8"])(
    "text of the type %s stays JSON",
    async (type) => {
      expect(await answer("text", 200, { "content-type": type }).text()).toBe('"text"');
    },
  );

  test("a value that is not text is JSON with any type", async () => {
    expect(await answer({ a: 1 }, 200, { "content-type": "text/plain" }).text()).toBe('{"a":1}');
  });

  test.each([204, 205, 304])("%i has no body", async (status) => {
    const response = answer({ a: 1 }, status);
    expect([response.status, await response.text()]).toEqual([status, ""]);
  });

  test.each([
    "Set-Cookie",
    "set-cookie2",
    "Connection",
    "Transfer-Encoding",
    "Content-Length",
    "Content-Encoding",
    "Upgrade",
    "Content-Security-Policy",
    "X-Content-Type-Options",
    "Strict-Transport-Security",
    "Clear-Site-Data",
    "Service-Worker-Allowed",
    "Access-Control-Allow-Credentials",
    "Access-Control-Allow-Origin",
    "X-Execution-Id",
    "X-Request-Id",
  ])("%s is not its to set", (name) => {
    const usual = answer(1, 200).headers.get(name);
    expect(answer(1, 200, { [name]: "evil" }).headers.get(name)).toBe(usual);
  });

  test("a header that HTTP cannot carry is left out, and the answer is still sent", () => {
    const headers = { "x-bad": "a\r\nset-cookie: b", "bad name": "1", "x-ünï": "1", "x-emoji": "🙂", "x-good": "1" };
    const response = answer(1, 200, headers);
    expect(response.headers.get("x-good")).toBe("1");
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(response.headers.get("x-bad")).toBeNull();
    expect(response.headers.get("x-emoji")).toBeNull();
  });
});
