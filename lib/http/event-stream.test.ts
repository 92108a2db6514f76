import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { type Events, eventStream } from "./event-stream.ts";

const schema = z.object({ id: z.int(), event: z.string(), data: z.object({ n: z.int() }) });
const event = (n: number) => ({ id: n, event: "node", data: { n, secret: "not promised" } });

let taken: number;
let left: boolean;
/** Yields events as fast as they are consumed; after `count`, waits until its reader leaves. */
async function* counting(count: number, disconnect: AbortController): Events {
  try {
    for (taken = 1; taken <= count; taken += 1) yield event(taken);
    await new Promise((resolve) => disconnect.signal.addEventListener("abort", resolve));
  } finally {
    left = true;
  }
}
async function* failing(): Events {
  yield event(1);
  throw new Error("no more");
}

// biome-ignore lint/correctness/useYield: it ends before its first event
async function* eventsUntil(error?: Error): Events {
  if (error !== undefined) throw error;
}

async function open(make: (disconnect: AbortController) => Events, isAdmitted = async () => true) {
  const disconnect = new AbortController();
  const answer = await eventStream(make(disconnect), { schema, disconnected: disconnect, isAdmitted });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  return { answer, next: async () => (await reader?.read())?.value, cancel: () => reader?.cancel() };
}

beforeEach(() => {
  left = false;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a stream of events", () => {
  test("each has an id, a name and data that match the schema", async () => {
    const { next, cancel } = await open((disconnect) => counting(2, disconnect));
    expect([await next(), await next()]).toEqual(["retry: 1000\n\n", 'id: 1\nevent: node\ndata: {"n":1}\n\n']);
    await cancel();
  });

  test("does not read ahead of its reader", async () => {
    const { next, cancel } = await open((disconnect) => counting(1_000, disconnect));
    for (let index = 0; index < 3; index += 1) await next();
    expect(taken).toBeLessThan(6);
    await cancel();
    await vi.waitFor(() => expect(left).toBe(true));
  });

  test("stops waiting when its reader leaves", async () => {
    const { next, cancel } = await open((disconnect) => counting(1, disconnect));
    await next();
    await next();
    const waiting = next();
    await cancel();
    await waiting;
    expect(left).toBe(true);
  });

  test("sends a comment every 15 seconds without an event", async () => {
    const { next, cancel } = await open((disconnect) => counting(1, disconnect));
    await next();
    await next();
    const comment = next();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await comment).toBe(": still here\n\n");
    await cancel();
  });

  test("ends within a minute for a reader who is no longer authorized", async () => {
    const { next } = await open(
      (disconnect) => counting(1, disconnect),
      async () => false,
    );
    let ended = false;
    const all = (async () => {
      while ((await next()) !== undefined) {}
      ended = true;
    })();
    await vi.advanceTimersByTimeAsync(45_000);
    expect(ended).toBe(false);
    await vi.advanceTimersByTimeAsync(30_000);
    await all;
    expect([ended, left]).toEqual([true, true]);
  });

  test("is cut off when it fails midway, and the log says why", async () => {
    const logged = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const { next } = await open(() => failing());
    while ((await next()) !== undefined) {}
    expect(String(logged.mock.calls[0]?.[0])).toContain("no more");
  });

  test("is 204 without any event, and throws errors before the first", async () => {
    const { answer } = await open(() => eventsUntil());
    expect([answer.status, answer.body]).toEqual([204, null]);
    await expect(open(() => eventsUntil(new Error("not there")))).rejects.toThrow("not there");
  });
});
