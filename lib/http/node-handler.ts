import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { allEndpoints } from "#lib/contract/all.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { type PlainAnswer, plainError, plainJson } from "./envelope.ts";
import { bytesOf, receiveBody } from "./read-body.ts";
import securityHeaders from "./security-headers.json" with { type: "json" };
import type { CallHeaders, IncomingCall } from "./trigger/trigger-call.ts";
import { misdirected } from "./trigger/trigger-host.ts";

const apiPath = /^\/(?:api\/)?v1((?:\/[^?]*)?)(?:\?|$)/;
/** The methods that Next passes to a route file. It answers others, such as TRACE, with nothing or with a bare 500. */
const routed = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Paths of route files that serve no operation of the contract. */
const addresses = [
  { method: "GET", path: "/openapi.json" },
  { method: "GET", path: "/flow-schema.json" },
  { method: "GET", path: "/oauth/callback" },
  { method: "GET", path: "/resume/:token" },
  { method: "POST", path: "/resume/:token" },
] as const;

/** The refusal of a method that reaches no route file; null for other requests, and for pages. */
export function refuseUnroutedMethod(method: string, url: string): PlainAnswer | null {
  const path = apiPath.exec(url)?.[1];
  if (path === undefined || routed.includes(method)) return null;
  const headers = { "x-request-id": randomUUID() };
  const allow = methodsOf(path).join(", ");
  if (allow === "") return plainError(notFound("Path"), headers);
  const error = new AppError("METHOD_NOT_ALLOWED", `This path takes ${allow}, not ${method}`);
  return plainError(error, { ...headers, allow });
}

function methodsOf(path: string): string[] {
  const steps = path.replace(/\/$/, "").split("/");
  const found = [...allEndpoints, ...addresses].filter((endpoint) => {
    const own = endpoint.path.split("/");
    return own.length === steps.length && own.every((step, index) => step.startsWith(":") || step === steps[index]);
  });
  if (found.length === 0) return [];
  // In `/flows/tags`, `tags` is not an id.
  const literal = found.filter((endpoint) => endpoint.path === steps.join("/"));
  const taken = new Set<string>((literal.length > 0 ? literal : found).map(({ method }) => method));
  return routed.filter((method) => method === "OPTIONS" || taken.has(method === "HEAD" ? "GET" : method));
}

/** Answers a call received by Node's own server. */
export type AnswerCall = (hookId: string, call: IncomingCall) => Promise<PlainAnswer>;

const triggerPath = /^\/(?:api\/)?v1\/webhooks\/(hook_[0-9a-z]{1,64})\/?(?:\?|$)/;

/**
 * A fast path for trigger URLs: the route file's handler, in front of Next, whose routing costs several times a short
 * run. False for any other request.
 */
export function answerTriggerCall(answer: AnswerCall, request: IncomingMessage, response: ServerResponse): boolean {
  const hookId = triggerPath.exec(request.url ?? "")?.[1];
  if (hookId === undefined) return false;
  const call: IncomingCall = {
    method: request.method ?? "GET",
    url: `http://localhost${request.url}`,
    headers: new NodeHeaders(request.headers),
    bytes: (bytesMax, held) => receiveBody(request, bytesMax, held),
    content: () => bytesOf(request),
  };
  void answer(hookId, call).then((answered) => write(answered, response));
  return true;
}

/**
 * Redirects or refuses requests at the wrong one of two hosts, including pages, files and everything else that Next
 * serves.
 */
export function answerAtWrongHost(
  { method = "GET", headers, url = "" }: IncomingMessage,
  response: ServerResponse,
): boolean {
  const named = new NodeHeaders(headers);
  const elsewhere = misdirected({ method, header: (name) => named.get(name) }, url);
  if (elsewhere === null) return false;
  const answerHeaders = { ...elsewhere.headers, "x-request-id": randomUUID() };
  write(plainJson(elsewhere.status, elsewhere.body, answerHeaders), response);
  return true;
}

const startingRetrySeconds = 1;

/**
 * Refuses a request without exactly one Host header, as HTTP/1.1 requires (RFC 9112, section 3.2). Node would answer
 * without the envelope, and take the first of several.
 */
export function refuseUnclearHost(
  { rawHeaders, httpVersion }: Pick<IncomingMessage, "rawHeaders" | "httpVersion">,
  response: ServerResponse,
): boolean {
  const hosts = rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === "host",
  );
  if (hosts.length === 1 || (hosts.length === 0 && httpVersion === "1.0")) return false;
  const error = { code: "VALIDATION_ERROR", message: "A request must have one Host header" };
  write(plainJson(400, { success: false, error }, { "x-request-id": randomUUID(), connection: "close" }), response);
  return true;
}

/** Refuses everything but the health check, which reports that the service is starting. */
export function refuseWhileStarting(request: IncomingMessage, response: ServerResponse): boolean {
  const [path = ""] = (request.url ?? "").split("?");
  if (path === "/api/health") return false;
  const message = "The service is starting; try again shortly";
  const error = new AppError("SERVICE_UNAVAILABLE", message, { retryAfterSeconds: startingRetrySeconds });
  const answer = plainError(error, { "x-request-id": randomUUID() });
  // A browser that shows this answer retries by itself.
  write({ ...answer, headers: { ...answer.headers, refresh: String(startingRetrySeconds) } }, response);
  return true;
}

/** Answers requests that Next would answer without the envelope: methods that no route file has, and invalid paths. */
export function answerMisdirected(request: IncomingMessage, response: ServerResponse): boolean {
  const { method = "GET", url = "" } = request;
  hidePageHeaders(request);
  const answer =
    answerPathless(method, url) ??
    refuseUnreadablePath(url) ??
    refuseRewrittenPath(url) ??
    refuseUnroutedMethod(method, url);
  if (answer === null) return false;
  write(answer, response);
  return true;
}

/**
 * Headers that only the scripts of Next's pages send: on API paths, Next would answer them itself, with a redirect or
 * `{}`.
 */
const pageHeaders = ["rsc", "next-router-prefetch", "next-router-segment-prefetch", "x-middleware-prefetch"];

function hidePageHeaders({ url = "", headers }: IncomingMessage): void {
  if (!apiPath.test(url)) return;
  for (const name of pageHeaders) delete headers[name];
}

/** `OPTIONS *` is about the whole server. Any other target without a path is not found. */
export function answerPathless(method: string, url: string): PlainAnswer | null {
  if (url.startsWith("/")) return null;
  if (method !== "OPTIONS") return notFoundAnswer();
  return { status: 204, headers: { allow: routed.join(", "), "x-request-id": randomUUID() }, body: null };
}

/** A path with a malformed percent-encoding is not found; Next would answer with a bare 500. */
function refuseUnreadablePath(url: string): PlainAnswer | null {
  const [path = ""] = url.split("?");
  if (!path.includes("%") || isDecodable(path)) return null;
  return notFoundAnswer();
}

/** A path of the API with an empty segment or a backslash is not found; Next would redirect to another path. */
function refuseRewrittenPath(url: string): PlainAnswer | null {
  const [path = ""] = url.split("?");
  const rewritten = path.replace(/[/\\]+/g, "/");
  return rewritten !== path && /^\/(api\/)?v1\//.test(rewritten) ? notFoundAnswer() : null;
}

function notFoundAnswer(): PlainAnswer {
  return plainError(notFound("Path"), { "x-request-id": randomUUID() });
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

class NodeHeaders implements CallHeaders {
  readonly #headers: IncomingHttpHeaders;

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers;
  }

  get(name: string): string | null {
    const value = this.#headers[name];
    return value === undefined ? null : String(value);
  }

  all(): Record<string, string> {
    const all: Record<string, string> = {};
    for (const [name, value] of Object.entries(this.#headers)) {
      // Node leaves out a header named `__proto__`.
      if (value !== undefined) all[name] = Array.isArray(value) ? value.join(", ") : value;
    }
    return all;
  }
}

/** Sends head and body in one piece, because the length is known. */
function write({ status, headers, body }: PlainAnswer, response: ServerResponse): void {
  const isEmpty = body === null && (status === 204 || status === 304 || response.req.method === "HEAD");
  const length = isEmpty ? {} : { "content-length": body === null ? 0 : Buffer.byteLength(body) };
  response.writeHead(status, { ...securityHeaders, ...headers, ...length }).end(body ?? undefined);
}

/** How `scripts/server/web-server.ts` and the bundle that it serves reach each other: neither can import the other. */
export interface ServerHooks {
  /** Only set by our own server. Called once requests can be served; until then, `handle` refuses them. */
  readonly ready?: () => void;
  /** Answers the request itself and returns true, or leaves it to Next. */
  handle?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** The raw answer to a request that cannot be parsed. */
  unreadable?: (request: UnreadableRequest) => Promise<string>;
  /** Starts nothing new, and resolves when work in progress has finished or can be taken over. */
  drain?: () => Promise<void>;
}

/** A request that Node's server could not parse. */
export interface UnreadableRequest {
  readonly code?: string;
  /** The bytes received so far. */
  readonly rawPacket?: Uint8Array;
}

/** Statuses without an API code. */
const causes: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "The request's headers are too large"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The request's chunk extensions are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request did not come in time"],
};
const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}) (\/[^ \r\n]*) HTTP\/1\.[01]\r?\n/;

/**
 * The raw answer to a request that Node cannot parse. An unknown method on a path of the API is refused like a known
 * one that the path does not support; anything else gets the envelope with a 400 or the status of its cause.
 */
export async function answerUnreadable({ code = "", rawPacket }: UnreadableRequest): Promise<string> {
  const { status, headers, body } = refuseMethod(code, rawPacket) ?? refuse(code);
  const length = { "content-length": String(Buffer.byteLength(body ?? "")), connection: "close" };
  const lines = Object.entries({ ...securityHeaders, ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `HTTP/1.1 ${status} ${reasons[status] ?? "Bad Request"}\r\n${lines.join("")}\r\n${body ?? ""}`;
}

const reasons: Readonly<Record<number, string>> = {
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Payload Too Large",
  431: "Request Header Fields Too Large",
};

function refuseMethod(code: string, rawPacket: Uint8Array | undefined): PlainAnswer | null {
  if (code !== "HPE_INVALID_METHOD" || rawPacket === undefined) return null;
  const line = requestLine.exec(Buffer.from(rawPacket).toString("latin1"));
  return line === null ? null : refuseUnroutedMethod(String(line[1]), String(line[2]));
}

function refuse(code: string): PlainAnswer {
  const [status, message] = causes[code] ?? [400, "This is not an HTTP request that can be read"];
  const error = { code: "VALIDATION_ERROR", message };
  return plainJson(status, { success: false, error }, { "x-request-id": randomUUID() });
}
