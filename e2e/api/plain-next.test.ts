// Everything works through Next's routes alone, as on serverless hosts: with Inngest, and without our own server in
// front.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Driver } from "#e2e/support/conformance/driver.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { cuttingProxy } from "#e2e/support/cutting-proxy.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { edge, node, transform } from "#e2e/support/flows.ts";
import { InngestServer } from "#e2e/support/inngest/inngest-server.ts";
import { Browser } from "#e2e/support/people.ts";
import { type PlainServer, startPlainServer } from "#e2e/support/plain-server.ts";
import { createTestDatabase } from "#e2e/support/test-database.ts";

const json = { "content-type": "application/json" };
const signingKey = "signkey-prod-0123456789abcdef0123456789abcdef";

describe("next start with Inngest, its calls signed", () => {
  const inngest = new InngestServer({ signingKey });
  let server: PlainServer;
  beforeAll(async () => {
    await inngest.start();
    const url = new URL((await createTestDatabase()).url);
    url.searchParams.set("pgbouncer", "true");
    server = await startPlainServer({
      DATABASE_URL: url.href,
      DATABASE_CONNECTIONS: "5",
      INNGEST_BASE_URL: inngest.url,
      INNGEST_EVENT_KEY: "0123456789abcdef",
      INNGEST_SIGNING_KEY: signingKey,
    });
  });
  afterAll(async () => {
    await server?.stop();
    await inngest.close();
  });

  test("the server registers its functions on its own", async () => {
    await expect.poll(() => inngest.functions.size).toBeGreaterThan(4);
    expect(inngest.appUrl).toBe(`${server.url}/api/inngest`);
  });

  test("a trigger URL answers with the flow's result, and a background run goes through Inngest", async () => {
    const sink = await countingServer();
    const driver = new Driver(server, "background");
    const nodes = [
      node("call", "http-request", { url: sink.url, method: "POST" }),
      transform("sum", "$trigger.body.n + $nodes['call'].output.status"),
    ];
    const flow = await driver.createFlow({ nodes, edges: [edge("call", "sum")] });
    const answer = await fetch(flow.trigger.config.url, { method: "POST", headers: json, body: '{"n": 1}' });
    expect([answer.status, await answer.json()]).toEqual([200, 201]);
    const run = await driver.run({ nodes, edges: [edge("call", "sum")] }, { n: 2 });
    expect(run).toMatchObject({ status: "completed", output: 202 });
    // The record is complete a moment before the function has ended.
    await expect.poll(() => inngest.runsOf(run.id)).toMatchObject([{ status: "completed", ended: ["call", "sum"] }]);
  });

  test("trigger URLs have the host of TRIGGER_ORIGIN to themselves, by Next's routes alone", async () => {
    const driver = new Driver(server, "background");
    const { url } = (await driver.createFlow({ nodes: [transform("one", "1")], edges: [] })).trigger.config;
    const there = server.url.replace("localhost", "127.0.0.1");
    expect(new URL(url).origin).toBe(there);
    const get = (address: string, method = "GET") =>
      fetch(address, { method, redirect: "manual", headers: { authorization: `Bearer ${server.apiKey}` } });
    const { pathname } = new URL(url);
    for (const path of [pathname, pathname.replace("/api/v1", "/v1")]) {
      expect((await get(`${there}${path}`, "POST")).status).toBe(200);
      const led = await get(`${server.url}${path}`, "POST");
      expect([path, led.status, led.headers.get("location")]).toEqual([path, 308, `${there}${path}`]);
      expect((await led.json()).error.code).toBe("NOT_FOUND");
    }
    // Rewrites match in any case.
    expect((await get(`${server.url}${pathname.replace("/api/v1", "/V1")}`, "POST")).status).toBe(308);
    const pages = ["/", "/sign-in", "/flows", "/nowhere", "/layout-worker"];
    const calls = ["/api/auth/csrf", "/api/auth/session", "/api/inngest", "/api/metrics", "/api/v1/flows", "/v1/flows"];
    for (const path of [...pages, ...calls, "/api/v1/openapi.json", "/api/v1/nowhere", "/api/v1/resume/%2e%2e"]) {
      const answer = await get(`${there}${path}`);
      expect([path, answer.status, answer.headers.get("set-cookie")]).toEqual([path, 404, null]);
    }
    expect((await get(`${there}/api/health`)).status).toBe(200);
    expect((await get(`${server.url}/sign-in`)).status).toBe(200);
  });

  test("people sign in at PUBLIC_URL, and their own claims about their address are not believed", async () => {
    const browser = new Browser(server.url);
    const { csrfToken } = await (await browser.fetch("/api/auth/csrf")).json();
    const answer = await browser.fetch("/api/auth/callback/credentials", {
      method: "POST",
      headers: { "x-forwarded-for": "198.51.100.7" },
      body: new URLSearchParams({ csrfToken, email: server.email, password: server.password, json: "true" }),
    });
    expect(new URL((await answer.json()).url).origin).toBe(server.url);
    const list = await (await browser.fetch("/api/v1/account/sessions")).json();
    expect(list.data).toMatchObject([{ current: true, ip: null }]);
  });

  test("a call without a valid signature is refused", async () => {
    const url = `${server.url}/api/inngest?fnId=millrace-run-execution&stepId=step`;
    const body = JSON.stringify({
      event: { name: "millrace/execution.requested", data: {} },
      events: [],
      steps: {},
      ctx: {},
    });
    const call = (headers: Record<string, string>) =>
      fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
    expect((await call({})).status).toBe(401);
    expect(
      (await call({ "x-inngest-signature": `t=${Math.floor(Date.now() / 1000)}&s=${"0".repeat(64)}` })).status,
    ).toBe(401);
  });
});

test("next start answers 503 while its database is away, and works once it is back", async () => {
  const proxy = await cuttingProxy((await createTestDatabase()).url);
  proxy.arm(1, "before", { forGood: true });
  const server = await startPlainServer({ DATABASE_URL: proxy.url }, { health: 503 });
  try {
    const list = () => fetch(`${server.url}/api/v1/flows`, { headers: { authorization: `Bearer ${server.apiKey}` } });
    const refused = await list();
    expect([refused.status, (await refused.json()).error.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    proxy.disarm();
    const statuses = new Set<number>();
    await eventually("its key is valid", async () => {
      const { status } = await list();
      statuses.add(status);
      return status === 200 || undefined;
    });
    // Never 401: the key is stored a moment after the database is back.
    expect([...statuses].filter((status) => status !== 503)).toEqual([200]);
    await expect.poll(async () => (await fetch(`${server.url}/api/health`)).status).toBe(200);
  } finally {
    await server.stop();
    await proxy.close();
  }
});
