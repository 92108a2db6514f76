// Calls the API like any HTTP client: it knows the envelope and the key, and nothing of the implementation.
import { apiKey, baseUrl } from "./address.ts";
import { undocumented } from "./documented.ts";

export interface ApiFailure {
  readonly code: string;
  readonly message: string;
  readonly details?: Record<string, unknown>;
}

export interface Pagination {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly totalPages: number;
  readonly hasNext: boolean;
  readonly hasPrev: boolean;
}

/** A parsed answer. `data` and `error` are the envelope's; `body` is all of it, `text` the raw text. */
export interface Answer<Data = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
  readonly data: Data;
  readonly error: ApiFailure;
  readonly pagination: Pagination;
}

export interface CallOptions {
  readonly headers?: Record<string, string>;
  /** Another key than the tests' own; null sends none. */
  readonly key?: string | null;
  readonly base?: string;
  readonly signal?: AbortSignal;
}

/** Sends a request with exactly these bytes as its body. Throws if the answer does not match the API's document. */
export async function send<Data = unknown>(
  method: string,
  path: string,
  body?: BodyInit,
  { headers, key = apiKey(), base = `${baseUrl()}/api/v1`, signal }: CallOptions = {},
): Promise<Answer<Data>> {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
    redirect: "manual",
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  const parsed = parse(text);
  const fault = await undocumented(method, path, response.status, parsed, response.headers);
  if (fault !== null) throw new Error(`${fault}\nin ${text.slice(0, 500)}`);
  const envelope = (parsed ?? {}) as Pick<Answer<Data>, "data" | "error" | "pagination">;
  const { data, error, pagination } = envelope;
  return { status: response.status, headers: response.headers, text, body: parsed, data, error, pagination };
}

/** Sends JSON. */
export function call<Data = unknown>(method: string, path: string, body?: unknown, options: CallOptions = {}) {
  if (body === undefined) return send<Data>(method, path, undefined, options);
  const headers = { "content-type": "application/json", ...options.headers };
  return send<Data>(method, path, JSON.stringify(body), { ...options, headers });
}

export const get = <Data = unknown>(path: string, options?: CallOptions) => call<Data>("GET", path, undefined, options);
export const post = <Data = unknown>(path: string, body?: unknown, options?: CallOptions) =>
  call<Data>("POST", path, body, options);
export const patch = <Data = unknown>(path: string, body?: unknown, options?: CallOptions) =>
  call<Data>("PATCH", path, body, options);
export const put = <Data = unknown>(path: string, body?: unknown, options?: CallOptions) =>
  call<Data>("PUT", path, body, options);
export const del = <Data = unknown>(path: string, options?: CallOptions) =>
  call<Data>("DELETE", path, undefined, options);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
