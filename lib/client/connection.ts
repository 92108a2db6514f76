// A connection to a server outside of the browser: with its URL, a key, retries and time limits.
import { ApiError, addressOf, type CallInput, type Pagination } from "#lib/contract/client.ts";
import type { AnswerShape, Endpoint, Method } from "#lib/contract/endpoint.ts";

/** What is needed to call an operation. */
export interface Operation {
  readonly method: Method;
  readonly path: string;
  readonly shape: AnswerShape;
  /** Whether it accepts an `Idempotency-Key`, so that it can be retried. */
  readonly isRepeatable?: boolean;
}

export interface ClientOptions {
  /** The server's URL: `https://flows.example.com`. */
  readonly url: string;
  /** An API key. */
  readonly key?: string | undefined;
  /** How often a request is retried if it cannot connect, or the server is busy or failing; 3 by default. */
  readonly retries?: number | undefined;
  /**
   * The time limit of one attempt until its answer begins, in milliseconds; 60,000 by default. Streams may last longer.
   */
  readonly timeoutMs?: number | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** No answer came, after all attempts. */
export class ConnectionError extends Error {
  readonly url: string;

  constructor(url: string, cause: unknown) {
    super(`No answer from ${url}: ${reasonOf(cause)}`, { cause });
    this.name = "ConnectionError";
    this.url = url;
  }
}

const busy = new Set([429, 502, 503, 504]);
const firstWaitMs = 250;
const waitMsMax = 30_000;
/** The maximum length of an error's message. */
const messageCharactersMax = 500;

/** The reason when something else answers at the URL. */
export const notMillrace = new Error("what came back is not from Millrace, so the URL may be wrong");

export interface Sent {
  readonly data?: unknown;
  readonly pagination?: Pagination | undefined;
  /** The version read or written; null if there is none. */
  readonly version: number | null;
}

export class Connection {
  readonly url: string;
  readonly #options: ClientOptions;

  /** Throws a TypeError if it is not a server's URL, or no key. */
  constructor(options: ClientOptions) {
    const url = new URL(options.url);
    if (!/^https?:$/.test(url.protocol)) throw new TypeError(`Not a server URL: ${options.url}`);
    // Keeps the key out of printed output.
    if (url.username !== "" || url.password !== "") throw new TypeError("The URL must not contain a password");
    // `fetch` would tell it when it refuses the header.
    if (options.key !== undefined && !/^[\x21-\x7e]+$/.test(options.key))
      throw new TypeError("The key is not an API key");
    this.url = `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
    this.#options = options;
  }

  /** Calls an operation and reads its answer. Throws ApiError, ConnectionError, and the signal's reason. */
  async send(operation: Operation, input: CallInput<Endpoint> = {}): Promise<Sent> {
    const response = await this.fetch(operation, input);
    const etag = response.headers.get("etag");
    const version = etag === null ? null : Number(etag.replace(/^W\//, "").replaceAll('"', ""));
    if (operation.shape === "empty" || response.status === 204) {
      await response.body?.cancel();
      return { version };
    }
    if (operation.shape === "csv") return { data: await response.text(), version };
    const answer = await this.#parse(response, input.signal);
    if (operation.shape === "bare") return { data: answer, version };
    if (typeof answer !== "object" || answer === null || !("data" in answer)) {
      throw new ConnectionError(this.url, notMillrace);
    }
    const { data, pagination } = answer as { readonly data: unknown; readonly pagination?: Pagination };
    return { data, pagination, version };
  }

  async #parse(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
    try {
      return await response.json();
    } catch (cause) {
      signal?.throwIfAborted();
      // Cut short, or the page of something else at this address.
      throw new ConnectionError(this.url, cause instanceof SyntaxError ? notMillrace : cause);
    }
  }

  /** The same without reading the answer, for a stream. Throws for an error's answer. */
  async fetch(operation: Operation, input: CallInput<Endpoint> = {}): Promise<Response> {
    const { retries = 3 } = this.#options;
    const url = `${this.url}${addressOf(operation as Endpoint, input)}`;
    const headers = this.#headersOf(operation, input);
    const isRepeatable = operation.method !== "POST" || "idempotency-key" in headers;
    for (let attempt = 0; ; attempt += 1) {
      const last = attempt >= retries || !isRepeatable;
      const result = await this.#attempt(url, operation, headers, input);
      if (result instanceof Response) {
        if (result.ok) return result;
        if (last || !busy.has(result.status)) throw await errorOf(result);
        await result.body?.cancel();
        await wait(waitMsOf(attempt, result.headers.get("retry-after")), input.signal);
      } else {
        input.signal?.throwIfAborted();
        if (last) throw new ConnectionError(this.url, result.cause);
        await wait(waitMsOf(attempt, null), input.signal);
      }
    }
  }

  async #attempt(
    url: string,
    { method, shape }: Operation,
    headers: Record<string, string>,
    { body, signal }: CallInput<Endpoint>,
  ): Promise<Response | { readonly cause: unknown }> {
    const { timeoutMs = 60_000, fetch: send = globalThis.fetch } = this.#options;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    const signals = signal === undefined ? [timeout.signal] : [timeout.signal, signal];
    try {
      return await send(url, {
        method,
        headers: { accept: shape === "stream" ? "text/event-stream" : "application/json", ...headers },
        // The key must not be sent to another server.
        redirect: "error",
        signal: AbortSignal.any(signals),
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
    } catch (cause) {
      return { cause: timeout.signal.aborted ? timeout.signal.reason : cause };
    } finally {
      clearTimeout(timer);
    }
  }

  #headersOf({ isRepeatable }: Operation, { body, headers = {} }: CallInput<Endpoint>): Record<string, string> {
    const { key, headers: always = {} } = this.#options;
    const given = Object.fromEntries(
      Object.entries({ ...always, ...headers }).map(([name, value]) => [name.toLowerCase(), value]),
    );
    return {
      ...(body === undefined ? {} : { "content-type": typeof body === "string" ? "text/plain" : "application/json" }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(isRepeatable === true ? { "idempotency-key": crypto.randomUUID() } : {}),
      ...given,
    };
  }
}

/** Exponential backoff with jitter, or the server's `Retry-After`. */
function waitMsOf(attempt: number, retryAfter: string | null): number {
  const seconds = Number(retryAfter ?? "");
  if (retryAfter !== null && Number.isFinite(seconds)) return Math.min(waitMsMax, Math.max(0, seconds * 1_000));
  return Math.min(waitMsMax, firstWaitMs * 2 ** attempt * (0.5 + Math.random() / 2));
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => "");
  const requestId = response.headers.get("x-request-id");
  try {
    const { code, message, details = {} } = JSON.parse(text).error;
    return new ApiError(response.status, String(code), String(message), details, requestId);
  } catch {
    // A proxy's page, not the server's answer.
    const message = text.slice(0, messageCharactersMax) || response.statusText;
    return new ApiError(response.status, "UNEXPECTED_ANSWER", message, {}, requestId);
  }
}

/** The reason in an error of `fetch`, which wraps it, often as several errors. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.cause instanceof AggregateError) return reasonOf(cause.cause.errors[0]);
  return cause.cause instanceof Error ? reasonOf(cause.cause) : cause.message;
}
