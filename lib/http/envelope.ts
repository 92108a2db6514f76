import { AppError } from "#lib/errors.ts";
import { isUnavailable, unavailable } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";

const jsonHeaders = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** Builds every JSON answer. */
export function plainJson(status: number, body: unknown, headers: Record<string, string> = {}): PlainAnswer {
  return { status, headers: { ...jsonHeaders, ...headers }, body: JSON.stringify(body) };
}

export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return responseOf(plainJson(status, body, headers));
}

/** The same for a body that is JSON already. */
export function writtenJson(status: number, json: string, headers: Record<string, string>): Response {
  return responseOf({ status, headers: { ...jsonHeaders, ...headers }, body: json });
}

/**
 * Turns a thrown value into the error envelope. Anything unexpected is a bug and reveals nothing. `headers` has the
 * request's id.
 */
export function plainError(thrown: unknown, headers: Record<string, string>): PlainAnswer {
  const error = toAppError(thrown, headers["x-request-id"] ?? "");
  const { code, message, details, status, retryAfterSeconds } = error;
  const body = { success: false, error: { code, message, ...(details === undefined ? {} : { details }) } };
  return plainJson(status, body, {
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
    ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
    ...headers,
  });
}

export function errorAnswer(thrown: unknown, headers: Record<string, string>): Response {
  return responseOf(plainError(thrown, headers));
}

/** A thrown value as an error that may be shown; a bug is logged under the request's id, and reveals nothing. */
export function toAppError(thrown: unknown, requestId: string): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isUnavailable(thrown)) return unavailable(thrown);
  logLine("error", "A request failed unexpectedly", { requestId, ...errorFields(thrown) });
  return new AppError("INTERNAL_ERROR", "Something went wrong on our side", { details: { requestId } });
}

/**
 * An answer independent of the server: Next needs a `Response`; Node's own server writes it directly, which costs less.
 */
export interface PlainAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export function responseOf({ status, headers, body }: PlainAnswer): Response {
  return new Response(body, { status, headers });
}
