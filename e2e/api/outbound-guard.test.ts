// A server with the default guard, lying names, and listeners inside: no request on behalf of a user (by a node, a
// redirect it follows, a subscription, its deliveries, its test event) reaches any of them.
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "#lib/platform/database/connect.ts";
import urlList from "#lib/platform/outbound/testdata/ssrf-urls.json" with { type: "json" };
import { eventually } from "../support/eventually.ts";
import { databaseUrlOf } from "../support/second-workspace.ts";
import { api, run } from "../support/secret-calls.ts";
import { type RunningServer, startServer } from "../support/server.ts";

const publicIds = new Set(["U91", "U92"]);
/** Names whose answers change or are mixed. */
const lying = ["rebind.test", "mixed.test", "mixed6.test", "mapped.test"];

let server: RunningServer;
let own: { base: string; key: string };
let connections = 0;
const inside: Server[] = [];
let port = 0;
/** Allowed to the server: it answers with the requested redirect. */
let sink: ReturnType<typeof createHttpServer>;
let sinkUrl = "";
let urls: string[] = [];
let sent = 0;

beforeAll(async () => {
  const count = () =>
    createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
  const four = count().listen(0, "127.0.0.1");
  await once(four, "listening");
  port = (four.address() as AddressInfo).port;
  const six = count().listen(port, "::1");
  // A machine without IPv6 has no such way in.
  six.on("error", () => {});
  inside.push(four, six);
  sink = createHttpServer((request, response) => {
    const to = new URL(request.url ?? "", "http://sink").searchParams.get("to") ?? "";
    request.resume();
    response.writeHead(307, { location: /^[\x20-\x7e]*$/.test(to) ? to : encodeURI(to) }).end();
  }).listen(0, "127.0.0.1");
  await once(sink, "listening");
  sinkUrl = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`;
  urls = [
    ...urlList.filter(({ id }) => !publicIds.has(id)).flatMap(({ url }) => [url, atPort(url)]),
    ...lying.map((name) => `http://${name}:${port}/`),
  ];
  const proxy = `http://127.0.0.1:${port}`;
  server = await startServer({
    env: {
      OUTBOUND_ALLOW: new URL(sinkUrl).host,
      NODE_OPTIONS: `--import=${join(import.meta.dirname, "../support/fake-resolver.mjs")}`,
      HTTP_PROXY: proxy,
      http_proxy: proxy,
      HTTPS_PROXY: proxy,
      ALL_PROXY: proxy,
    },
  });
  own = { base: server.url, key: server.apiKey };
});
afterAll(async () => {
  await server?.stop();
  for (const listener of inside) listener.close();
  sink?.close();
  console.log(`${urls.length} addresses, each tried in every way in which a user has requests sent: ${sent} in all.`);
});

/** The same URL with the listeners' port, if it can be parsed at all. */
function atPort(url: string): string {
  if (!URL.canParse(url)) return url;
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}

/** The failure for each URL; `undefined` if there was an answer. */
async function codesOf(targets: readonly string[]): Promise<(string | undefined)[]> {
  const codes: (string | undefined)[] = [];
  for (let from = 0; from < targets.length; from += 50) {
    const some = targets.slice(from, from + 50);
    const nodes = some.map((_, index) => ({
      id: `n${index}`,
      type: "http-request",
      config: { url: `{{ $trigger.body.urls[${index}] }}`, timeout: 2_000, onError: "continue" },
    }));
    const { execution } = await run(nodes, { urls: some }, own);
    const outputs = new Map<string, { error?: { code: string } }>(
      execution.nodes.map((node: { nodeId: string; output: object }) => [node.nodeId, node.output]),
    );
    for (const { id } of nodes) codes.push(outputs.get(id)?.error?.code);
  }
  sent += codes.length;
  return codes;
}

const refusals = new Set(["BLOCKED_ADDRESS", "BAD_URL", "INVALID_CONFIG"]);
/** A name that turns private at its second answer resolves to a public address at first, which nobody has here. */
const isLying = (url: string) => url.includes("//rebind");

function expectRefused(targets: readonly string[], codes: readonly (string | undefined)[]): void {
  const through = targets.filter((url, index) => !isLying(url) && !refusals.has(codes[index] ?? ""));
  expect(through).toEqual([]);
  expect(connections).toBe(0);
}

describe("nothing inside is reached", () => {
  test("by a node", async () => {
    expectRefused(urls, await codesOf(urls));
  });

  test("by a redirect that a node follows", async () => {
    const usableUrls = urls.filter((url) => url.length < 8_000 && URL.canParse(url, "http://inside.test/"));
    const led = usableUrls.map(
      (url) => `${sinkUrl}/?to=${encodeURIComponent(new URL(url, "http://inside.test/").href)}`,
    );
    const codes = await codesOf(led);
    const through = usableUrls.filter((url, index) => !isLying(url) && codes[index] === undefined);
    expect(through).toEqual([]);
    expect(connections).toBe(0);
  });

  test("by a name whose answer changes between two requests", async () => {
    for (let turn = 0; turn < 4; turn += 1) await codesOf([`http://rebind-again.test:${port}/`]);
    expect(connections).toBe(0);
  });

  test("by a subscription: it is not even stored", async () => {
    for (const url of urls.filter((candidate) => !isLying(candidate))) {
      const made = await api("POST", "/webhooks", { ...own, body: { url, events: ["execution.completed"] } });
      expect([url.slice(0, 100), made.status]).toEqual([url.slice(0, 100), 400]);
      sent += 1;
    }
    const { id } = (await subscribe()).body.data;
    for (const url of urls.filter((candidate) => !isLying(candidate))) {
      const changed = await api("PATCH", `/webhooks/${id}`, { ...own, body: { url } });
      expect([url.slice(0, 100), changed.status]).toEqual([url.slice(0, 100), 400]);
      sent += 1;
    }
    await api("DELETE", `/webhooks/${id}`, own);
  });

  test("by the deliveries and test events of one that was stored when its name resolved elsewhere", {
    timeout: 120_000,
  }, async () => {
    const client = await connect(databaseUrlOf(server.dataDir));
    const stored: string[] = [];
    try {
      for (const url of urls) {
        const { id } = (await subscribe()).body.data;
        await client.query("UPDATE webhook_subscription SET url = $1 WHERE id = $2", [url.replaceAll("\0", ""), id]);
        stored.push(id);
      }
    } finally {
      await client.end();
    }
    for (const id of stored) {
      const { body } = await api("POST", `/webhooks/${id}/test`, { ...own, body: {} });
      expect(body.data.statusCode).toBe(null);
    }
    await run([], {}, own);
    await eventually("each has been tried", async () => {
      const tried = await Promise.all(stored.map((id) => api("GET", `/webhooks/${id}/deliveries`, own)));
      const all = tried.flatMap(({ body }) => body.data as { attempts: number; statusCode: number | null }[]);
      for (const { statusCode } of all) expect(statusCode).toBe(null);
      return all.filter(({ attempts }) => attempts > 0).length >= 2 * stored.length ? true : undefined;
    });
    sent += 2 * stored.length;
    expect(connections).toBe(0);
  });

  test("by a receiver's redirect: deliveries follow none", async () => {
    const url = `${sinkUrl}/?to=${encodeURIComponent(`http://127.0.0.1:${port}/`)}`;
    const { id } = (await api("POST", "/webhooks", { ...own, body: { url, events: ["execution.failed"] } })).body.data;
    const { body } = await api("POST", `/webhooks/${id}/test`, { ...own, body: {} });
    expect([body.data.statusCode, connections]).toEqual([307, 0]);
  });
});

test("what OUTBOUND_ALLOW names is reached, and the environment's proxy is not used", async () => {
  const [code] = await codesOf([`${sinkUrl}/?to=${encodeURIComponent("http://127.0.0.1:1/")}`]);
  expect(code).toBe("BLOCKED_ADDRESS");
  const nodes = [{ id: "n", type: "http-request", config: { url: sinkUrl, followRedirects: false } }];
  expect((await run(nodes, {}, own)).execution.output.status).toBe(307);
  expect(connections).toBe(0);
});

function subscribe() {
  return api("POST", "/webhooks", { ...own, body: { url: `${sinkUrl}/`, events: ["execution.completed"] } });
}
