import { describe, expect, it } from "vitest";
import { countingServer } from "#e2e/support/counting-server.ts";
import {
  createFlow,
  edge,
  ended,
  node,
  outputOf,
  readExecution,
  run,
  start,
  type TestRun,
} from "#e2e/support/flows.ts";

type Config = Record<string, unknown>;

const call = (config: Config, data = {}) => run([node("call", "http-request", config)], [], data);
const output = async (config: Config, data = {}) => {
  const result = await call(config, data);
  expect(result.error).toBeUndefined();
  return result.output as { status: number; headers: Record<string, string>; body: unknown };
};
const retries = async ({ executionId }: TestRun) => (await readExecution(executionId)).nodes[0]?.retries;
const quick = { maxRetries: 3, retryDelay: 1 };

describe("a request", () => {
  // Proves http-request.output
  it("is sent as configured, and its answer is {status, headers, body}", async () => {
    const sink = await countingServer(() => ({ status: 201, headers: { "X-Mark": "yes" }, body: { id: 7 } }));
    const answer = await output(
      {
        method: "PUT",
        url: `${sink.url}/a%20b?x=1`,
        query: { y: "{{ $trigger.body.y }}", z: [1, 2], none: null },
        headers: { "X-Flow": "{{ $flow.name }}", "content-type": "application/merge-patch+json" },
        body: { list: ["{{ $trigger.body.y }}"] },
      },
      { y: "ü&" },
    );
    expect(answer).toMatchObject({ status: 201, headers: { "x-mark": "yes" }, body: { id: 7 } });
    expect(sink.received).toMatchObject([
      {
        method: "PUT",
        url: "/a%20b?x=1&y=%C3%BC%26&z=1&z=2",
        headers: { "x-flow": "Test", "content-type": "application/merge-patch+json" },
        body: '{"list":["ü&"]}',
      },
    ]);
  });

  // Proves http-request.body-types
  it.each([
    [{ a: 1 }, undefined, "application/json", '{"a":1}'],
    ["text", undefined, "text/plain; charset=utf-8", "text"],
    [{ a: "x y", b: [1, 2] }, "form", "application/x-www-form-urlencoded", "a=x+y&b=1&b=2"],
    [[1], "text", "text/plain; charset=utf-8", "[1]"],
  ])("body %j as %s", async (body, bodyType, type, sent) => {
    const sink = await countingServer();
    await output({ method: "POST", url: sink.url, body, ...(bodyType ? { bodyType } : {}) });
    expect(sink.received[0]).toMatchObject({ body: sent, headers: { "content-type": type } });
  });

  // Proves http-request.output
  it.each<[unknown, Record<string, string>, unknown]>([
    ["plain", {}, "plain"],
    ["{broken", { "content-type": "application/json" }, "{broken"],
    ["", {}, null],
    ["AB", { "content-type": "application/octet-stream" }, "QUI="],
  ])("the answer %j with %j reads as %j", async (body, headers, seen) => {
    const sink = await countingServer(() => ({ body, headers }));
    expect((await output({ url: sink.url })).body).toEqual(seen);
  });
});

describe("retries", () => {
  // Proves http-request.retries
  it.each([408, 425, 429, 500, 503, 599])("status %i is retried", async (status) => {
    const sink = await countingServer((index) => (index < 2 ? { status } : { status: 200 }));
    const result = await call({ url: sink.url, retry: quick });
    expect(result.status).toBe("completed");
    expect(sink.received).toHaveLength(3);
    expect(await retries(result)).toBe(2);
  });

  // Proves http-request.no-retries
  it.each([400, 401, 403, 404, 409, 422, 499])("status %i is not", async (status) => {
    const sink = await countingServer(() => ({ status }));
    expect((await call({ url: sink.url, retry: quick })).status).toBe("failed");
    expect(sink.received).toHaveLength(1);
  });

  // Proves http-request.retries
  it("a broken connection is retried", async () => {
    const sink = await countingServer((index) => (index === 0 ? { reset: true } : {}));
    expect(await output({ url: sink.url, retry: quick })).toMatchObject({ status: 200 });
  });

  // Proves http-request.retries
  it("a timeout is retried", async () => {
    const sink = await countingServer((index) => (index === 0 ? "hold" : {}));
    expect(await output({ url: sink.url, timeout: 200, retry: quick })).toMatchObject({ status: 200 });
  });

  it("there are none by default, and the last failure is the result", async () => {
    const sink = await countingServer(() => ({ status: 503, body: "away for now" }));
    const once = await call({ url: sink.url });
    expect(sink.received).toHaveLength(1);
    expect(once.error).toMatchObject({ code: "HTTP_STATUS", nodeId: "call" });
    expect(once.error?.message).toMatch(/503.*away for now/);
    await call({ url: sink.url, retry: quick });
    expect(sink.received).toHaveLength(5);
  });

  it("wait as long as Retry-After asks, up to maxDelay", async () => {
    const sink = await countingServer((index) => (index === 0 ? { status: 429, headers: { "retry-after": "1" } } : {}));
    await output({ url: sink.url, retry: quick });
    expect((sink.received[1]?.atMs ?? 0) - (sink.received[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(950);
    const long = await countingServer((index) =>
      index === 0 ? { status: 503, headers: { "retry-after": "3600" } } : {},
    );
    expect(await output({ url: long.url, retry: { ...quick, maxDelay: 50 } })).toMatchObject({ status: 200 });
  });

  it("are logged as warnings", async () => {
    const sink = await countingServer((index) => (index === 0 ? { status: 500 } : {}));
    const { executionId } = await call({ url: sink.url, retry: quick });
    const { logs, warningCount } = await readExecution(executionId, "?includeLogs=true");
    expect(warningCount).toBe(1);
    expect(logs?.filter(({ nodeId }) => nodeId !== null)).toMatchObject([
      { level: "warning", nodeId: "call", message: expect.stringMatching(/500.*Retry 1 of 3/) },
    ]);
  });
});

describe("Idempotency-Key", () => {
  // Proves http-request.idempotency-key
  it.each(["POST", "PUT", "PATCH", "DELETE"])(
    "of %s is execution and node, the same through all retries",
    async (method) => {
      const sink = await countingServer((index) => (index < 2 ? { status: 500 } : {}));
      const result = await call({ method, url: sink.url, retry: quick });
      const keys = sink.received.map(({ headers }) => headers["idempotency-key"]);
      expect(keys).toEqual(Array(3).fill(`${result.executionId}.call`));
    },
  );

  it.each([
    ["größe 👍", "gr%C3%B6%C3%9Fe%20%F0%9F%91%8D"],
    ["a\nb", "a%0Ab"],
    ["100%", "100%25"],
    ["a'].b/c", "a'].b/c"],
  ])("of the node %j ends with %s", async (id, shown) => {
    const sink = await countingServer();
    const result = await run([node(id, "http-request", { method: "POST", url: sink.url })]);
    expect(sink.received[0]?.headers["idempotency-key"]).toBe(`${result.executionId}.${shown}`);
  });

  // Proves http-request.idempotency-key-own
  it("is not sent with GET and HEAD, and the flow's own takes precedence", async () => {
    const sink = await countingServer();
    await call({ method: "GET", url: sink.url });
    await call({ method: "HEAD", url: sink.url });
    await call({ method: "POST", url: sink.url, headers: { "Idempotency-Key": "mine" } });
    expect(sink.received.map(({ headers }) => headers["idempotency-key"])).toEqual([undefined, undefined, "mine"]);
  });
});

describe("an answer of 400 or above", () => {
  // Proves http-request.fail-on-status
  it("fails the node unless failOnStatus is false", async () => {
    const sink = await countingServer(() => ({ status: 404, body: { why: "gone" } }));
    const error = { code: "HTTP_STATUS", message: expect.stringContaining("404") };
    expect(await call({ url: sink.url })).toMatchObject({ status: "failed", error });
    expect(await output({ url: sink.url, failOnStatus: false })).toMatchObject({ status: 404, body: { why: "gone" } });
  });
});

describe("failures are clear", () => {
  // Proves http-request.timeout
  it.each([
    ["a time-out", { timeout: 100 }, "TIMEOUT", /100 ms|time/i],
    ["an address that is none", { url: "not a url" }, "BAD_URL", /http/],
    ["another scheme", { url: "file:///etc/passwd" }, "BAD_URL", /http/],
    [
      "the metadata address",
      { url: "http://169.254.169.254/latest/meta-data" },
      "BLOCKED_ADDRESS",
      /169\.254\.169\.254|Blocked/,
    ],
    ["a private address", { url: "http://10.0.0.1/" }, "BLOCKED_ADDRESS", /OUTBOUND_ALLOW/],
    ["this machine by another name", { url: "http://[::ffff:10.0.0.1]/" }, "BLOCKED_ADDRESS", /Blocked/i],
    ["a number for an address", { url: "http://167772161/" }, "BLOCKED_ADDRESS", /Blocked/i],
    ["a host that does not exist", { url: "http://nowhere.invalid/" }, "DNS_FAILED", /nowhere\.invalid/],
  ])("%s", async (_, config, code, message) => {
    const sink = await countingServer(() => "hold");
    const result = await call({ url: sink.url, ...config });
    expect(result).toMatchObject({ status: "failed", error: { nodeId: "call", code } });
    expect(result.error?.message).toMatch(message);
  });

  it("a port where nobody listens", async () => {
    const sink = await countingServer(() => ({ reset: true }));
    expect((await call({ url: sink.url })).error).toMatchObject({
      nodeId: "call",
      code: expect.stringMatching(/RESET|CONNECT_FAILED/),
    });
  });

  it.each<[Config, string]>([
    [{ timeout: 0 }, "timeout"],
    [{ timeout: "30" }, "timeout"],
    [{ timeout: 1e308 }, "timeout"],
    [{ retry: { maxRetries: 1e9 } }, "retry.maxRetries"],
    [{ retry: { maxRetries: -1 } }, "retry.maxRetries"],
    [{ method: "BREW" }, "method"],
    [{ headers: [] }, "headers"],
    [{ headers: { host: "evil.example" } }, "headers"],
    [{ headers: { "x-a": "line\r\nbreak: x" } }, "headers"],
    [{ onError: "ignore" }, "onError"],
  ])("a config with %j, naming the field", async (config, field) => {
    const sink = await countingServer();
    const result = await call({ url: sink.url, ...config });
    const [recorded] = (await readExecution(result.executionId)).nodes;
    expect(recorded).toMatchObject({ status: "failed", error: { field: expect.stringContaining(field) } });
    expect(sink.received).toHaveLength(0);
  });
});

describe("redirects", () => {
  const ring = (count: number) =>
    countingServer((index) => (index < count ? { status: 302, headers: { location: `/${index + 1}` } } : {}));

  // Proves http-request.redirects
  it("are followed up to 5 times", async () => {
    const five = await ring(5);
    expect(await output({ url: five.url })).toMatchObject({ status: 200 });
    expect(five.received.map(({ url }) => url)).toEqual(["/", "/1", "/2", "/3", "/4", "/5"]);
    const six = await ring(6);
    const result = await call({ url: six.url });
    expect(result).toMatchObject({ status: "failed", error: { message: expect.stringMatching(/redirect/i) } });
    expect(six.received).toHaveLength(6);
  });

  // Proves http-request.follow-redirects
  it("are returned as the answer with followRedirects false", async () => {
    const sink = await ring(1);
    expect(await output({ url: sink.url, followRedirects: false })).toMatchObject({
      status: 302,
      headers: { location: "/1" },
    });
  });

  // Proves http-request.redirects
  it("are checked like the first URL", async () => {
    const sink = await countingServer(() => ({ status: 302, headers: { location: "http://169.254.169.254/" } }));
    expect((await call({ url: sink.url })).error).toMatchObject({ code: "BLOCKED_ADDRESS" });
  });

  // Proves http-request.redirect-secrets
  it("to another origin drop Authorization and Cookie, to the same one keep them", async () => {
    const there = await countingServer();
    const here = await countingServer((index) => ({
      status: 307,
      headers: { location: index === 0 ? "/on" : there.url },
    }));
    await output({ url: here.url, headers: { authorization: "Bearer x", cookie: "a=b", "x-mine": "kept" } });
    expect(here.received[1]?.headers).toMatchObject({ authorization: "Bearer x", cookie: "a=b" });
    expect(there.received[0]?.headers).toMatchObject({ "x-mine": "kept" });
    expect(there.received[0]?.headers).not.toHaveProperty("authorization");
    expect(there.received[0]?.headers).not.toHaveProperty("cookie");
  });
});

describe("a run's record", () => {
  it("is complete as soon as it has ended, however many run at once", async () => {
    const sink = await countingServer();
    const nodes = ["a", "b", "c"].map((id) => node(id, "http-request", { url: sink.url }));
    const { id } = await createFlow({ nodes, edges: [edge("a", "c"), edge("b", "c")] });
    const executions = await Promise.all(
      Array.from({ length: 20 }, async () => ended(await start(id), "?includeNodeOutputs=true")),
    );
    for (const execution of executions) {
      expect(execution.nodes.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
      expect(outputOf(execution, "c")).toMatchObject({ status: 200 });
    }
    expect(sink.received).toHaveLength(60);
  });
});
