import { afterEach, describe, expect, test, vi } from "vitest";
import { AppError, type ErrorCode, errorStatus, notFound } from "#lib/errors.ts";
import { errorAnswer } from "./envelope.ts";

const id = { "x-request-id": "the-request" };
const bodyOf = (thrown: unknown) => errorAnswer(thrown, id).json();

describe("client errors", () => {
  // Proves conventions.error-envelope, errors.codes
  test.each(Object.entries(errorStatus) as [ErrorCode, number][])("%s are answered with %i", async (code, status) => {
    const answer = errorAnswer(new AppError(code, "Why", { details: { field: "wrong" } }), id);
    expect([answer.status, await answer.json()]).toEqual([
      status,
      { success: false, error: { code, message: "Why", details: { field: "wrong" } } },
    ]);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.headers.get("x-request-id")).toBe("the-request");
    expect(answer.headers.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null);
  });

  // Proves errors.not-found
  test("have no details if there are none", async () => {
    expect(await bodyOf(notFound("Flow"))).toEqual({
      success: false,
      error: { code: "NOT_FOUND", message: "Flow not found" },
    });
  });

  test("have the time to retry after", () => {
    const later = new AppError("CONFLICT", "Not yet", { retryAfterSeconds: 3 });
    expect(errorAnswer(later, id).headers.get("retry-after")).toBe("3");
    expect(errorAnswer(notFound("Flow"), id).headers.get("retry-after")).toBeNull();
  });
});

describe("internal errors", () => {
  afterEach(() => vi.restoreAllMocks());

  // Proves errors.internal
  test.each([new Error("relation execution does not exist"), "a thrown text", undefined])(
    "are reported by the request's id only, and logged in full: %s",
    async (thrown) => {
      const logged: string[] = [];
      for (const stream of [process.stdout, process.stderr]) {
        vi.spyOn(stream, "write").mockImplementation((text) => logged.push(String(text)) > 0);
      }
      const answer = errorAnswer(thrown, id);
      expect([answer.status, await answer.json()]).toEqual([
        500,
        {
          success: false,
          error: { code: "INTERNAL_ERROR", message: expect.any(String), details: { requestId: "the-request" } },
        },
      ]);
      expect(logged.join("")).toContain("the-request");
      if (thrown instanceof Error) expect(logged.join("")).toContain(thrown.message);
    },
  );

  test("do not include an unavailable database, which is 503 with Retry-After", async () => {
    const answer = errorAnswer(Object.assign(new Error("connect"), { code: "ECONNREFUSED" }), id);
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await answer.json()).toMatchObject({ error: { code: "SERVICE_UNAVAILABLE" } });
  });
});
