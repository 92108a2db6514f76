// A server with TRIGGER_ORIGIN: what starts and resumes flows has a host of its own, and no host serves what is the other's.
import { type IncomingHttpHeaders, request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "#e2e/support/eventually.ts";
import { edge, node, outputOf, transform } from "#e2e/support/flows.ts";
import { type RunningServer, startServer } from "#e2e/support/server.ts";
import { ServerClient } from "#e2e/support/server-client.ts";

const app = "flows.example.com";
const triggers = "hooks.example.com";
const html = "<!doctype html><title>A page of a flow</title>";

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

let server: RunningServer;
let client: ServerClient;
beforeAll(async () => {
  const env = { PUBLIC_URL: `https://${app}`, TRIGGER_ORIGIN: `https://${triggers}` };
  server = await startServer({ env });
  client = new ServerClient(server);
});
afterAll(() => server?.stop());

/** Sends a request that names this very host; over a connection of its own, as a proxy would. */
function send(
  host: string,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = "",
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(server.url);
    const sent = request(
      { port, host: "localhost", method, path, agent: false, headers: { host, ...headers } },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      },
    );
    sent.on("error", reject).end(body);
  });
}

async function makeFlow(nodes: Record<string, unknown>[], edges: Record<string, unknown>[] = []) {
  const flow = { name: "Test", trigger: { type: "webhook" }, nodes, edges };
  const answer = await client.call<{ id: string; trigger: { config: { url: string } } }>("POST", "/flows", flow);
  return { id: answer.data.id, url: answer.data.trigger.config.url };
}

describe("trigger URLs", () => {
  const respond = node("page", "respond", { headers: { "Content-Type": "text/html" }, body: html });

  test("have the host of TRIGGER_ORIGIN wherever a flow is shown, and answer there", async () => {
    const { id, url } = await makeFlow([respond]);
    expect(new URL(url).origin).toBe(`https://${triggers}`);
    const read = await client.call<{ trigger: { config: { url: string } } }>("GET", `/flows/${id}`);
    expect(read.data.trigger.config.url).toBe(url);
    const { pathname } = new URL(url);
    const direct = await send(triggers, "POST", pathname);
    expect([direct.status, direct.text]).toEqual([200, html]);
    for (const host of [`${triggers.toUpperCase()}:443`, `${triggers}:8443`]) {
      expect((await send(host, "POST", pathname.replace("/api", ""))).text).toBe(html);
    }
  });

  test("never answer at the app's host, nor at any other: they lead to theirs, whatever the request adds", async () => {
    const { pathname } = new URL((await makeFlow([respond])).url);
    const spoofed = { "x-forwarded-host": triggers, forwarded: `host=${triggers}` };
    const paths = [pathname, `${pathname}?a=1`, pathname.replace("/api/", "/"), pathname.replace("hook_", "%68ook%5f")];
    for (const host of [app, "localhost", "127.0.0.1", `${app}:8443`]) {
      for (const path of [...paths, pathname.replace("/api/v1", "/V1")]) {
        const answer = await send(host, "POST", path, spoofed);
        expect([path, answer.status, answer.headers.location]).toEqual([path, 308, `https://${triggers}${path}`]);
        expect(answer.headers["content-type"]).toContain("application/json");
        expect(answer.text).toContain(`are served at https://${triggers}`);
      }
    }
  });
});

describe("a step that waits", () => {
  test("is shown and resumed at that host alone", async () => {
    const nodes = [transform("url", "$resume['wait']"), node("wait", "wait"), transform("after", "$nodes.wait.output")];
    const { id } = await makeFlow(nodes, [edge("url", "wait"), edge("wait", "after")]);
    const runId = await client.start(id);
    const address = await eventually("the step waits", async () => {
      const run = await client.read(runId);
      const known = run.nodes.some(({ nodeId, status }) => nodeId === "url" && status === "completed");
      return known ? new URL(String(outputOf(run, "url"))) : undefined;
    });
    expect(address.origin).toBe(`https://${triggers}`);
    for (const method of ["GET", "POST"]) {
      const led = await send(app, method, address.pathname, { accept: "text/html" });
      expect([led.status, led.headers.location]).toEqual([308, address.href]);
    }
    expect((await send(triggers, "GET", address.pathname)).text).toContain('<form method="post">');
    expect((await send(triggers, "POST", address.pathname)).status).toBe(200);
    expect((await client.ended(runId)).status).toBe("completed");
  });
});

describe("the host of TRIGGER_ORIGIN", () => {
  test.each([
    ["GET", "/"],
    ["GET", "/sign-in"],
    ["GET", "/setup"],
    ["GET", "/flows"],
    ["GET", "/no/such/page"],
    ["GET", "/favicon.ico"],
    ["GET", "/layout-worker"],
    ["GET", "/_next/image?url=%2Ficon.png&w=64&q=75"],
    ["GET", "/api/auth/session"],
    ["GET", "/api/auth/csrf"],
    ["POST", "/api/auth/callback/credentials"],
    ["GET", "/api/inngest"],
    ["PUT", "/api/inngest"],
    ["GET", "/api/metrics"],
    ["GET", "/api/v1/flows"],
    ["GET", "/v1/flows"],
    ["OPTIONS", "/api/v1/flows"],
    ["TRACE", "/api/v1/flows"],
    ["GET", "/api/v1/openapi.json"],
    ["GET", "/api/v1/webhooks"],
    ["GET", "/api/v1/webhooks/whsub_01kad7c9p2f6atqxv3m0wz8y5n"],
    ["GET", "/api/v1/nowhere"],
    ["GET", "//api/v1/flows"],
    ["GET", "/api/v1/resume/%2e%2e"],
    ["GET", "/%zz"],
  ])("has nothing at %s %s, also for who has a key", async (method, path) => {
    const answer = await send(triggers, method, path, { authorization: `Bearer ${server.apiKey}` });
    expect(answer.status).toBe(404);
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect(answer.headers["access-control-allow-credentials"]).toBeUndefined();
  });

  test("serves none of the pages' scripts", async () => {
    const page = await send(app, "GET", "/sign-in");
    const script = /"(\/_next\/static\/[^"]+\.js)"/.exec(page.text)?.[1] ?? "";
    const statuses = async (encoding: string) => {
      const requests = [app, triggers].map((host) => send(host, "GET", script, { "accept-encoding": encoding }));
      return (await Promise.all(requests)).map(({ status }) => status);
    };
    expect([await statuses("br"), await statuses("identity")]).toEqual([
      [200, 404],
      [200, 404],
    ]);
  });

  test("answers the health check, as the app's does", async () => {
    for (const host of [app, triggers]) expect((await send(host, "GET", "/api/health")).status).toBe(200);
  });
});

test("the app's host serves everything else, and says in its description where trigger URLs are", async () => {
  expect((await send(app, "GET", "/sign-in")).status).toBe(200);
  expect((await send(app, "GET", "/api/auth/csrf")).status).toBe(200);
  const described = JSON.parse((await send(app, "GET", "/api/v1/openapi.json")).text);
  const there = [{ url: `https://${triggers}/api/v1` }];
  expect(described.servers).toEqual([{ url: `https://${app}/api/v1` }]);
  expect(described.paths["/webhooks/{id}"].post.servers).toEqual(there);
  expect(described.paths["/resume/{token}"].servers).toEqual(there);
});
