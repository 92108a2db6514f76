import { z } from "zod";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import { type ErrorCode, errorStatus } from "#lib/errors.ts";

/** Every refusal and failure, as clients see it. */
export const envelopeOfError = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  })
  .meta({ id: "Error" });

interface ErrorExample {
  readonly description: string;
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly details?: Record<string, unknown> };
}

const errors: Readonly<Record<number, ErrorExample>> = {
  400: {
    description: "The request is not valid, or the state does not allow it",
    error: { code: "VALIDATION_ERROR", message: "The request is not valid", details: { name: "is required" } },
  },
  401: {
    description: "No valid API key",
    error: { code: "UNAUTHORIZED", message: "A valid API key is needed: Authorization: Bearer <key>" },
  },
  403: {
    description: "The key's scopes or the member's role do not allow it",
    error: { code: "FORBIDDEN", message: "This needs flows:write", details: { required: "flows:write" } },
  },
  404: { description: "Not found", error: { code: "NOT_FOUND", message: "Flow not found" } },
  409: {
    description: "A stale If-Match, or an Idempotency-Key used for another request",
    error: { code: "CONFLICT", message: "The flow has changed since it was read" },
  },
  413: {
    description: "The body is too large",
    error: { code: "PAYLOAD_TOO_LARGE", message: "The body has more than 1048576 bytes" },
  },
  429: {
    description: "The hour's requests are used up; Retry-After tells when to come back",
    error: {
      code: "RATE_LIMIT_EXCEEDED",
      message: "The quota is used up: retry after 1800 seconds",
      details: { retryAfter: 1800 },
    },
  },
  500: {
    description: "A fault of ours",
    error: {
      code: "INTERNAL_ERROR",
      message: "Something went wrong on our side",
      details: { requestId: "4f3c2b1a-7d6e-4c5b-8a9f-0e1d2c3b4a59" },
    },
  },
  503: {
    description: "The service cannot reach its database; Retry-After tells when to come back",
    error: { code: "SERVICE_UNAVAILABLE", message: "The service cannot reach its database; try again shortly" },
  },
};

/** Named once in the document; operations refer to them. */
const answers = Object.fromEntries(
  Object.entries(errors).map(([status, { description, error }]) => [
    status,
    {
      id: `Error${status}`,
      description,
      content: { "application/json": { schema: envelopeOfError, example: { success: false, error } } },
    },
  ]),
);

/** The error answers that an operation can give, each with an example. */
export function errorAnswers({ path, method }: Endpoint) {
  const namesNothing = method === "GET" && !path.includes(":");
  const unlikely = [...(namesNothing ? [404] : []), ...(method === "GET" ? [409, 413] : [])];
  return Object.fromEntries(Object.entries(answers).filter(([status]) => !unlikely.includes(Number(status))));
}
