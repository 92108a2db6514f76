import { describe, expect, test } from "vitest";
import { delayBeforeRetry, isRetryableStatus, retryAfterMs, retryPolicy } from "./retry-policy.ts";

const policy = (input: object = {}) => retryPolicy.parse(input);

describe("transient statuses", () => {
  test.each([408, 425, 429, 500, 502, 503, 504, 599])("%i is", (status) => {
    expect(isRetryableStatus(status, policy())).toBe(true);
  });

  test.each([200, 301, 400, 401, 404, 409, 422])("%i is not", (status) => {
    expect(isRetryableStatus(status, policy())).toBe(false);
  });

  test("retryOn replaces the defaults", () => {
    const own = policy({ retryOn: [404] });
    expect(isRetryableStatus(404, own)).toBe(true);
    expect(isRetryableStatus(500, own)).toBe(false);
  });
});

describe("the delay", () => {
  // Proves http-request.retry-delay
  test("exponential doubles up to maxDelay, and jitter adds up to a quarter", () => {
    const own = policy({ retryDelay: 1000, maxDelay: 5000 });
    const delays = (random: number) => [1, 2, 3, 4, 10].map((retry) => delayBeforeRetry(own, retry, random, undefined));
    expect(delays(0)).toEqual([1000, 2000, 4000, 5000, 5000]);
    expect(delays(1)).toEqual([1250, 2500, 5000, 5000, 5000]);
    expect(delayBeforeRetry(policy({ retryDelay: 700 }), 1, 0.5, undefined)).toBe(788);
  });

  test.each(["exponential", "fixed"])("%s never waits less than retryDelay, even if maxDelay is shorter", (backoff) => {
    for (const retryDelay of [0, 1, 3, 700, 60_000]) {
      for (const random of [0, 0.1, 0.5, 1]) {
        const delayMs = delayBeforeRetry(policy({ retryDelay, backoff }), 1, random, undefined);
        expect(delayMs).toBeGreaterThanOrEqual(retryDelay);
      }
    }
  });

  test.each(["exponential", "fixed"])("%s waits retryDelay each time if maxDelay is shorter", (backoff) => {
    const own = policy({ retryDelay: 700, maxDelay: 100, backoff });
    expect([1, 2, 9].map((retry) => delayBeforeRetry(own, retry, 1, 86_400_000))).toEqual([700, 700, 700]);
  });

  // Proves http-request.retry-delay
  test("fixed waits the same each time", () => {
    const own = policy({ retryDelay: 700, backoff: "fixed" });
    expect([1, 5].map((retry) => delayBeforeRetry(own, retry, 0.1, undefined))).toEqual([700, 700]);
  });

  test("the server may request more, within maxDelay, but no less", () => {
    expect(delayBeforeRetry(policy(), 1, 0.5, 7000)).toBe(7000);
    expect(delayBeforeRetry(policy(), 1, 0.5, 86_400_000)).toBe(30_000);
    expect(delayBeforeRetry(policy({ retryDelay: 700, backoff: "fixed" }), 1, 0.5, 0)).toBe(700);
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");

  test("seconds", () => {
    expect(retryAfterMs({ "retry-after": "120" }, now)).toBe(120_000);
  });

  test("a date counts from the answer's own date", () => {
    const headers = { "retry-after": "Thu, 01 Jan 2026 01:00:30 GMT", date: "Thu, 01 Jan 2026 01:00:00 GMT" };
    expect(retryAfterMs(headers, now)).toBe(30_000);
  });

  test("a date without the answer's own counts from now; a past one means at once", () => {
    expect(retryAfterMs({ "retry-after": "Thu, 01 Jan 2026 00:00:10 GMT" }, now)).toBe(10_000);
    expect(retryAfterMs({ "retry-after": "Wed, 31 Dec 2025 00:00:10 GMT" }, now)).toBe(0);
  });

  test.each([{}, { "retry-after": "" }, { "retry-after": "soon" }])("%j requests no delay", (headers) => {
    expect(retryAfterMs(headers, now)).toBeUndefined();
  });
});

test.each([{ maxRetries: 11 }, { maxRetries: -1 }, { maxRetries: 1e9 }, { maxRetries: "1" }, { retryDelay: 300_001 }])(
  "%j is not a policy",
  (input) => {
    expect(retryPolicy.safeParse(input).success).toBe(false);
  },
);
