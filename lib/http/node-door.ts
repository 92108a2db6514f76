import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { AppError, notFound } from "#lib/errors.ts";
import { plainError } from "./envelope.ts";
import type { CallHeaders, IncomingCall } from "./incoming-call.ts";
import type { PlainAnswer } from "./plain-answer.ts";
import { receiveBody } from "./receive-body.ts";
import { refuseUnroutedMethod } from "./unrouted-method.ts";

/** Gives the answer to a call that Node's own server received. */
export type AnswerCall = (hookId: string, call: IncomingCall) => Promise<PlainAnswer>;

const triggerPath = /^\/(?:api\/)?v1\/webhooks\/(hook_[0-9a-z]{1,64})\/?(?:\?|$)/;

/**
 * The second door of trigger URLs: the same handler as the route file's, in front of Next, whose routing costs several
 * times what a short run does. False when the request is for something else.
 */
export function answerTriggerCall(answer: AnswerCall, request: IncomingMessage, response: ServerResponse): boolean {
  const hookId = triggerPath.exec(request.url ?? "")?.[1];
  if (hookId === undefined) return false;
  const call: IncomingCall = {
    method: request.method ?? "GET",
    url: `http://localhost${request.url}`,
    headers: new NodeHeaders(request.headers),
    bytes: (bytesMax) => receiveBody(request, bytesMax),
  };
  void answer(hookId, call).then((answered) => write(answered, response));
  return true;
}

const startingRetrySeconds = 1;

/** Refuses everything but the health check, which says itself that the service is still starting. */
export function refuseWhileStarting(request: IncomingMessage, response: ServerResponse): boolean {
  const [path = ""] = (request.url ?? "").split("?");
  if (path === "/api/health") return false;
  const message = "The service is starting; try again shortly";
  const error = new AppError("SERVICE_UNAVAILABLE", message, { retryAfterSeconds: startingRetrySeconds });
  const answer = plainError(error, { "x-request-id": randomUUID() });
  // A browser that shows the answer asks again by itself.
  write({ ...answer, headers: { ...answer.headers, refresh: String(startingRetrySeconds) } }, response);
  return true;
}

/** Answers what Next would answer outside the envelope: methods that no route file has, and paths that say nothing. */
export function answerMisdirected(request: IncomingMessage, response: ServerResponse): boolean {
  const { method = "GET", url = "" } = request;
  const answer = refuseUnreadablePath(url) ?? refuseEmptyStep(url) ?? refuseUnroutedMethod(method, url);
  if (answer === null) return false;
  write(answer, response);
  return true;
}

/** A path that no percent-decoding can read names nothing: Next would answer with a bare 500. */
function refuseUnreadablePath(url: string): PlainAnswer | null {
  const [path = ""] = url.split("?");
  if (!path.includes("%") || isDecodable(path)) return null;
  return notThere();
}

/** No path of the API has an empty step: Next would lead to another path, which the caller did not ask for. */
function refuseEmptyStep(url: string): PlainAnswer | null {
  const [path = ""] = url.split("?");
  const isApi = path.includes("//") && /^\/(api\/)?v1\//.test(path.replace(/\/+/g, "/"));
  return isApi ? notThere() : null;
}

function notThere(): PlainAnswer {
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
      // One named `__proto__` is none of an object's own: Node has left it out.
      if (value !== undefined) all[name] = Array.isArray(value) ? value.join(", ") : value;
    }
    return all;
  }
}

/** Head and body go out in one piece: the length is told, and the body is text. */
function write({ status, headers, body }: PlainAnswer, response: ServerResponse): void {
  const isEmpty = body === null && (status === 204 || status === 304);
  const length = isEmpty ? {} : { "content-length": body === null ? 0 : Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, ...length }).end(body ?? undefined);
}
