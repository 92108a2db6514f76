import type { ErrorCode } from "#lib/errors.ts";

/** When each code is answered, in words. */
export const errorWords: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: "The body, the query or a header is not valid. `details` maps each field's path to a message.",
  INVALID_STATUS: "The state does not allow it. `details.currentStatus` tells the state.",
  UNAUTHORIZED: "No key, or one that is malformed, unknown, expired or revoked.",
  FORBIDDEN: "The key's scopes or the member's role do not allow it. `details.required` names what does.",
  NOT_FOUND: "It does not exist, or belongs to another workspace.",
  METHOD_NOT_ALLOWED: "The path does not take the method. `Allow` names those that it takes.",
  CONFLICT: "A stale `If-Match`, a name that is taken, or an `Idempotency-Key` used for another request.",
  CONCURRENCY_LIMIT:
    "A trigger URL or `execute` waited for a run of a flow that runs as often as its `settings.concurrency` allows, and this run was skipped, or gave its place to a newer one. `details.executionId` is the run.",
  PAYLOAD_TOO_LARGE: "The body has more bytes than are read.",
  RATE_LIMIT_EXCEEDED: "The hour's requests are used up. `details.retryAfter` and `Retry-After` are seconds.",
  INTERNAL_ERROR: "A fault of ours. `details.requestId` names the request in the server's log.",
  EXECUTION_FAILED: "The flow of a trigger URL failed. `details.executionId` is the run.",
  SERVICE_UNAVAILABLE: "The database cannot be reached, or the queue is full. `Retry-After` is seconds.",
};
