import { afterEach, expect, test, vi } from "vitest";
import { ApiError, call, callList } from "./client.ts";
import { createFlow, listFlows } from "./flows/flows.ts";

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

test("a read that is not answered fails in the end, a change is waited for", async () => {
  vi.useFakeTimers();
  try {
    const hang = (_: unknown, { signal }: RequestInit) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    vi.stubGlobal("fetch", hang);
    const ends: string[] = [];
    const note = (name: string, call: Promise<unknown>) => void call.catch(() => ends.push(name));
    note("read", callList(listFlows));
    note("change", call(createFlow, { body: { name: "A", trigger: { type: "manual" }, nodes: [] } }));
    await vi.advanceTimersByTimeAsync(29_000);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(ends).toEqual(["read"]);
  } finally {
    vi.useRealTimers();
  }
});

test("a read that its caller gives up ends at once", async () => {
  vi.stubGlobal("fetch", async (_: unknown, { signal }: RequestInit) => {
    signal?.throwIfAborted();
    return new Response("[]");
  });
  const gone = AbortSignal.abort(new Error("left"));
  await expect(callList(listFlows, { signal: gone })).rejects.toThrow("left");
});
