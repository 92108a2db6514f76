import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { type Actor, requireScope } from "#lib/auth/actor.ts";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import { env } from "#lib/platform/env.ts";
import { authenticate } from "./authenticate.ts";
import { errorAnswer, jsonAnswer } from "./envelope.ts";
import { parseInput, queryOf } from "./parse-input.ts";
import { readJsonObject } from "./read-body.ts";

/** What a use case is handed: who asks, and what was asked, parsed by the endpoint's schemas. */
export interface RouteInput<E extends Endpoint> {
  readonly actor: Actor;
  readonly params: z.output<E["params"]>;
  readonly query: z.output<E["query"]>;
  readonly body: z.output<E["body"]>;
  readonly caller: Caller;
}

/** Who called, as far as a request tells. */
export interface Caller {
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** A request header's value; names in any case. */
  readonly header: (name: string) => string | null;
}

/** An answer that differs from the endpoint's usual one in its status or headers. */
export interface Reply<Payload> {
  readonly payload: Payload;
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

/** A page of a list; the wrapper adds the pagination. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

type Payload<E extends Endpoint> = E["shape"] extends "list" ? Page<z.input<E["answer"]>> : z.input<E["answer"]>;
type RouteParams = { readonly params: Promise<Record<string, string | string[] | undefined>> };
export type RouteHandler = (request: Request, context: RouteParams) => Promise<Response>;

/**
 * Wraps a use case as a route handler: request id, who asks, scope, path, query and body in; the answer checked
 * against the contract and put into its envelope out. Whatever is thrown becomes the error envelope.
 */
export function route<E extends Endpoint>(
  endpoint: E,
  perform: (input: RouteInput<E>) => Promise<Payload<E> | Reply<Payload<E>>>,
): RouteHandler {
  return async (request, { params }) => {
    const requestId = randomUUID();
    try {
      const actor = await authenticate(request);
      if (endpoint.scope !== null) requireScope(actor, endpoint.scope);
      const takesBody = endpoint.method !== "GET";
      const body = takesBody ? await readJsonObject(request, env().maxBodyBytes) : {};
      const query = parseInput(endpoint.query, queryOf(new URL(request.url)), "query");
      const input = {
        actor,
        params: parseInput(endpoint.params, (await params) ?? {}, "path"),
        query,
        body: parseInput(endpoint.body, body, "body"),
        caller: callerOf(request),
      } as RouteInput<E>;
      return answerOf(endpoint, await perform(input), query, requestId);
    } catch (error) {
      return errorAnswer(error, requestId);
    }
  };
}

function callerOf(request: Request): Caller {
  const header = (name: string) => request.headers.get(name);
  return { ip: header("x-forwarded-for")?.split(",")[0]?.trim() ?? null, userAgent: header("user-agent"), header };
}

function answerOf(endpoint: Endpoint, result: unknown, query: unknown, requestId: string): Response {
  const reply = isReply(result) ? result : { payload: result };
  const status = reply.status ?? endpoint.status;
  const headers = { "x-request-id": requestId, ...reply.headers };
  if (endpoint.shape === "empty") return new Response(null, { status, headers });
  if (endpoint.shape === "list") {
    const { items, total } = reply.payload as Page<unknown>;
    const data = items.map((item) => endpoint.answer.parse(item));
    return jsonAnswer(status, { success: true, data, pagination: paginationOf(query, total) }, headers);
  }
  // Parsing drops what the contract does not promise, so that a new column cannot leak.
  const data = endpoint.answer.parse(reply.payload);
  return jsonAnswer(status, endpoint.shape === "bare" ? data : { success: true, data }, headers);
}

function isReply(result: unknown): result is Reply<unknown> {
  return typeof result === "object" && result !== null && "payload" in result;
}

function paginationOf(query: unknown, total: number) {
  const { page, limit } = query as { page: number; limit: number };
  const totalPages = Math.ceil(total / limit);
  return { page, limit, total, totalPages, hasNext: page < totalPages, hasPrev: page > 1 };
}
