import { afterEach, expect, test, vi } from "vitest";
import { ApiError, callList } from "./client.ts";
import { listFlows } from "./flows/flows.ts";

afterEach(() => vi.unstubAllGlobals());

const answerWith = (body: string, status: number, headers: Record<string, string> = {}) =>
  vi.stubGlobal("fetch", async () => new Response(body, { status, headers }));

test("an answer of something in between, such as a proxy without its server, is no answer", async () => {
  for (const status of [200, 502, 503, 504]) {
    answerWith("<html><h1>Bad Gateway</h1></html>", status, { "content-type": "text/html" });
    const error = await callList(listFlows).catch((reason: unknown) => reason);
    expect([status, error instanceof TypeError]).toEqual([status, true]);
  }
});

test("a proxy that refuses a request is quoted, also over HTTP/2, which has no status text", async () => {
  answerWith("<html></html>", 413);
  const error = await callList(listFlows).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 413, message: "The server answered 413" });
});
