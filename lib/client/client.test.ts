// The client with a server that fails, is busy, cuts streams off, and has many pages.
import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readAll } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ApiError } from "#lib/contract/client.ts";
import { type Client, clientOf } from "./client.ts";
import { Connection, ConnectionError, type Operation } from "./connection.ts";
import { readEvents } from "./events.ts";
import { verifyWebhook, WebhookError } from "./verify-webhook.ts";

const operations: Record<string, Operation> = {
  listFlows: { method: "GET", path: "/flows", shape: "list" },
  readFlow: { method: "GET", path: "/flows/:id", shape: "data" },
  createFlow: { method: "POST", path: "/flows", shape: "data", isRepeatable: true },
  createCredential: { method: "POST", path: "/credentials", shape: "data" },
  deleteFlow: { method: "DELETE", path: "/flows/:id", shape: "empty" },
};

type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void;
let handler: Handler;
let requests: { readonly line: string; readonly headers: IncomingMessage["headers"]; readonly body: string }[];
let server: ReturnType<typeof createServer>;
let client: Client;
let url: string;

beforeEach(async () => {
  requests = [];
  server = createServer(async (request, response) => {
    const body = await readAll(request);
    requests.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
    handler(request, response, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = clientOf(operations, { url: `${url}/`, key: "secret" });
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const json = (response: ServerResponse, status: number, body: unknown, headers = {}) => {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
};
const busy = (response: ServerResponse) =>
  json(response, 503, { error: { code: "BUSY", message: "" } }, { "retry-after": "0" });

describe("a call", () => {
  // Proves command-line.client
  test("sends key, parameters and query, and returns the payload with its version", async () => {
    handler = (_, response) => json(response, 200, { data: { id: "a b" } }, { etag: '"7"' });
    expect(await client.versioned.readFlow({ params: { id: "a b" } })).toEqual({ payload: { id: "a b" }, version: 7 });
    expect(requests[0]).toMatchObject({ line: "GET /api/v1/flows/a%20b", headers: { authorization: "Bearer secret" } });
  });

  test("to a busy server is retried with the same key, and no other POST is", async () => {
    handler = (_, response, count) => (count < 3 ? busy(response) : json(response, 201, { data: { id: "x" } }));
    const body = { name: "x", trigger: { type: "manual" as const }, nodes: [] };
    expect(await client.createFlow({ body })).toEqual({ id: "x" });
    const keys = requests.map(({ headers }) => headers["idempotency-key"]);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
    handler = (_, response) => busy(response);
    await expect(client.createCredential({ body: {} as never })).rejects.toMatchObject({ status: 503 });
    expect(requests).toHaveLength(4);
  });

  test("that is refused throws the API's error, or a proxy's page", async () => {
    handler = (_, response) => json(response, 409, { error: { code: "CONFLICT", message: "no", details: { a: 1 } } });
    const error = await client.deleteFlow({ params: { id: "x" } }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 409, code: "CONFLICT", details: { a: 1 } });
    handler = (_, response) => response.writeHead(404).end("<html>");
    await expect(client.readFlow({ params: { id: "x" } })).rejects.toMatchObject({ code: "UNEXPECTED_ANSWER" });
  });

  test("without an answer throws ConnectionError; a slow one times out", async () => {
    const dead = clientOf(operations, { url: "http://127.0.0.1:1", retries: 1 });
    await expect(dead.listFlows()).rejects.toBeInstanceOf(ConnectionError);
    handler = () => undefined;
    const hasty = clientOf(operations, { url, retries: 0, timeoutMs: 50 });
    await expect(hasty.listFlows()).rejects.toThrow("no answer within 50 ms");
    const stop = new AbortController();
    const waiting = client.readFlow({ params: { id: "x" }, signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });

  test("that another program answers, or that is cut short, throws ConnectionError", async () => {
    const read = () => client.readFlow({ params: { id: "a" } });
    for (const page of ["<!doctype html>", '{"status": "up"}', "null", ""]) {
      handler = (_, response) => response.writeHead(200, { "content-type": "text/html" }).end(page);
      await expect(read()).rejects.toThrow(`No answer from ${url}: what came back is not from Millrace`);
    }
    handler = (_, response) => {
      response.writeHead(200, { "content-length": "100" }).write('{"data":');
      setImmediate(() => response.destroy());
    };
    await expect(read()).rejects.toThrow(ConnectionError);
  });

  test("follows no redirect with its key", async () => {
    handler = (_, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
    const once = clientOf(operations, { url, key: "secret", retries: 0 });
    await expect(once.readFlow({ params: { id: "x" } })).rejects.toBeInstanceOf(ConnectionError);
    expect(() => clientOf(operations, { url: "https://me:pass@a.test" })).toThrow(TypeError);
    expect(() => clientOf(operations, { url: "file:///etc" })).toThrow(TypeError);
  });
});

test("a list is read page by page, and no further than requested", async () => {
  handler = ({ url: requested = "" }, response) => {
    const page = Number(new URL(requested, url).searchParams.get("page") ?? 1);
    json(response, 200, { data: [{ id: `${page}` }], pagination: { page, hasNext: page < 5 } });
  };
  const ids: string[] = [];
  for await (const { id } of client.each.listFlows({ query: { tag: "x" } })) {
    ids.push(id);
    if (ids.length === 3) break;
  }
  expect(ids).toEqual(["1", "2", "3"]);
  expect(requests.map(({ line }) => line)).toEqual(
    [1, 2, 3].map((page) => `GET /api/v1/flows?tag=x&page=${page}&limit=100`),
  );
});

describe("a stream", () => {
  const event = (id: number, status: string) => `id: ${id}\nevent: execution\ndata: {"status":"${status}"}\n\n`;

  test("that is disconnected continues after its last event", async () => {
    handler = ({ url: requested = "" }, response) => {
      const last = new URL(requested, url).searchParams.get("lastEventId");
      if (last === "2") return void response.writeHead(204).end();
      response.writeHead(200, { "content-type": "text/event-stream" });
      if (last === "1") response.end(`: comment\n\n${event(2, "completed")}`);
      else response.write(event(1, "running"), () => response.destroy());
    };
    const seen: unknown[] = [];
    for await (const { id, data } of client.followExecution("exec_1"))
      seen.push([id, (data as { status: string }).status]);
    expect(seen).toEqual([
      [1, "running"],
      [2, "completed"],
    ]);
  });

  test("without any events gives up", async () => {
    handler = (_, response) => response.writeHead(200, { "content-type": "text/event-stream" }).end(": nothing\n\n");
    const follow = async () => {
      for await (const _ of client.followExecution("exec_1"));
    };
    await expect(follow()).rejects.toThrow(ConnectionError);
    await expect(follow()).rejects.toThrow("disconnected repeatedly");
  });

  test.each([1, 2, 3, 7, 1_000])(
    "is read the same in chunks of %i bytes, with every kind of line end",
    async (size) => {
      const text =
        'id: 1\r\nevent: a\r\ndata: {"ü":\r\ndata: 1}\r\n\r\ndata:x\rid:2\r\r: no\n\nevent: nothing\n\ndata: y\n\ndata: cut';
      const bytes = new TextEncoder().encode(text);
      async function* chunks() {
        for (let index = 0; index < bytes.length; index += size) yield bytes.slice(index, index + size);
      }
      const seen = [];
      for await (const event of readEvents(chunks())) seen.push([event.id, event.event, event.data]);
      expect(seen).toEqual([
        ["1", "a", '{"ü":\n1}'],
        ["2", "message", "x"],
        [null, "message", "y"],
      ]);
    },
  );
});

describe("verifyWebhook", () => {
  const body = '{"event":"execution.completed","data":{"ü":1}}';
  const secret = `whsec_${Buffer.from("a key of thirty-two bytes, no less").toString("base64")}`;
  const signed = (given = secret, at = new Date()) => ({
    "webhook-id": "msg_1",
    "Webhook-Timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": new Webhook(given).sign("msg_1", at, body),
  });

  test("accepts deliveries signed by the standard's own library, and returns the event", async () => {
    expect(await verifyWebhook(secret, body, signed())).toEqual(JSON.parse(body));
    expect(await verifyWebhook(secret, Buffer.from(body), new Headers(signed()))).toEqual(JSON.parse(body));
    const rotated = { ...signed(), "webhook-signature": `v1a,x v1,AAAA ${signed()["webhook-signature"]}` };
    expect(await verifyWebhook(secret, body, rotated)).toEqual(JSON.parse(body));
  });

  test("accepts a plain-text secret", async () => {
    const at = Math.floor(Date.now() / 1_000);
    const mac = createHmac("sha256", "plain text").update(`msg_1.${at}.${body}`).digest("base64");
    const headers = { "webhook-id": "msg_1", "webhook-timestamp": `${at}`, "webhook-signature": `v1,${mac}` };
    expect(await verifyWebhook("plain text", body, headers)).toEqual(JSON.parse(body));
  });

  test("refuses another secret, a changed body, a missing signature, and an old one", async () => {
    const refused = (given: Promise<unknown>) => expect(given).rejects.toBeInstanceOf(WebhookError);
    await refused(verifyWebhook(`whsec_${Buffer.from("another").toString("base64")}`, body, signed()));
    await refused(verifyWebhook(secret, `${body} `, signed()));
    await refused(verifyWebhook(secret, body, {}));
    await refused(verifyWebhook("", body, signed()));
    await refused(verifyWebhook(secret, body, { ...signed(), "webhook-signature": "v1,%%%" }));
    await refused(verifyWebhook(secret, body, signed(secret, new Date(Date.now() - 600_000))));
    await refused(verifyWebhook(secret, body, signed(secret, new Date(Date.now() + 600_000))));
  });
});

test("a key that no header can hold is refused without being told", () => {
  for (const key of ["", "a secret", "a\nsecret", "secrét"]) {
    expect(() => new Connection({ url: "https://a.test", key })).toThrow(/^The key is not an API key$/);
  }
});

test("a connection's URL has no trailing slash", () => {
  expect(new Connection({ url: "https://a.test/millrace//" }).url).toBe("https://a.test/millrace");
});
