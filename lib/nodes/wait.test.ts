import { describe, expect, test } from "vitest";
import { asNode, beginNodeAlone, wokenContext } from "./testing/run-alone.ts";
import { wait } from "./wait.ts";

const at = "2026-01-31T10:00:00.000Z";
const begin = async (config: object, handles: string[] = []) => {
  const context = { now: () => 1_000, isConnected: (handle: string) => handles.includes(handle) };
  return (await beginNodeAlone(asNode(wait), config, null, context)).begun;
};
const resume = (by: "call" | "time", value: unknown, state = {}) =>
  wait.resume?.({ kind: "call", until: null, state }, { by, at, value }, wokenContext);

describe("a wait", () => {
  test("waits for a call, forever unless it has a time limit", async () => {
    const state = { form: null, timeoutLeads: false };
    expect(await begin({})).toEqual({ wait: { kind: "call", until: null, state } });
    expect(await begin({ timeoutMs: 500 })).toMatchObject({ wait: { until: 1_500 } });
  });

  test("keeps its resolved form, and whether its time limit has an edge", async () => {
    const form = { fields: [{ name: "note" }] };
    expect(await begin({ form, timeoutMs: 1 }, ["timeout"])).toMatchObject({
      wait: { state: { form: { fields: [{ name: "note", type: "text", required: false }] }, timeoutLeads: true } },
    });
  });

  test("returns the call's body", () => {
    expect(resume("call", { body: { ok: true }, resumedBy: "link" })).toEqual({
      output: { body: { ok: true }, resumedAt: at, resumedBy: "link" },
      handle: "resumed",
    });
  });

  test("follows its timeout edge if nobody called", () => {
    expect(resume("time", null, { timeoutLeads: true })).toEqual({
      output: { body: null, resumedAt: null, resumedBy: null, timedOutAt: at },
      handle: "timeout",
    });
  });

  test("fails if nobody called and the time limit has no edge", () => {
    expect(() => resume("time", null)).toThrow(expect.objectContaining({ code: "WAIT_TIMEOUT" }));
  });

  test.each([
    [{ timeoutMs: 0 }],
    [{ form: "yes" }],
    [{ form: { fields: [{ name: "a" }, { name: "a" }] } }],
    [{ form: { fields: [{ name: "a b" }] } }],
    [{ form: { fields: [{ name: "action" }] } }],
    [{ form: { fields: [{ name: "a", type: "select" }] } }],
    [{ form: { actions: [] } }],
  ])("does not take %j", (config) => {
    expect(wait.config.safeParse(config).success).toBe(false);
  });
});
