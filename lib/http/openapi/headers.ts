import { z } from "zod";
import { type Endpoint, isIdempotent } from "#lib/contract/endpoint.ts";

const idempotencyKey = z
  .string()
  .max(255)
  .optional()
  .meta({ description: "The same key with the same body within 24 hours gives the first answer again" });

const ifMatch = z
  .string()
  .optional()
  .meta({ description: "The version that was read, as its ETag has it; 409 when the flow has changed since" });

const lastEventId = z
  .string()
  .optional()
  .meta({ description: "The id of the last event that the client has; browsers send it when they connect again" });

/** The headers that an operation reads beside `Authorization`. */
export function requestHeaders(endpoint: Endpoint): z.ZodObject {
  return z.object({
    ...(isIdempotent(endpoint) ? { "Idempotency-Key": idempotencyKey } : {}),
    ...(endpoint.checksVersion === true && endpoint.method !== "GET" && endpoint.path.includes(":")
      ? { "If-Match": ifMatch }
      : {}),
    ...(endpoint.shape === "stream" ? { "Last-Event-ID": lastEventId } : {}),
  });
}

/** The headers of a success, beside those of every HTTP answer. */
export function answerHeaders(endpoint: Endpoint): z.ZodObject {
  return z.object({
    "X-Request-Id": z.string().meta({
      description: "Names this request in the server's log",
      examples: ["4f3c2b1a-7d6e-4c5b-8a9f-0e1d2c3b4a59"],
    }),
    "X-RateLimit-Limit": z.int().optional().meta({ description: "Requests an hour; only on answers to a key" }),
    "X-RateLimit-Remaining": z.int().optional().meta({ description: "Requests left in this hour" }),
    "X-RateLimit-Reset": z.int().optional().meta({ description: "When the hour ends, in Unix seconds" }),
    ...(isIdempotent(endpoint)
      ? { "Idempotency-Replayed": z.literal("true").optional().meta({ description: "The first answer, again" }) }
      : {}),
    ...(endpoint.checksVersion === true && endpoint.shape !== "empty"
      ? { ETag: z.string().meta({ description: "The flow's version", examples: ['"7"'] }) }
      : {}),
  });
}
