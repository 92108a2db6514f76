import { describe, expect, test, vi } from "vitest";
import { type JsonChunks, jsonStream } from "./json-stream.ts";

const form = { status: 200, headers: { "x-given": "yes" }, before: '{"data":', after: "}" };
const large = "x".repeat(100_000);

async function* chunksOf(...chunks: (string | Error)[]): JsonChunks {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk;
    yield chunk;
  }
}

describe("a streamed answer", () => {
  test("is the JSON of its parts, with the usual headers", async () => {
    const answer = await jsonStream(chunksOf("[1", ",2", `,"${large}"`, "]"), form);
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("x-given")]).toEqual([
      200,
      "application/json; charset=utf-8",
      "yes",
    ]);
    expect(await answer.json()).toEqual({ data: [1, 2, large] });
  });

  test("is not started if the first part fails", async () => {
    await expect(jsonStream(chunksOf(new Error("no")), form)).rejects.toThrow("no");
  });

  test("is cut off if a later one fails, and never ends like a complete one", async () => {
    const silent = vi.spyOn(console, "error").mockImplementation(() => {});
    const answer = await jsonStream(chunksOf(`["${large}"`, new Error("no")), form);
    await expect(answer.text()).rejects.toThrow();
    silent.mockRestore();
  });

  test("whose reader leaves while a part is read stops there, which is no error", async () => {
    const logged = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const read = Promise.withResolvers<void>();
    let isClosed = false;
    const slow = (async function* (): JsonChunks {
      try {
        yield "[";
        await read.promise;
        yield `"${large}"`;
      } finally {
        isClosed = true;
      }
    })();
    const reader = (await jsonStream(slow, form)).body?.getReader();
    void reader?.read();
    const left = reader?.cancel();
    read.resolve();
    await left;
    expect([isClosed, logged.mock.calls]).toEqual([true, []]);
    logged.mockRestore();
  });
});
