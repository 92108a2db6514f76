import { randomUUID } from "node:crypto";
import { AppError } from "#lib/errors.ts";
import { errorAnswer, jsonAnswer } from "./envelope.ts";
import type { RouteHandler } from "./route.ts";
import { type Audience, misdirected } from "./trigger/trigger-host.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type RouteMethod = (typeof methods)[number];

/**
 * The exports of a route file: a handler for every method. Unsupported methods are 405 in the envelope, where Next
 * would answer with nothing; `HEAD` follows `GET`; `OPTIONS` lists the methods. Every answer has a request id. With
 * TRIGGER_ORIGIN, the path answers only at the host that serves `audience`.
 */
export function serve(
  handlers: Partial<Record<RouteMethod, RouteHandler>>,
  audience: Audience = "app",
): Record<RouteMethod, RouteHandler> {
  const get = handlers.GET && named(handlers.GET);
  const known: Partial<Record<RouteMethod, RouteHandler>> = {
    ...(get === undefined ? {} : { HEAD: async (request, context) => withoutBody(await get(request, context)) }),
    ...handlers,
    ...(get === undefined ? {} : { GET: get }),
  };
  const allow = [...methods.filter((method) => known[method] !== undefined && method !== "OPTIONS"), "OPTIONS"].join(
    ", ",
  );
  const all: [RouteMethod, RouteHandler][] = methods.map((method) => [
    method,
    atRightHost(known[method] ?? refuse(method, allow), audience),
  ]);
  return Object.fromEntries(all) as Record<RouteMethod, RouteHandler>;
}

/** The handler for requests at the right host; all others are redirected or refused. */
export function atRightHost<Call extends Request, More extends readonly unknown[]>(
  handler: (request: Call, ...more: More) => Promise<Response>,
  audience: Audience,
): (request: Call, ...more: More) => Promise<Response> {
  return async (request, ...more) => {
    const header = (name: string) => request.headers.get(name);
    const elsewhere = misdirected({ method: request.method, header }, request.url, audience);
    if (elsewhere === null) return await handler(request, ...more);
    return jsonAnswer(elsewhere.status, elsewhere.body, { ...elsewhere.headers, "x-request-id": randomUUID() });
  };
}

/** Adds a request id to handlers that `route` did not create. */
function named(handler: RouteHandler): RouteHandler {
  return async (request, context) => {
    const answer = await handler(request, context);
    if (!answer.headers.has("x-request-id")) answer.headers.set("x-request-id", randomUUID());
    return answer;
  };
}

function withoutBody(answer: Response): Response {
  void answer.body?.cancel();
  return new Response(null, { status: answer.status, headers: answer.headers });
}

function refuse(method: RouteMethod, allow: string): RouteHandler {
  if (method === "OPTIONS") {
    return async () => new Response(null, { status: 204, headers: { allow, "x-request-id": randomUUID() } });
  }
  return async () => {
    const error = new AppError("METHOD_NOT_ALLOWED", `This path takes ${allow}, not ${method}`);
    return errorAnswer(error, { "x-request-id": randomUUID(), allow });
  };
}
