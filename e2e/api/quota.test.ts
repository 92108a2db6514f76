// Requests per hour, counted for a workspace's keys.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect } from "#lib/platform/database/connect.ts";
import { type Answer, call, post, send } from "../support/api-client.ts";
import { Browser } from "../support/people.ts";
import { expectRefusal } from "../support/refusals.ts";
import { databaseUrlOf } from "../support/second-workspace.ts";
import { type RunningServer, startServer } from "../support/server.ts";

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ env: { RATE_LIMIT: "on", DEFAULT_TIER: "free" } });
});
afterAll(() => server.stop());
beforeEach(() => inDatabase("DELETE FROM quota_window"));

async function inDatabase(text: string, values: unknown[] = []): Promise<void> {
  const client = await connect(databaseUrlOf(server.dataDir));
  await client.query(text, values).finally(() => client.end());
}

/** Simulates this many requests in the current hour. */
const used = (count: number) =>
  inDatabase(
    `INSERT INTO quota_window (workspace_id, started_at, used) SELECT id, date_trunc('hour', now()), $1 FROM workspace
     ON CONFLICT (workspace_id, started_at) DO UPDATE SET used = excluded.used`,
    [count],
  );

const request = (key: string | null = server.apiKey, path = "/flows") =>
  call("GET", path, undefined, { base: `${server.url}/api/v1`, key });
const create = (body: string, key: string) =>
  send("POST", "/flows", body, {
    base: `${server.url}/api/v1`,
    key,
    headers: { "content-type": "application/json" },
  });
async function keyThatReads(): Promise<string> {
  const options = { base: `${server.url}/api/v1`, key: server.apiKey };
  return (await post<{ key: string }>("/api-keys", { name: "Reads", scopes: ["flows:read"] }, options)).data.key;
}
const header = (answer: Answer, name: string) => Number(answer.headers.get(`x-ratelimit-${name}`));

/**
 * Answers to this many concurrent requests, all within one hour: if the hour ends meanwhile, to as many in the next.
 */
async function withinAnHour(count: number): Promise<Answer[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => request()));
  const hours = new Set(answers.map((answer) => header(answer, "reset")));
  return hours.size === 1 ? answers : await withinAnHour(count);
}

describe("a free workspace has 100 requests an hour", () => {
  // Proves limits.free, limits.exact
  it("exactly 100 of 300 at once are answered, the others refused with 429", async () => {
    const answers = await withinAnHour(300);
    const answered = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect([answered.length, refused.length]).toEqual([100, 200]);
    for (const answer of answers) expect(header(answer, "limit")).toBe(100);
    const remaining = answered.map((answer) => header(answer, "remaining")).sort((a, b) => b - a);
    expect(remaining).toEqual(Array.from({ length: 100 }, (_, index) => 99 - index));
  });

  // Proves errors.rate-limit, limits.reset
  it("a refusal says when to retry: in seconds, in the header, and as the hour's end", async () => {
    const [refused] = (await withinAnHour(101)).filter(({ status }) => status === 429);
    if (refused === undefined) throw new Error("none of 101 was refused");
    expectRefusal(refused, 429, "RATE_LIMIT_EXCEEDED");
    const { retryAfter } = refused.error.details as { retryAfter: number };
    expect(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 3_600).toBe(true);
    expect(refused.headers.get("retry-after")).toBe(String(retryAfter));
    expect(header(refused, "reset") % 3_600).toBe(0);
    expect(header(refused, "reset") * 1_000).toBeGreaterThan(Date.now());
  });

  it("requests refused before the key is known do not count and have no quota headers", async () => {
    const refused = await request("not-a-key-not-a-key-not-a-key-not-a-key");
    expectRefusal(refused, 401, "UNAUTHORIZED");
    expect(refused.headers.get("x-ratelimit-limit")).toBeNull();
  });

  // Proves errors.order-quota
  it("a refusal comes after 401 and before 403, 413 and 400", async () => {
    const limited = await keyThatReads();
    await used(100);
    const tooLarge = "x".repeat(1_048_577);
    for (const [body, key] of [
      ["{}", limited],
      [tooLarge, limited],
      ["{", server.apiKey],
    ] as const) {
      expectRefusal(await create(body, key), 429, "RATE_LIMIT_EXCEEDED");
    }
    expectRefusal(await create("{}", "not-a-key-not-a-key-not-a-key-not-a-key"), 401, "UNAUTHORIZED");
  });

  // Proves limits.workspace
  it("its keys share them", async () => {
    const second = await keyThatReads();
    await used(99);
    expect((await request(second)).status).toBe(200);
    expectRefusal(await request(), 429, "RATE_LIMIT_EXCEEDED");
  });

  it("a message of an assistant counts as a request, and a tool as many as it makes", async () => {
    const flow = { name: "Read", trigger: { type: "manual" }, nodes: [] };
    const options = { base: `${server.url}/api/v1`, key: server.apiKey };
    const made = await post<{ id: string }>("/flows", flow, options);
    const message = (method: string, params: object) => {
      const sent = { jsonrpc: "2.0", id: 1, method, params };
      const headers = { accept: "application/json, text/event-stream" };
      return fetch(`${server.url}/api/mcp`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json", authorization: `Bearer ${server.apiKey}` },
        body: JSON.stringify(sent),
      });
    };
    const change = { name: "millrace_change_flow", arguments: { flowId: made.data.id, name: "Changed" } };
    await used(90);
    const listed = await message("tools/list", {});
    expect([listed.status, listed.headers.get("x-ratelimit-remaining")]).toEqual([200, "9"]);
    await listed.body?.cancel();
    expect(await (await message("tools/call", change)).text()).toContain("updatedAt");
    // Read, change, read again and check: four in one message.
    const last = await message("tools/list", {});
    expect(last.headers.get("x-ratelimit-remaining")).toBe("4");
    await last.body?.cancel();
    await used(99);
    expect(await (await message("tools/call", change)).text()).toContain("RATE_LIMIT_EXCEEDED");
    const refused = await message("tools/list", {});
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  });

  // Proves limits.headers
  it("every answer to a key has the three headers, whatever its status", async () => {
    const limited = await keyThatReads();
    const answers = [
      await request(),
      await request(server.apiKey, "/flows?page=0"),
      await request(server.apiKey, "/flows/x"),
      await create("x".repeat(1_048_577), server.apiKey),
      await create("{}", limited),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 413, 403]);
    for (const answer of answers) {
      expect(header(answer, "limit")).toBe(100);
      expect(header(answer, "remaining")).toBeGreaterThan(90);
      expect(header(answer, "reset")).toBeGreaterThan(Date.now() / 1_000);
    }
  });

  // Proves trigger-urls.no-quota
  it("trigger URLs have no quota", async () => {
    const answers = await Promise.all(
      Array.from({ length: 120 }, () => request(null, "/webhooks/hook_00000000000000000000000000")),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  });
});

// Proves limits.session
it("sessions do not count", async () => {
  const browser = new Browser(server.url);
  expect(await browser.signIn(server.email, server.password)).toBeNull();
  await used(100);
  const answer = await browser.api("GET", "/flows");
  expect([answer.status, answer.headers.get("x-ratelimit-limit")]).toEqual([200, null]);
  expectRefusal(await request(), 429, "RATE_LIMIT_EXCEEDED");
});

describe("other tiers", () => {
  // Proves limits.pro-enterprise
  it.each([
    ["pro", 1_000],
    ["enterprise", 10_000],
  ])("%s has %i requests an hour", async (tier, limit) => {
    await inDatabase("UPDATE workspace SET tier = $1", [tier]);
    await used(limit - 1);
    const last = await request();
    expect([last.status, header(last, "limit"), header(last, "remaining")]).toEqual([200, limit, 0]);
    expectRefusal(await request(), 429, "RATE_LIMIT_EXCEEDED");
  });
});
