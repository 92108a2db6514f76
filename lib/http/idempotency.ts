import { createHash } from "node:crypto";
import { isStorableText } from "#lib/engine/flow.ts";
import { AppError } from "#lib/errors.ts";
import { query } from "#lib/platform/database.ts";

/** What makes two requests the same one. */
export interface IdempotentRequest {
  readonly workspaceId: string;
  readonly key: string;
  /** Method and path, the query included. */
  readonly path: string;
  readonly body: unknown;
}

interface KeptRow {
  path: string;
  body_hash: string;
  status: number | null;
  headers: string | null;
  answer: string | null;
}

const keyCharactersMax = 255;
/** A first request that has not answered for this long died with its process. */
const abandonedAfter = "15 minutes";
const keptFor = "24 hours";

// Takes the key when it is free, or when what is kept under it is too old to count.
const take = `
  INSERT INTO idempotency_key AS kept (workspace_id, key, path, body_hash) VALUES ($1, $2, $3, $4)
  ON CONFLICT (workspace_id, key) DO UPDATE
    SET path = excluded.path, body_hash = excluded.body_hash, status = NULL, headers = NULL, answer = NULL,
        created_at = now()
    WHERE kept.created_at < now() - interval '${keptFor}'
       OR (kept.status IS NULL AND kept.created_at < now() - interval '${abandonedAfter}')
  RETURNING key`;

/** The request's `Idempotency-Key`; null without one. Throws VALIDATION_ERROR for one that is too long or empty. */
export function idempotencyKeyOf(header: string | null): string | null {
  if (header === null) return null;
  if (header.length > 0 && header.length <= keyCharactersMax && isStorableText(header)) return header;
  throw new AppError("VALIDATION_ERROR", "The Idempotency-Key is not valid", {
    details: { "Idempotency-Key": `must have 1 to ${keyCharactersMax} characters` },
  });
}

/**
 * Answers the first request of a key, and gives its answer again to the same request within 24 hours. Errors are not
 * kept, so that they can be mended and sent again. Throws CONFLICT for another body or path under the same key, and
 * while the first is still being answered.
 */
export async function answerOnce(request: IdempotentRequest, answer: () => Promise<Response>): Promise<Response> {
  const { workspaceId, key, path } = request;
  const bodyHash = createHash("sha256").update(JSON.stringify(request.body)).digest("hex");
  const taken = await query("take-key", take, [workspaceId, key, path, bodyHash]);
  if (taken.length === 0) return await replay(request, bodyHash);
  const first = await answer().catch(async (error) => {
    await query("free-key", "DELETE FROM idempotency_key WHERE workspace_id = $1 AND key = $2", [workspaceId, key]);
    throw error;
  });
  // Should this fail, the key stays taken: what was done must not be done again under it.
  await keep(request, first);
  return first;
}

async function keep({ workspaceId, key }: IdempotentRequest, answer: Response): Promise<void> {
  const text = "UPDATE idempotency_key SET status = $3, headers = $4, answer = $5 WHERE workspace_id = $1 AND key = $2";
  const kept = [...answer.headers].filter(([name]) => name === "content-type" || name === "etag");
  const body = await answer.clone().text();
  await query("keep-answer", text, [workspaceId, key, answer.status, JSON.stringify(kept), body]);
}

async function replay({ workspaceId, key, path }: IdempotentRequest, bodyHash: string): Promise<Response> {
  const text =
    "SELECT path, body_hash, status, headers, answer FROM idempotency_key WHERE workspace_id = $1 AND key = $2";
  const [kept] = await query<KeptRow>("kept-answer", text, [workspaceId, key]);
  if (kept !== undefined && (kept.path !== path || kept.body_hash !== bodyHash)) {
    throw new AppError("CONFLICT", "This Idempotency-Key was used before for another request");
  }
  // Gone: the first request failed between the two statements, and the next try will be the first.
  if (kept === undefined || kept.status === null) {
    throw new AppError("CONFLICT", "The first request with this Idempotency-Key is still being answered", {
      retryAfterSeconds: 1,
    });
  }
  const headers = new Headers(JSON.parse(kept.headers ?? "[]") as [string, string][]);
  headers.set("idempotency-replayed", "true");
  return new Response(kept.answer, { status: kept.status, headers });
}
