// API calls for the tests of credentials, keys and trigger authentication.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { apiKey, baseUrl } from "./address.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at, not relied on
export type Answer = { status: number; body: any; headers: Headers };
type Options = { body?: unknown; key?: string; base?: string };

/** Sends a request to the API; `path` starts below `/api/v1`. */
export async function api(method: string, path: string, { body, key, base }: Options = {}): Promise<Answer> {
  const answer = await fetch(`${base ?? baseUrl()}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key ?? apiKey()}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? null : JSON.parse(text), headers: answer.headers };
}

/** An identifier that no other test uses. */
export function unique(prefix: string): string {
  return `${prefix}_${randomBytes(6).toString("hex")}`;
}

/** Stores a credential under a unique name and returns the name. */
export async function credential(type: string, data: unknown, overrides: object = {}, options: Options = {}) {
  const name = unique(type);
  const answer = await api("POST", "/credentials", { ...options, body: { name, type, data, ...overrides } });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return { name, id: String(answer.body.data.id) };
}

type Node = { id: string; type: string; config?: object };

/** Creates a draft with these nodes in a row; returns its id and its trigger URL. */
export async function flow(nodes: Node[], config: object = {}, options: Options = {}) {
  const edges = nodes.slice(1).map((node, index) => ({ source: nodes[index]?.id, target: node.id }));
  const body = { name: unique("flow"), trigger: { type: "webhook", config }, nodes, edges };
  const answer = await api("POST", "/flows", { ...options, body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  const { id, trigger } = answer.body.data;
  const path = new URL(trigger.config.url).pathname;
  return { id: String(id), url: `${options.base ?? baseUrl()}${path}` };
}

/** Runs a flow of these nodes to its end and reads everything that the API returns about it. */
export async function run(nodes: Node[], data: object = {}, options: Options = {}) {
  const { id, url } = await flow(nodes, {}, options);
  const answer = await api("POST", `/flows/${id}/execute`, { ...options, body: { data, async: false } });
  const executionId = String(answer.body.data.executionId);
  const read = await api("GET", `/executions/${executionId}?includeLogs=true&includeNodeOutputs=true`, options);
  return { flowId: id, url, executionId, answer: answer.body.data, execution: read.body.data };
}

export type Received = { url: string; headers: IncomingHttpHeaders; body: string };

/**
 * An outside server that records requests and echoes them; `/fail` answers 400, `/slow` late, `/to?…` redirects there.
 */
export async function receiver() {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { url = "", headers } = request;
    received.push({ url, headers, body });
    if (url.startsWith("/to?")) {
      response.writeHead(307, { location: decodeURIComponent(url.slice(4)) }).end();
      return;
    }
    if (url.startsWith("/slow")) await sleep(1_000);
    const status = url.startsWith("/fail") ? 400 : 200;
    response.writeHead(status, { "content-type": "application/json", "x-echo": String(headers.authorization ?? "") });
    response.end(JSON.stringify({ url, headers, body }));
  });
  server.listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, received, close: () => server.close() };
}
