// Correct flows that are similar to those that advice warns about.

import { describe, expect, test } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { advise, call, every, type Given, node, other, pay, respond, sub } from "./testing/given-flows.ts";

describe("no advice is given on", () => {
  const codesOf = async (given: Given) => (await advise(given)).map(({ code }) => code);

  test("a wait that ends before the caller stops waiting, but it is on an endless wait", async () => {
    const flow = (config: object) => ({ nodes: [node("wait", "wait", config), respond()], edges: ["wait > answer"] });
    expect(await codesOf(flow({ timeoutMs: 2_000 }))).not.toContain("SLOW_BEFORE_ANSWER");
    expect(await codesOf(flow({}))).toContain("SLOW_BEFORE_ANSWER");
  });

  test.each([
    { id: "big", when: "$trigger.body.n > 5" },
    { id: "big", equals: "{{ $trigger.body.isBig }}" },
  ])("a switch on true by its case %o", async (entry) => {
    const flow = (cases: object[]) => ({ nodes: [node("switch", "switch", { value: "true", cases })] });
    expect(await codesOf(flow([entry]))).not.toContain("DEAD_BRANCH");
    expect(await codesOf(flow([{ id: "yes", equals: true }]))).toContain("DEAD_BRANCH");
  });

  test.each([
    ["{{ $trigger.body.Date }}-{{ $trigger.body.id }}", false],
    ["{{ new Date($trigger.body.createdAt).toISOString() }}", false],
    ["{{ $trigger.body.id }} Date.now", false],
    ["{{ $trigger.body.id }}-{{ Date.now() }}", true],
    ["{{ new Date().toISOString() }}", true],
    ["{{ Math.random() }}", true],
  ])("the key %s: %s", async (key, isAdvised) => {
    const found = await codesOf({ nodes: [pay("pay", { headers: { "Idempotency-Key": key } })] });
    expect(found.includes("RETRY_WITHOUT_IDEMPOTENCY")).toBe(isAdvised);
  });

  test("a key of many opening braces is checked in no time", async () => {
    const headers = { "Idempotency-Key": "{{".repeat(100_000) };
    const check = async () => void (await codesOf({ nodes: [pay("pay", { headers })] }));
    expect(await longestTurn(check)).toBeLessThan(100);
  });

  test.each([
    ["nextPageToken", false],
    ["csrf_token", false],
    ["accessToken", true],
    ["token", true],
  ])("the secret in %s: %s", async (name, isAdvised) => {
    const found = await codesOf({ nodes: [call("call", { query: { [name]: "aB3dE5gH7jK9mN1pQ3sT5" } })] });
    expect(found.includes("SECRET_IN_CONFIG")).toBe(isAdvised);
  });

  test("a sub-flow that was not looked up", async () => {
    const flow = { nodes: [sub(other)] };
    expect(await codesOf(flow)).not.toContain("INACTIVE_SUBFLOW");
    expect(await codesOf({ ...flow, references: { missing: new Set([other]) } })).toContain("INACTIVE_SUBFLOW");
  });

  test("a schedule that fires every four years", async () => {
    const nodes = [node("delay", "delay", { ms: 60_000 })];
    expect(await codesOf({ trigger: every("0 0 29 2 *"), nodes })).not.toContain("OVERLAPPING_SCHEDULE");
  });
});
