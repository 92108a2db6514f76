import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { delay, waitMsMax } from "./delay.ts";
import { findConfigProblems } from "./registry.ts";
import { asNode, beginNodeAlone, wokenContext } from "./testing/run-alone.ts";

const now = Date.parse("2026-01-31T10:00:00Z");
// The server's zone does not count.
beforeAll(() => vi.stubEnv("TZ", "Asia/Tokyo"));
afterAll(() => vi.unstubAllEnvs());
const begin = (config: object) => beginNodeAlone(asNode(delay), config, { a: 1 }, { now: () => now });

describe("a delay", () => {
  test.each([
    ["for milliseconds", { ms: 1_500 }, now + 1_500],
    ["until a time", { until: "2026-01-31T11:00:00+01:00" }, null],
    ["until a later time", { until: "2026-02-01" }, Date.parse("2026-02-01T00:00:00Z")],
    ["until a time of day without a zone", { until: "2026-01-31T12:30" }, Date.parse("2026-01-31T12:30:00Z")],
    ["until one with a space", { until: "2026-01-31 12:30:01.5" }, Date.parse("2026-01-31T12:30:01.500Z")],
    ["until epoch milliseconds", { until: now + 7 }, now + 7],
    ["of no time", { ms: 0 }, null],
    ["until a time that is past", { until: "2020-01-01" }, null],
    ["for milliseconds where both are given", { ms: 5, until: "2027-01-01" }, now + 5],
  ])("%s", async (_, config, until) => {
    const { begun } = await begin(config);
    expect(begun).toEqual(
      until === null ? { output: { a: 1 } } : { wait: { kind: "time", until, state: { output: { a: 1 } } } },
    );
  });

  test("returns its input when it is due", async () => {
    const wait = { kind: "time" as const, until: now, state: {} };
    const wake = { by: "time" as const, at: "2026-01-31T10:00:00.000Z", value: null };
    const context = { ...wokenContext, input: async () => [1] };
    expect(await delay.resume?.(wait, wake, context)).toEqual({ output: [1] });
  });

  test("needs one of its fields", () => {
    expect(findConfigProblems("delay", {})).toEqual([{ path: "ms", message: "is required, unless until is given" }]);
    expect(findConfigProblems("delay", { until: "{{ $vars.at }}" })).toEqual([]);
  });

  test("of more than a year fails", async () => {
    const failure = { name: "NodeFailure", code: "INVALID_CONFIG", field: "until" };
    await expect(begin({ until: now + waitMsMax + 1 })).rejects.toMatchObject(failure);
  });

  test.each([
    [{ ms: -1 }],
    [{ ms: waitMsMax + 1 }],
    [{ ms: "1s" }],
    [{ until: "soon" }],
    [{ until: "2026-02-30" }],
    [{ until: "2027-02-29T10:00:00Z" }],
    [{ until: "2026-04-31 10:00" }],
  ])("rejects %j", (config) => {
    expect(delay.config.safeParse(config).success).toBe(false);
  });
});
