import { describe, expect, test } from "vitest";
import { findConfigProblems } from "../registry.ts";
import { asNode, beginNodeAlone, wokenContext } from "../testing/run-alone.ts";
import { waitFor } from "./wait-for.ts";

const at = "2026-01-31T10:00:00.000Z";
const begin = async (config: object, handles: string[] = []) => {
  const context = { now: () => 1_000, isConnected: (handle: string) => handles.includes(handle) };
  return (await beginNodeAlone(asNode(waitFor), config, null, context)).begun;
};
const resume = (by: "event" | "time", value: unknown, state = {}) =>
  waitFor.resume?.({ kind: "event", until: null, state: { key: "k", ...state } }, { by, at, value }, wokenContext);

describe("waiting for an event", () => {
  test("is by key, which may be a number, and forever unless it has a time limit", async () => {
    const state = { key: "17", timeoutLeads: false };
    expect(await begin({ key: 17 })).toEqual({ wait: { kind: "event", until: null, state } });
    expect(await begin({ key: "k", timeoutMs: 500 }, ["timeout"])).toEqual({
      wait: { kind: "event", until: 1_500, state: { key: "k", timeoutLeads: true } },
    });
  });

  test.each([[{ amount: 5 }], [null], ["text"]])("outputs its data: %j", (data) => {
    expect(resume("event", data)).toEqual({ output: data, handle: "received" });
  });

  test("ends at its time limit: by its edge, or by failing", () => {
    expect(resume("time", null, { timeoutLeads: true })).toEqual({ output: { timedOutAt: at }, handle: "timeout" });
    expect(() => resume("time", null)).toThrow(expect.objectContaining({ code: "WAIT_TIMEOUT" }));
  });

  test.each([[""], ["x".repeat(201)], ["\u0000"], ["\ud800"], [null], [{}]])("refuses the key %j", (key) => {
    expect(findConfigProblems("wait-for", { key } as never)).toMatchObject([{ path: "key" }]);
  });
});
