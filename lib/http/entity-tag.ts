import { createHash } from "node:crypto";
import type { z } from "zod";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import type { JsonChunks } from "./json-stream.ts";

/** Whether an `If-None-Match` names this `ETag`: in a list, as `*`, and weak or not (RFC 9110, section 13.1.2). */
export function namesTag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const opaque = opaqueOf(etag);
  return ifNoneMatch.split(",").some((tag) => tag.trim() === "*" || opaqueOf(tag.trim()) === opaque);
}

function opaqueOf(tag: string): string {
  return tag.replace(/^W\//, "");
}

/**
 * A use case whose payload changes only with the program. It is validated and serialized on first use. Browsers cache
 * it and revalidate each time.
 */
export function constantAnswer<E extends Endpoint>(endpoint: E, make: () => z.input<E["answer"]>) {
  let made: { readonly text: string; readonly etag: string } | undefined;
  return async () => {
    made ??= withTag(JSON.stringify(endpoint.answer.parse(make())));
    const { text, etag } = made;
    return { chunks: singleChunk(text), headers: { etag, "cache-control": "private, no-cache" } };
  };
}

async function* singleChunk(text: string): JsonChunks {
  yield text;
}

/** Weak: the same payload may be sent in several encodings. */
function withTag(text: string) {
  return { text, etag: `W/"${createHash("sha256").update(text).digest("base64url")}"` };
}
