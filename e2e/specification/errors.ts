import type { Section } from "./section.ts";

export const errors: Section = {
  codes: [
    "Every code has its status",
    "lib/http/envelope.test.ts > what the caller did wrong is told > %s is answered with %i",
  ],
  "validation-error": [
    "VALIDATION_ERROR: details map fields to messages",
    "flows-create > 400 names the field that is missing or wrong > %s: %j",
  ],
  "not-found": [
    "NOT_FOUND has no details",
    "lib/http/envelope.test.ts > what the caller did wrong is told > without details where there are none",
  ],
  "invalid-status": [
    "INVALID_STATUS has details.currentStatus",
    "executions-cancel > 400 INVALID_STATUS once the run has ended > %s",
  ],
  "rate-limit": [
    "RATE_LIMIT_EXCEEDED has details.retryAfter and a Retry-After header",
    "quota > a free workspace has 100 requests an hour > a refusal tells when to come back: in seconds, in the header, and as the hour's end",
  ],
  internal: [
    "INTERNAL_ERROR tells nothing but details.requestId",
    "lib/http/envelope.test.ts > a fault of ours > is told by the request's id alone, and logged whole: %s",
  ],
  unavailable: [
    "SERVICE_UNAVAILABLE with Retry-After while the database cannot be reached",
    "runs-survive-the-database > meanwhile the API answers 503 and when to come again; afterwards all runs complete, nothing called twice",
  ],
  "queue-full": [
    "SERVICE_UNAVAILABLE with Retry-After while the queue is over its limit",
    "sync-wait > a queue that is full > is told by 503 and when to come again; what waits is done, and then there is room",
  ],
  "execution-failed": [
    "EXECUTION_FAILED has details.executionId",
    "trigger-urls > the answer of a trigger URL > of a run that failed is 500 EXECUTION_FAILED with the execution's id",
  ],
  conflict: [
    "CONFLICT for a stale If-Match or a used Idempotency-Key",
    "flows-update > If-Match > %s does not: 409, and nothing is written",
    "idempotency > Idempotency-Key > 409 for another body, and on another path",
  ],
  "payload-too-large": [
    "PAYLOAD_TOO_LARGE over the body limit",
    "errors > a request body > may be 1 MiB large and no larger",
  ],
  "method-not-allowed": [
    "METHOD_NOT_ALLOWED with Allow",
    "errors > 405 with Allow for a method that the path does not have, whoever asks > %s has %s",
  ],
  "request-id": [
    "Every response carries X-Request-Id",
    "errors > every address of the API > carries a new X-Request-Id each time",
  ],
  "order-path-method-key": [
    "Unknown path, wrong method, then 401",
    "errors > of several things that are wrong the first in this order is told > unknown path, wrong method, then the key",
  ],
  "order-quota": [
    "401, then 429, then 403, then 413, then 400",
    "quota > a free workspace has 100 requests an hour > a refusal comes after 401 and before 403, 413 and 400",
    "errors > of several things that are wrong the first in this order is told > the scope before the size",
  ],
  "order-body": [
    "401 before anything of the body; 413 before the syntax",
    "errors > of several things that are wrong the first in this order is told > the key before the size, the size before the syntax",
  ],
  "order-id": [
    "400 before 404 for an id, that before If-Match",
    "errors > of several things that are wrong the first in this order is told > the body and the query before the id, the id before If-Match",
  ],
};
