import { createHash } from "node:crypto";
import { type IdempotentRequest, type Once, onceOnly } from "#lib/auth/idempotency.ts";
import { isStorableText } from "#lib/engine/flow.ts";
import { AppError } from "#lib/errors.ts";
import { jsonInTurns } from "#lib/json/write-json.ts";

const keyCharactersMax = 255;
const keptHeaders = new Set(["content-type", "etag"]);

/** The request's `Idempotency-Key`; null if there is none. Throws VALIDATION_ERROR if it is too long or empty. */
export function idempotencyKeyOf(header: string | null): string | null {
  if (header === null) return null;
  if (header.length > 0 && header.length <= keyCharactersMax && isStorableText(header)) return header;
  throw new AppError("VALIDATION_ERROR", "The Idempotency-Key is not valid", {
    details: { "Idempotency-Key": `must have 1 to ${keyCharactersMax} characters` },
  });
}

/** Tells different bodies under one key apart. */
export async function hashOfBody(body: unknown): Promise<string> {
  return createHash("sha256")
    .update(await jsonInTurns(body))
    .digest("hex");
}

/** Answers a request with a key, or repeats the first answer and says so. Throws CONFLICT; see `onceOnly`. */
export function answerOnce(request: IdempotentRequest, answer: (once: Once) => Promise<Response>): Promise<Response> {
  return onceOnly(request, {
    answer,
    keep: async (first) => ({
      status: first.status,
      headers: [...first.headers].filter(([name]) => keptHeaders.has(name)),
      body: await first.clone().text(),
    }),
    replay: ({ status, headers, body }) => {
      const replayed = new Headers();
      for (const [name, value] of headers) replayed.set(name, value);
      replayed.set("idempotency-replayed", "true");
      return new Response(body, { status, headers: replayed });
    },
  });
}
