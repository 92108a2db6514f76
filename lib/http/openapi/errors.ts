import { z } from "zod";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import { type ErrorCode, errorStatus } from "#lib/errors.ts";

interface ErrorExample {
  readonly description: string;
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly details?: Record<string, unknown> };
}

const errors: Readonly<Record<number, ErrorExample>> = {
  400: {
    description: "The request is not valid: `details` has a message per field; or the state does not allow it",
    error: { code: "VALIDATION_ERROR", message: "The request is not valid", details: { name: "is required" } },
  },
  401: {
    description: "No valid API key, and no session",
    error: { code: "UNAUTHORIZED", message: "A valid API key is needed: Authorization: Bearer <key>" },
  },
  403: {
    description: "The key's scopes or the member's role do not allow it: `details.required` names what is missing",
    error: { code: "FORBIDDEN", message: "This needs flows:write", details: { required: "flows:write" } },
  },
  404: {
    description: "It does not exist, or belongs to another workspace",
    error: { code: "NOT_FOUND", message: "Flow not found" },
  },
  405: {
    description: "The path does not take this method: `Allow` names those that it takes",
    error: { code: "METHOD_NOT_ALLOWED", message: "This trigger takes POST, not PUT" },
  },
  409: {
    description:
      "It has changed since it was read, conflicts with another one, or an `Idempotency-Key` was used for another request; `CONCURRENCY_LIMIT`: the flow's limit refused the run, `details.executionId`",
    error: { code: "CONFLICT", message: "The flow has changed since it was read" },
  },
  413: {
    description: "The body is too large",
    error: { code: "PAYLOAD_TOO_LARGE", message: "The body has more than 1048576 bytes" },
  },
  429: {
    description: "The hour's requests are used up: `details.retryAfter` and `Retry-After` say when to retry",
    error: {
      code: "RATE_LIMIT_EXCEEDED",
      message: "The quota is used up: retry after 1800 seconds",
      details: { retryAfter: 1800 },
    },
  },
  500: {
    description: "A bug or failure of the service: `details.requestId` names the request in the server's log",
    error: {
      code: "INTERNAL_ERROR",
      message: "Something went wrong on our side",
      details: { requestId: "4f3c2b1a-7d6e-4c5b-8a9f-0e1d2c3b4a59" },
    },
  },
  503: {
    description:
      "The database cannot be reached, the queue is full, or too much is being sent at once: `Retry-After` says when to retry",
    error: {
      code: "SERVICE_UNAVAILABLE",
      message: "The service cannot use its database at the moment; try again shortly",
    },
  },
};

const header = (description: string, example: string) => ({
  schema: { type: "string" as const },
  description,
  example,
});
const headers: Readonly<Record<number, Record<string, ReturnType<typeof header>>>> = {
  401: { "WWW-Authenticate": header("How to authenticate", "Bearer") },
  405: { Allow: header("The methods that the path takes", "POST, OPTIONS") },
  429: { "Retry-After": header("Seconds until the next hour begins", "1800") },
  503: { "Retry-After": header("Seconds until a retry may succeed", "5") },
};

/** Codes that only trigger URLs return: they are described there. */
const ofTriggers: readonly ErrorCode[] = ["EXECUTION_FAILED"];
const codes = (Object.keys(errorStatus) as ErrorCode[]).filter((code) => !ofTriggers.includes(code));

/** Every error with this status, as clients see it. */
function envelopeOfError(status: number): z.ZodType {
  const [first, ...others] = codes.filter((code) => errorStatus[code] === status);
  if (first === undefined) throw new Error(`No error has the status ${status}`);
  return errorEnvelope([first, ...others]);
}

/** An error as clients see it. */
export function errorEnvelope(codesOfError: readonly [string, ...string[]]): z.ZodType {
  return z.object({
    success: z.literal(false).describe("Whether the request succeeded"),
    error: z
      .object({
        code: z.enum(codesOfError).describe("The error code"),
        message: z.string().describe("What went wrong, in words"),
        details: z
          .record(z.string(), z.unknown())
          .optional()
          .describe("More about it: paths of fields and what is wrong with each, or what the code says"),
      })
      .describe("What went wrong"),
  });
}

/** Defined once in the document; operations refer to them. */
const answers = Object.fromEntries(
  Object.entries(errors).map(([status, { description, error }]) => [
    status,
    {
      id: `Error${status}`,
      description,
      headers: headers[Number(status)] ?? {},
      content: {
        "application/json": { schema: envelopeOfError(Number(status)), example: { success: false, error } },
      },
    },
  ]),
);

/** The answers with these statuses. */
export function answersWith(statuses: readonly number[]) {
  return Object.fromEntries(Object.entries(answers).filter(([status]) => statuses.includes(Number(status))));
}

/** The error answers of an operation, each with an example. */
export function errorAnswers({ path, method }: Endpoint) {
  const namesNothing = method === "GET" && !path.includes(":");
  const unlikely = [405, ...(namesNothing ? [404] : []), ...(method === "GET" ? [409, 413] : [])];
  return answersWith(
    Object.keys(errors)
      .map(Number)
      .filter((status) => !unlikely.includes(status)),
  );
}
