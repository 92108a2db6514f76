import { describe, expect, inject, it } from "vitest";
import { createFlow, execute, transform } from "#e2e/support/flows.ts";
import { secondWorkspace } from "#e2e/support/second-workspace.ts";

const { url, apiKey, dataDir } = inject("server");
const scrape = (headers: Record<string, string> = { authorization: `Bearer ${apiKey}` }, method = "GET") =>
  fetch(`${url}/api/metrics`, { headers, method });

/** The samples of a scrape, by name and labels. */
async function samples(): Promise<ReadonlyMap<string, number>> {
  const text = await (await scrape()).text();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

describe("GET /api/metrics", () => {
  // Proves beyond.metrics
  it("200: Prometheus's text format, every metric described", async () => {
    const response = await scrape();
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      expect.stringMatching(/^text\/plain; version=0\.0\.4/),
    ]);
    const text = await response.text();
    const described = new Set([...text.matchAll(/^# HELP (\S+) \S/gm)].map(([, name]) => name));
    const typed = [...text.matchAll(/^# TYPE (\S+) (?:counter|gauge|histogram|summary)$/gm)].map(([, name]) => name);
    expect(typed.filter((name) => !described.has(name))).toEqual([]);
    for (const line of text.split("\n").filter((line) => line !== "")) {
      expect(line).toMatch(/^(# (HELP|TYPE) .+|[a-z]\w*(\{([a-z_]+="[^"]*",?)+\})? -?([\d.e+-]+|Nan|\+Inf))$/);
    }
  });

  it("200: runs and requests are counted by their outcome", async () => {
    const { id } = await createFlow({ nodes: [transform("t", "$trigger.body.ok.yes")] });
    const before = await samples();
    await execute(id, { ok: { yes: 1 } });
    await execute(id, {});
    const after = await samples();
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    // Other tests run at the same time, so at least as much as was done here.
    expect(grown('millrace_runs_finished_total{status="completed"}')).toBeGreaterThanOrEqual(1);
    expect(grown('millrace_runs_finished_total{status="failed"}')).toBeGreaterThanOrEqual(1);
    expect(grown('millrace_runs_started_total{source="api"}')).toBeGreaterThanOrEqual(2);
    expect(grown('millrace_run_duration_seconds_count{status="completed"}')).toBeGreaterThanOrEqual(1);
    const requests =
      'millrace_http_request_duration_seconds_count{method="POST",route="/flows/:id/execute",status="200"}';
    expect(grown(requests)).toBeGreaterThanOrEqual(2);
  });

  it("200: work in progress, in the outbox and in the sandbox, and the process itself", async () => {
    const found = await samples();
    const names = ["runs_pending", "runs_pending_oldest_seconds", "runs_running", "runs_waiting", "outbox_pending"];
    const others = ["outbox_overdue_seconds", "sandbox_tasks", "sandbox_queued", "sandbox_kills"];
    for (const name of [...names, ...others]) expect(found.get(`millrace_${name}`)).toBeGreaterThanOrEqual(0);
    expect(found.get("process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
  });

  // Proves beyond.metrics
  it("401 without a key, with another's and with a wrong token", async () => {
    for (const headers of [{}, { authorization: "Bearer nonsense" }, { authorization: "Basic eDp5" }]) {
      const response = await scrape(headers as Record<string, string>);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ success: false, error: { code: "UNAUTHORIZED" } });
    }
  });

  it.skipIf(dataDir === undefined)("403 for a key of another workspace: the figures cover all", async () => {
    const response = await scrape({ authorization: `Bearer ${await secondWorkspace(dataDir as string)}` });
    expect(response.status).toBe(403);
    expect((await response.json()).error.details).toEqual({ required: "METRICS_TOKEN" });
  });

  it("405 for another method", async () => {
    expect((await scrape(undefined, "POST")).status).toBe(405);
  });
});
