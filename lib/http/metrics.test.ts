import { beforeAll, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import { answerMetrics } from "./metrics.ts";

const token = "token-of-the-scraper";
inOwnDatabase();
beforeAll(async () => {
  process.env.METRICS_TOKEN = token;
  await newActor();
});

const answer = answerMetrics(async () => ({ contentType: "text/plain", text: "millrace_runs_pending 0\n" }));
const read = (authorization?: string) =>
  answer(new Request("http://localhost/api/metrics", { headers: authorization ? { authorization } : {} }));

describe("with METRICS_TOKEN", () => {
  test("its bearer reads the metrics", async () => {
    const response = await read(`Bearer ${token}`);
    expect([response.status, await response.text()]).toEqual([200, "millrace_runs_pending 0\n"]);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test.each([undefined, "Bearer token-of-the-scrapeR", `Basic ${token}`, "Bearer ", token])(
    "%j is 401",
    async (authorization) => {
      const response = await read(authorization);
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    },
  );
});
