import { randomUUID } from "node:crypto";
import { ReadableStream } from "node:stream/web";
import type { z } from "zod";
import type { Scope } from "#lib/access.ts";
import { type Actor, requireScope, requireUser } from "#lib/auth/actor.ts";
import type { Once } from "#lib/auth/idempotency.ts";
import { countRequest, quotaHeaders, requireQuota } from "#lib/auth/quota.ts";
import { type Endpoint, isIdempotent } from "#lib/contract/endpoint.ts";
import { jsonInTurns } from "#lib/json/write-json.ts";
import { env } from "#lib/platform/env.ts";
import { metrics } from "#lib/platform/metrics.ts";
import { answerSlots } from "./answer-slots.ts";
import { authenticate, callerAddress } from "./authenticate.ts";
import { namesTag } from "./entity-tag.ts";
import { errorAnswer, jsonAnswer, writtenJson } from "./envelope.ts";
import { type Events, eventStream } from "./event-stream.ts";
import type { FileAnswer } from "./files/file-answer.ts";
import { answerOnce, hashOfBody, idempotencyKeyOf } from "./idempotency.ts";
import { type JsonChunks, jsonStream } from "./json-stream.ts";
import { parseInput, queryOf } from "./parse-input.ts";
import { readJsonObject, readText } from "./read-body.ts";

/** A use case's input: the caller, and the request parsed by the endpoint's schemas. */
export interface RouteInput<E extends Endpoint> {
  readonly actor: Actor;
  readonly params: z.output<E["params"]>;
  readonly query: z.output<E["query"]>;
  readonly body: z.output<E["body"]>;
  readonly caller: Caller;
  /** The body as a stream, for an operation whose `bodyType` is `file`. */
  readonly content: AsyncIterable<Uint8Array>;
  /** Aborted when a stream's reader leaves. */
  readonly disconnected: AbortSignal;
}

/** What the request tells about the caller. */
export interface Caller {
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** A request header's value; names in any case. */
  readonly header: (name: string) => string | null;
}

/** An answer whose status or headers differ from the endpoint's usual ones. */
interface Reply<Payload> {
  readonly payload: Payload;
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

/** The usual answer with its payload as text, JSON or CSV, which the use case has checked against the contract. */
interface Streamed {
  readonly chunks: JsonChunks;
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

/** The total that the pagination is computed from. */
interface Counted {
  readonly total: number;
  /** If a search stopped early: the time of the earliest item searched. */
  readonly searchedSince?: string | null;
}

/** A page of a list. */
export interface Page<Item> extends Counted {
  readonly items: readonly Item[];
}

/** A page with possibly large items, as JSON texts that the use case has checked against the contract. */
export interface TextPage extends Counted {
  readonly texts: JsonChunks;
}

type Payload<E extends Endpoint> = E["shape"] extends "list"
  ? Page<z.input<E["answer"]>> | TextPage
  : E["shape"] extends "file"
    ? FileAnswer
    : E["shape"] extends "stream"
      ? AsyncGenerator<z.input<E["answer"]>, void, undefined>
      : z.input<E["answer"]>;
/** A use case: its result becomes the answer. */
export type Perform<E extends Endpoint> = (input: RouteInput<E>) => Promise<Payload<E> | Reply<Payload<E>> | Streamed>;
type RouteParams = { readonly params: Promise<Record<string, string | string[] | undefined>> };
export type RouteHandler = (request: Request, context: RouteParams) => Promise<Response>;

/**
 * Wraps a use case as a route handler. Assigns a request id; checks caller, scope, path, query and body; checks the
 * answer against the contract and wraps it in the envelope. Thrown values become the error envelope.
 */
export function route<E extends Endpoint>(endpoint: E, perform: Perform<E>): RouteHandler {
  return timed(endpoint.path, async (request, { params }) => {
    const headers: Record<string, string> = { "x-request-id": randomUUID() };
    try {
      const caller = callerOf(request);
      const id = headers["x-request-id"] ?? "";
      const actor = { ...(await admit(request, endpoint, headers)), request: { id, ip: caller.ip } };
      if (takesSlot(endpoint)) await answerSlots().takeFor(request, actor.workspaceId);
      const url = new URL(request.url);
      const { key, query, body, bodyHash } = await readInput(request, endpoint, url);
      const path = parseInput(endpoint.params, (await params) ?? {}, "path");
      const disconnect = new AbortController();
      const input = {
        actor,
        params: path,
        query,
        body,
        caller,
        content: contentOf(request),
        disconnected: disconnect.signal,
      } as RouteInput<E>;
      const { workspaceId } = actor;
      const answer = async (once?: Once) => {
        const result = await perform(once === undefined ? input : { ...input, actor: { ...actor, once } });
        if (endpoint.shape === "stream")
          return await answerWithEvents(request, endpoint, result, { disconnected: disconnect, workspaceId });
        if (endpoint.shape === "file") return responseOfFile(result as FileAnswer);
        return isStreamed(result)
          ? await answerInChunks(endpoint, result, caller)
          : await answerOf(endpoint, result, query);
      };
      const address = `${request.method} ${url.pathname.replace(/^\/api/, "")}${url.search}`;
      const answered =
        key === null ? await answer() : await answerOnce({ workspaceId, key, path: address, bodyHash }, answer);
      for (const [name, value] of Object.entries(headers)) answered.headers.set(name, value);
      return answered;
    } catch (error) {
      return errorAnswer(error, headers);
    }
  });
}

/** A stream lasts as long as its reader likes, and a file is sent as it is read. */
const takesSlot = ({ method, shape }: Endpoint) => method === "GET" && shape !== "stream" && shape !== "file";

const yamlType = /^(application|text)\/(x-)?yaml\s*(;|$)/i;

/**
 * The query and the body. Its own function, because what it reads is garbage once it has returned: the body's raw value
 * would stay in memory until the answer, together with all that a use case has let go.
 */
async function readInput<E extends Endpoint>(request: Request, endpoint: E, url: URL) {
  const raw = endpoint.method === "GET" || endpoint.bodyType === "file" ? {} : await readBody(request, endpoint);
  const key = isIdempotent(endpoint) ? idempotencyKeyOf(request.headers.get("idempotency-key")) : null;
  const query = parseInput(endpoint.query, queryOf(url), "query");
  const body = parseInput(endpoint.body, raw, "body");
  return { key, query, body, bodyHash: key === null ? "" : await hashOfBody(raw) };
}

async function readBody(request: Request, endpoint: Endpoint): Promise<unknown> {
  const { bodyType, alsoYaml, bodyBytesMax = 0, bodyLevelsMax } = endpoint;
  const bytesMax = Math.max(bodyBytesMax, env().maxBodyBytes);
  if (alsoYaml === "body" && yamlType.test(request.headers.get("content-type") ?? "")) {
    return { text: await readText(request, bytesMax) };
  }
  return await (bodyType === "csv" ? readText(request, bytesMax) : readJsonObject(request, bytesMax, bodyLevelsMax));
}

/**
 * Authenticates and authorizes the caller and counts its quota, before any of the body is read. Adds the quota's
 * headers.
 */
async function admit(request: Request, endpoint: Endpoint, headers: Record<string, string>): Promise<Actor> {
  const actor = await authenticate(request);
  await charge(actor, headers);
  if (endpoint.peopleOnly === true) requireUser(actor);
  for (const scope of scopesOf(endpoint, request.url)) requireScope(actor, scope);
  return actor;
}

/** Counts a key's request; adds the quota's headers. Throws RATE_LIMIT_EXCEEDED. */
export async function charge(actor: Actor, headers: Record<string, string>): Promise<void> {
  if (actor.by.kind !== "key" || !env().rateLimit) return;
  const quota = await countRequest(actor.workspaceId, actor.tier);
  Object.assign(headers, quotaHeaders(quota));
  requireQuota(quota);
}

/** The operation's scope, and those of the flags set in its query. */
function scopesOf({ scope, flagScopes = {} }: Endpoint, url: string): Scope[] {
  const { searchParams } = new URL(url);
  const set = Object.entries(flagScopes).filter(([flag]) => searchParams.getAll(flag).includes("true"));
  return [...(scope === null ? [] : [scope]), ...set.map(([, more]) => more)];
}

export function callerOf(request: Request): Caller {
  const header = (name: string) => request.headers.get(name);
  return { ip: callerAddress(header("x-forwarded-for")), userAgent: header("user-agent"), header };
}

interface Reader {
  readonly disconnected: AbortController;
  readonly workspaceId: string;
}

async function answerWithEvents(request: Request, endpoint: Endpoint, result: unknown, reader: Reader) {
  const { disconnected, workspaceId } = reader;
  // The reader may have left already.
  if (request.signal.aborted) disconnected.abort();
  request.signal.addEventListener("abort", () => disconnected.abort(), { once: true });
  const isAdmitted = async () => {
    const actor = await authenticate(request);
    // A person removed from the workspace may still be a member of another.
    if (actor.workspaceId !== workspaceId) return false;
    return endpoint.scope === null || actor.scopes.has(endpoint.scope);
  };
  return await eventStream(result as Events, { schema: endpoint.answer, disconnected, isAdmitted });
}

async function answerInChunks(
  endpoint: Endpoint,
  { chunks, status, headers = {} }: Streamed,
  caller: Caller,
): Promise<Response> {
  // The caller already has this answer.
  if (headers.etag !== undefined && namesTag(caller.header("if-none-match"), headers.etag)) {
    return new Response(null, { status: 304, headers });
  }
  const isPlain = endpoint.shape === "bare" || endpoint.shape === "csv";
  const [before, after] = isPlain ? ["", ""] : ['{"success":true,"data":', "}"];
  const type = endpoint.shape === "csv" ? { "content-type": "text/csv; charset=utf-8" } : {};
  const sent = { status: status ?? endpoint.status, headers: { ...type, ...headers } };
  return await jsonStream(chunks, { ...sent, before, after });
}

function contentOf({ body }: Request): AsyncIterable<Uint8Array> {
  return (body as AsyncIterable<Uint8Array> | null) ?? nothing();
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Streams the answer's bytes. Cut off if reading fails midway. */
export function responseOfFile({ status, headers, bytes, text = null }: FileAnswer): Response {
  return new Response(bytes === null ? text : (ReadableStream.from(bytes) as unknown as BodyInit), { status, headers });
}

export function isStreamed(result: unknown): result is Streamed {
  return typeof result === "object" && result !== null && "chunks" in result;
}

async function answerWithTexts(status: number, { texts }: TextPage, pagination: object, headers = {}) {
  const after = `],"pagination":${JSON.stringify(pagination)}}`;
  return await jsonStream(separated(texts), { status, headers, before: '{"success":true,"data":[', after });
}

export async function* separated(texts: JsonChunks): JsonChunks {
  let separator = "";
  for await (const text of texts) {
    yield separator + text;
    separator = ",";
  }
}

async function answerOf(endpoint: Endpoint, result: unknown, query: unknown): Promise<Response> {
  const reply = isReply(result) ? result : { payload: result };
  const status = reply.status ?? endpoint.status;
  const headers = reply.headers ?? {};
  if (endpoint.shape === "empty") return new Response(null, { status, headers });
  if (endpoint.shape === "list") {
    const page = reply.payload as Page<unknown> | TextPage;
    if ("texts" in page) return await answerWithTexts(status, page, paginationOf(query, page), headers);
    const data = page.items.map((item) => endpoint.answer.parse(item));
    return jsonAnswer(status, { success: true, data, pagination: paginationOf(query, page) }, headers);
  }
  // Parsing drops fields that are not in the contract, so that a new column cannot leak.
  const data = endpoint.answer.parse(reply.payload);
  const text = await jsonInTurns(data);
  const body = endpoint.shape === "bare" ? text : `{"success":true,"data":${text}}`;
  return writtenJson(status, body, headers);
}

export function isReply(result: unknown): result is Reply<unknown> {
  return typeof result === "object" && result !== null && "payload" in result;
}

export function paginationOf(query: unknown, { total, searchedSince }: Counted) {
  const { page, limit } = query as { page: number; limit: number };
  const totalPages = Math.ceil(total / limit);
  const searched = typeof searchedSince === "string" ? { searchedSince } : {};
  return { page, limit, total, totalPages, hasNext: page < totalPages, hasPrev: page > 1, ...searched };
}

type Handle<Call, More extends readonly unknown[], Answer> = (call: Call, ...more: More) => Promise<Answer>;

/** Counts and times a handler's answers by its route's pattern; for a stream, until it starts. */
export function timed<
  Call extends { readonly method: string },
  More extends readonly unknown[],
  Answer extends { readonly status: number },
>(route: string, answer: Handle<Call, More, Answer>): Handle<Call, More, Answer> {
  return async (call, ...more) => {
    const startedAt = performance.now();
    const answered = await answer(call, ...more);
    const labels = { method: call.method, route, status: String(answered.status) };
    metrics().requestDuration.observe(labels, (performance.now() - startedAt) / 1_000);
    return answered;
  };
}
