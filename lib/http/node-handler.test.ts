import { describe, expect, it } from "vitest";
import { answerPathless, refuseUnroutedMethod } from "./node-handler.ts";

describe("a method that no route file has", () => {
  it.each([
    ["/api/v1/flows", "GET, HEAD, POST, OPTIONS"],
    ["/v1/flows/?page=1", "GET, HEAD, POST, OPTIONS"],
    ["/api/v1/flows/flow_x/execute", "POST, OPTIONS"],
    ["/api/v1/openapi.json", "GET, HEAD, OPTIONS"],
    ["/api/v1/resume/token", "GET, HEAD, POST, OPTIONS"],
    ["/api/v1/flows/check", "POST, OPTIONS"],
  ])("is refused at %s, which takes %s", (url, allow) => {
    const answer = refuseUnroutedMethod("TRACE", url);
    expect([answer?.status, answer?.headers.allow]).toEqual([405, allow]);
    expect(JSON.parse(answer?.body ?? "")).toMatchObject({ success: false, error: { code: "METHOD_NOT_ALLOWED" } });
  });

  it.each(["/api/v1/nope", "/api/v1", "/v1?a=1"])("is 404 where the API has no path: %s", (url) => {
    expect(refuseUnroutedMethod("TRACE", url)?.status).toBe(404);
  });

  it("is left to Next on pages, like all other methods", () => {
    expect(refuseUnroutedMethod("TRACE", "/flows")).toBeNull();
    expect(refuseUnroutedMethod("PUT", "/api/v1/flows")).toBeNull();
  });
});

describe("a target without a path", () => {
  it("means the whole server for OPTIONS", () => {
    expect(answerPathless("OPTIONS", "*")).toMatchObject({
      status: 204,
      headers: { allow: expect.stringContaining("POST") },
    });
  });

  it("is 404 for all other methods", () => {
    expect(answerPathless("GET", "*")?.status).toBe(404);
    expect(answerPathless("OPTIONS", "/api/v1/flows")).toBeNull();
  });
});
