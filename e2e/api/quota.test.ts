// Requests an hour, counted for a workspace's keys.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, call } from "../support/api-client.ts";
import { expectRefusal } from "../support/refusals.ts";
import { type RunningServer, startServer } from "../support/server.ts";

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ env: { RATE_LIMIT: "on", DEFAULT_TIER: "free" } });
});
afterAll(() => server.stop());

const request = (key: string | null = server.apiKey, path = "/flows") =>
  call("GET", path, undefined, { base: `${server.url}/api/v1`, key });
const header = (answer: Answer, name: string) => Number(answer.headers.get(`x-ratelimit-${name}`));

/** Answers to this many requests at once, all of one hour: should the hour end meanwhile, to as many in the next. */
async function withinAnHour(count: number): Promise<Answer[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => request()));
  const hours = new Set(answers.map((answer) => header(answer, "reset")));
  return hours.size === 1 ? answers : await withinAnHour(count);
}

describe("a free workspace has 100 requests an hour", () => {
  it("exactly 100 of 300 at once are answered, the others are refused with 429", async () => {
    const answers = await withinAnHour(300);
    const answered = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect([answered.length, refused.length]).toEqual([100, 200]);
    for (const answer of answers) expect(header(answer, "limit")).toBe(100);
    const remaining = answered.map((answer) => header(answer, "remaining")).sort((a, b) => b - a);
    expect(remaining).toEqual(Array.from({ length: 100 }, (_, index) => 99 - index));
  });

  it("a refusal tells when to come back: in seconds, in the header, and as the hour's end", async () => {
    const [refused] = (await withinAnHour(101)).filter(({ status }) => status === 429);
    if (refused === undefined) throw new Error("none of 101 was refused");
    expectRefusal(refused, 429, "RATE_LIMIT_EXCEEDED");
    const { retryAfter } = refused.error.details as { retryAfter: number };
    expect(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 3_600).toBe(true);
    expect(refused.headers.get("retry-after")).toBe(String(retryAfter));
    expect(header(refused, "reset") % 3_600).toBe(0);
    expect(header(refused, "reset") * 1_000).toBeGreaterThan(Date.now());
  });

  it("what is refused before the key is known counts for nobody and has no quota's headers", async () => {
    const refused = await request("not-a-key-not-a-key-not-a-key-not-a-key");
    expectRefusal(refused, 401, "UNAUTHORIZED");
    expect(refused.headers.get("x-ratelimit-limit")).toBeNull();
  });

  it("trigger URLs have no quota", async () => {
    const answers = await Promise.all(
      Array.from({ length: 120 }, () => request(null, "/webhooks/hook_00000000000000000000000000")),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  });
});
