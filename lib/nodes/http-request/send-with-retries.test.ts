import { describe, expect, test } from "vitest";
import { FakeOutboundError, fakeRun, runHttpRequest } from "./fake-context.ts";

const retry = { maxRetries: 3, retryDelay: 1000 };

describe("transient failures are retried", () => {
  test.each([
    ["TIMEOUT", new FakeOutboundError("TIMEOUT")],
    ["RESET", new FakeOutboundError("RESET")],
    ["CONNECT_FAILED", new FakeOutboundError("CONNECT_FAILED")],
    ["DNS_FAILED", new FakeOutboundError("DNS_FAILED")],
    ["408", { status: 408 }],
    ["425", { status: 425 }],
    ["429", { status: 429 }],
    ["500", { status: 500 }],
    ["503", { status: 503 }],
  ])("%s", async (_case, first) => {
    const run = fakeRun([first, { status: 200, body: "ok" }]);
    const { output } = await runHttpRequest({ retry }, run);
    expect(output).toMatchObject({ status: 200, body: "ok" });
    expect(run.retries()).toBe(1);
    expect(run.slept).toEqual([1125]);
  });

  test("every attempt sends the same request, including its Idempotency-Key", async () => {
    const run = fakeRun([{ status: 503 }, { status: 503 }, {}]);
    await runHttpRequest({ method: "POST", body: { a: 1 }, retry }, run);
    expect(run.sent).toHaveLength(3);
    expect(run.sent[1]).toEqual(run.sent[0]);
    expect(run.sent[2]).toEqual(run.sent[0]);
  });

  test("each retry logs a warning without the query", async () => {
    const run = fakeRun([{ status: 503 }, new FakeOutboundError("TIMEOUT", "Too slow"), {}]);
    await runHttpRequest({ query: { key: "hidden" }, retry }, run);
    expect(run.logs).toEqual([
      {
        level: "warning",
        message: "GET https://api.test/path answered 503. Retry 1 of 3 in 1.1 s",
        data: { status: 503, retry: 1, delayMs: 1125 },
      },
      {
        level: "warning",
        message: "GET https://api.test/path failed: Too slow. Retry 2 of 3 in 2.3 s",
        data: { code: "TIMEOUT", retry: 2, delayMs: 2250 },
      },
    ]);
  });

  test("retryOn replaces the default statuses", async () => {
    const run = fakeRun([{ status: 404 }, { status: 500 }]);
    await expect(runHttpRequest({ retry: { ...retry, retryOn: [404] } }, run)).rejects.toThrow(/500/);
    expect(run.sent).toHaveLength(2);
  });
});

describe("permanent failures are not retried", () => {
  test.each([
    "BLOCKED_ADDRESS",
    "BAD_URL",
    "BAD_HEADER",
    "BAD_RESPONSE",
    "RESPONSE_TOO_LARGE",
    "TOO_MANY_REDIRECTS",
    "TLS",
    "ABORTED",
  ])("%s", async (code) => {
    const run = fakeRun([new FakeOutboundError(code, "Because")]);
    await expect(runHttpRequest({ retry }, run)).rejects.toMatchObject({
      name: "NodeFailure",
      code,
      message: "GET https://api.test/path failed: Because",
    });
    expect(run.sent).toHaveLength(1);
  });

  test.each([400, 401, 404, 409, 422])("%i", async (status) => {
    const run = fakeRun([{ status }]);
    await expect(runHttpRequest({ retry }, run)).rejects.toMatchObject({ code: "HTTP_STATUS" });
    expect(run.sent).toHaveLength(1);
  });

  test("an internal error, which is rethrown", async () => {
    const bug = new TypeError("a bug");
    await expect(runHttpRequest({ retry }, fakeRun([bug]))).rejects.toBe(bug);
  });
});

describe("when retries are used up", () => {
  test("the last failure is the result", async () => {
    const run = fakeRun([new FakeOutboundError("RESET")]);
    await expect(runHttpRequest({ retry }, run)).rejects.toMatchObject({ code: "RESET" });
    expect(run.sent).toHaveLength(4);
    expect(run.slept).toEqual([1125, 2250, 4500]);
    expect(run.retries()).toBe(3);
  });

  test("the last answer is the output if failOnStatus is false", async () => {
    const run = fakeRun([{ status: 503 }]);
    const { output } = await runHttpRequest({ retry, failOnStatus: false }, run);
    expect(output).toMatchObject({ status: 503 });
    expect(run.sent).toHaveLength(4);
  });

  test("without a policy there is one attempt", async () => {
    const run = fakeRun([{ status: 503 }]);
    await expect(runHttpRequest({}, run)).rejects.toMatchObject({ code: "HTTP_STATUS" });
    expect(run.sent).toHaveLength(1);
  });
});

describe("Retry-After", () => {
  test.each([
    ["seconds", { "retry-after": "7" }, 7000],
    ["a date", { "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT", date: "Thu, 01 Jan 2026 00:00:00 GMT" }, 9000],
    ["no more than maxDelay", { "retry-after": "86400" }, 30_000],
  ])("%s", async (_case, headers, expected) => {
    const run = fakeRun([{ status: 429, headers }, {}]);
    await runHttpRequest({ retry }, run);
    expect(run.slept).toEqual([expected]);
  });
});

test("a run that ends during the pause sends nothing more", async () => {
  const run = fakeRun([{ status: 503 }]);
  const ended = { ...run, context: { ...run.context, sleep: () => Promise.reject(new Error("ended")) } };
  await expect(runHttpRequest({ retry }, ended)).rejects.toThrow("ended");
  expect(run.sent).toHaveLength(1);
  expect(run.retries()).toBe(0);
});
