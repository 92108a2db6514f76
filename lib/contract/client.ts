import type { z } from "zod";
import type { Endpoint } from "./endpoint.ts";

/** An error answer of the API. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;

  constructor(
    status: number,
    code: string,
    message: string,
    details: Record<string, unknown>,
    requestId: string | null,
  ) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
  }
}

export interface Pagination {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly totalPages: number;
  readonly hasNext: boolean;
  readonly hasPrev: boolean;
  /** Only for a search that did not cover everything: the time of the earliest item searched. */
  readonly searchedSince?: string;
}

type QueryValues<E extends Endpoint> = { [Name in keyof z.input<E["query"]>]?: string | number | boolean | undefined };

export interface CallInput<E extends Endpoint> {
  readonly params?: z.input<E["params"]>;
  readonly query?: QueryValues<E>;
  readonly body?: z.input<E["body"]>;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
  /** The request completes even if the user leaves the page. */
  readonly keepalive?: boolean;
}

type Payload<E extends Endpoint> = z.output<E["answer"]>;

/**
 * Calls one operation from the browser and returns its payload. Throws ApiError; a TypeError if the API does not answer,
 * also if a proxy or a sign-in portal does in its place.
 */
export async function call<E extends Endpoint>(endpoint: E, input: CallInput<E> = {}): Promise<Payload<E>> {
  const { data } = await send(endpoint, input);
  return data as Payload<E>;
}

/** The same, with the version read or written: its `ETag` without quotes, or null. */
export async function callVersioned<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E> = {},
): Promise<{ payload: Payload<E>; version: number | null }> {
  const { data, etag } = await send(endpoint, input);
  return { payload: data as Payload<E>, version: etag === null ? null : Number(etag.replaceAll('"', "")) };
}

/** The same for an operation that returns a page of a list. */
export async function callList<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E> = {},
): Promise<{ items: Payload<E>[]; pagination: Pagination }> {
  const { data, pagination } = await send(endpoint, input);
  return { items: data as Payload<E>[], pagination: pagination as Pagination };
}

interface Sent {
  readonly data?: unknown;
  readonly pagination?: unknown;
  readonly etag: string | null;
}

/** A server that has not begun to answer a read after so long is taken for one that does not. */
const readMsMax = 30_000;

async function send(endpoint: Endpoint, input: CallInput<Endpoint>): Promise<Sent> {
  const late = new AbortController();
  const timer = endpoint.method === "GET" ? setTimeout(() => late.abort(), readMsMax) : undefined;
  const response = await fetch(addressOf(endpoint, input), {
    method: endpoint.method,
    headers: { accept: "application/json", "content-type": "application/json", ...input.headers },
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    signal: input.signal === undefined ? late.signal : AbortSignal.any([input.signal, late.signal]),
    ...(input.keepalive === undefined ? {} : { keepalive: input.keepalive }),
  }).finally(() => clearTimeout(timer));
  const etag = response.headers.get("etag");
  if (response.status === 204) return { etag };
  const answer = await response.json().catch(() => null);
  // Something in between answered, such as a proxy whose server is away.
  if (answer === null && (response.ok || response.status >= 500)) throw new TypeError();
  if (response.ok) return endpoint.shape === "bare" ? { data: answer, etag } : { ...answer, etag };
  const {
    code = "INTERNAL_ERROR",
    message = `The server answered ${response.status}`,
    details = {},
  } = answer?.error ?? {};
  throw new ApiError(response.status, code, message, details, response.headers.get("x-request-id"));
}

/** The URL of one operation, with its parameters filled in. */
export function addressOf(endpoint: Endpoint, input: CallInput<Endpoint>): string {
  const params = (input.params ?? {}) as Record<string, string>;
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  return `/api/v1${path}${query.size > 0 ? `?${query}` : ""}`;
}
