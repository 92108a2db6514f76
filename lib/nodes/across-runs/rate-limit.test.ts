import { describe, expect, test } from "vitest";
import { findConfigProblems } from "../registry.ts";
import { asNode, beginNodeAlone } from "../testing/run-alone.ts";
import { rateLimit } from "./rate-limit.ts";
import type { TurnAnswer, TurnRequest } from "./turn.ts";

const limits = { key: "crm", limit: 2, perMs: 1_000 };
const later: TurnAnswer = { isTaken: false, at: 5_000 };

/** What the node does with this answer, and what it requested. */
async function begin(answer: TurnAnswer, config: object = {}) {
  const requests: TurnRequest[] = [];
  const turn = async (request: TurnRequest) => {
    requests.push(request);
    return answer;
  };
  const { begun } = await beginNodeAlone(
    asNode(rateLimit),
    { ...limits, ...config },
    { a: 1 },
    { turn, now: () => 4_000 },
  );
  return { begun, requests };
}

describe("a rate limit", () => {
  test("passes its input on when there is room", async () => {
    const { begun, requests } = await begin({ isTaken: true });
    expect(begun).toEqual({ output: { a: 1 } });
    expect(requests).toEqual([{ ...limits, mayWait: true, hasWaited: false }]);
  });

  test("queues when there is none, and asks again when it is due", async () => {
    const { begun } = await begin(later);
    const state = { output: { a: 1 }, ...limits };
    expect(begun).toEqual({ wait: { kind: "time", until: 5_000, state } });
    const wake = { by: "time", at: "", value: null } as const;
    const wait = { kind: "time", until: 5_000, state } as const;
    const requests: TurnRequest[] = [];
    const answers: TurnAnswer[] = [{ isTaken: false, at: 6_000 }, { isTaken: true }];
    const context = {
      now: () => 5_000,
      turn: async (request: TurnRequest) => {
        requests.push(request);
        return answers[requests.length - 1] ?? later;
      },
      input: async () => ({ a: 1 }),
    };
    expect(await rateLimit.resume?.(wait, wake, context)).toEqual({ wait: { kind: "time", until: 6_000, state } });
    expect(await rateLimit.resume?.(wait, wake, context)).toEqual({ output: { a: 1 } });
    expect(requests).toEqual(Array.from({ length: 2 }, () => ({ ...limits, mayWait: true, hasWaited: true })));
  });

  test("fails if it may not wait, and says when to try again", async () => {
    await expect(begin(later, { onLimit: "error" })).rejects.toMatchObject({
      code: "RATE_LIMITED",
      message: "More than 2 in 1000 ms: try again in 1000 ms",
    });
  });

  test.each([
    [{ limit: 0 }, "limit"],
    [{ limit: 10_001 }, "limit"],
    [{ perMs: 86_400_001 }, "perMs"],
    [{ key: "" }, "key"],
    [{ onLimit: "drop" }, "onLimit"],
  ])("refuses %j", (config, path) => {
    expect(findConfigProblems("rate-limit", { ...limits, ...config })).toMatchObject([{ path }]);
  });
});
