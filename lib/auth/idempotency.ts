import { randomUUID } from "node:crypto";
import { AppError } from "#lib/errors.ts";
import { isUnavailable, query, type RunStatement } from "#lib/platform/database.ts";
import { derivedId } from "#lib/platform/ids.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { singleton } from "#lib/platform/singleton.ts";

/** What identifies a repeated request. */
export interface IdempotentRequest {
  readonly workspaceId: string;
  readonly key: string;
  /** Method and path, including the query. */
  readonly path: string;
  readonly bodyHash: string;
}

/** A stored answer. */
interface KeptAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | null;
}

/** Passed to a use case with an `Idempotency-Key`, so that its work is done once. */
export interface Once {
  /** What an earlier request with the key created, if its answer was lost; null for nothing. */
  readonly made: unknown;
  /** The id of the run that the request starts: the same for every request with the key. */
  readonly executionId: string;
  /**
   * Records the created resource as JSON, in the transaction that creates it. Throws CONFLICT if another request has
   * claimed the key: the transaction must then not commit.
   */
  keep(run: RunStatement, made: unknown): Promise<void>;
}

const keptFor = "interval '24 hours'";
/** Without a heartbeat. A key claimed by an older version has no lease and is free after a quarter of an hour. */
const leaseFor = "interval '10 seconds'";
const heartbeatMs = 2_500;
const isOver = `kept.created_at < now() - ${keptFor}`;
const isFree = `coalesce(kept.lease_until, kept.created_at + interval '15 minutes') < now()`;

// Claims the key if it is free, if its record has expired, or if its holder died before it answered. A created resource
// is kept as long as the key, so a different request must not get the key before that.
const take = `
  INSERT INTO idempotency_key AS kept (workspace_id, key, path, body_hash, owner, lease_until)
  VALUES ($1, $2, $3, $4, $5, now() + ${leaseFor})
  ON CONFLICT (workspace_id, key) DO UPDATE
    SET path = excluded.path, body_hash = excluded.body_hash, owner = excluded.owner,
        lease_until = excluded.lease_until, status = NULL, headers = NULL, answer = NULL,
        created_at = CASE WHEN ${isOver} THEN now() ELSE kept.created_at END,
        made = CASE WHEN ${isOver} THEN NULL ELSE kept.made END
    WHERE ${isOver} OR (kept.status IS NULL AND ${isFree} AND (
      kept.made IS NULL OR (kept.path = excluded.path AND kept.body_hash = excluded.body_hash)))
  RETURNING created_at, made`;

const mine = "workspace_id = $1 AND key = $2 AND owner = $3";
const statements = {
  made: `UPDATE idempotency_key SET made = $4 WHERE ${mine} AND status IS NULL RETURNING key`,
  answer: `UPDATE idempotency_key SET status = $4, headers = $5, answer = $6, made = NULL WHERE ${mine}`,
  free: `DELETE FROM idempotency_key WHERE ${mine}`,
  release: `UPDATE idempotency_key SET lease_until = now() WHERE ${mine} AND status IS NULL`,
  kept: "SELECT path, body_hash, status, headers, answer FROM idempotency_key WHERE workspace_id = $1 AND key = $2",
  renew: `
    UPDATE idempotency_key k SET lease_until = now() + ${leaseFor}
    FROM unnest($1::text[], $2::text[], $3::text[]) AS h(workspace_id, key, owner)
    WHERE k.workspace_id = h.workspace_id AND k.key = h.key AND k.owner = h.owner AND k.status IS NULL`,
} as const;

interface KeptRow extends Record<string, unknown> {
  path: string;
  body_hash: string;
  status: number | null;
  headers: string | null;
  answer: string | null;
}

/**
 * Answers the first request with a key, and repeats its answer to the same request within 24 hours. Client errors are
 * not stored, so that they can be corrected. After any other failure, the next identical request gets the key and finds
 * what was done. Throws CONFLICT for a different body or path with the same key, and while the first request is in
 * progress.
 */
export async function onceOnly<T>(
  request: IdempotentRequest,
  work: {
    readonly answer: (once: Once) => Promise<T>;
    readonly keep: (answer: T) => Promise<KeptAnswer>;
    readonly replay: (answer: KeptAnswer) => T;
  },
): Promise<T> {
  const { workspaceId, key, path, bodyHash } = request;
  const holder = [workspaceId, key, randomUUID()] as const;
  const values = [workspaceId, key, path, bodyHash, holder[2]];
  const [taken] = await query<{ created_at: Date; made: string | null }>("take-key", take, values);
  if (taken === undefined) return work.replay(await keptAnswer(request));
  const renewal = renewUntilStopped(holder);
  try {
    const answer = await work.answer(onceOf(request, holder, taken));
    await keepAnswer(holder, await work.keep(answer));
    return answer;
  } catch (error) {
    const isRefusal = error instanceof AppError && error.status < 500;
    await settle(isRefusal ? "free" : "release", holder);
    throw error;
  } finally {
    renewal.stop();
  }
}

type Holder = readonly [workspaceId: string, key: string, owner: string];

function onceOf(
  { workspaceId, path, key }: IdempotentRequest,
  holder: Holder,
  taken: { readonly created_at: Date; readonly made: string | null },
): Once {
  return {
    made: taken.made === null ? null : JSON.parse(taken.made),
    executionId: derivedId("execution", taken.created_at, JSON.stringify([workspaceId, path, key])),
    keep: async (run, made) => {
      const rows = await run("keep-made", statements.made, [...holder, JSON.stringify(made)]);
      if (rows.length === 0) throw stillAnswering();
    },
  };
}

/** Stores the answer. The work is done, so a failure here is only logged: the next request finds what was created. */
async function keepAnswer(holder: Holder, { status, headers, body }: KeptAnswer): Promise<void> {
  try {
    await query("keep-answer", statements.answer, [...holder, status, JSON.stringify(headers), body]);
  } catch (error) {
    if (!isUnavailable(error))
      logLine("error", "The answer for an Idempotency-Key could not be stored", errorFields(error));
    await settle("release", holder);
  }
}

/** If even this fails, the lease expires. */
async function settle(statement: "free" | "release", holder: Holder): Promise<void> {
  try {
    await query(`${statement}-key`, statements[statement], holder);
  } catch (error) {
    if (!isUnavailable(error)) logLine("error", "An Idempotency-Key could not be released", errorFields(error));
  }
}

async function keptAnswer({ workspaceId, key, path, bodyHash }: IdempotentRequest): Promise<KeptAnswer> {
  const [answer] = await query<KeptRow>("kept-answer", statements.kept, [workspaceId, key]);
  if (answer !== undefined && (answer.path !== path || answer.body_hash !== bodyHash)) {
    throw new AppError("CONFLICT", "This Idempotency-Key was used before for another request");
  }
  // The first request failed between the two statements: the next attempt will be the first.
  if (answer === undefined || answer.status === null) throw stillAnswering();
  return { status: answer.status, headers: JSON.parse(answer.headers ?? "[]"), body: answer.answer };
}

function stillAnswering(): AppError {
  return new AppError("CONFLICT", "The first request with this Idempotency-Key is still being answered", {
    retryAfterSeconds: 1,
  });
}

interface Renewals {
  readonly holders: Set<Holder>;
  timer: NodeJS.Timeout | undefined;
}

const hearts = () => singleton<Renewals>("idempotency-hearts", () => ({ holders: new Set(), timer: undefined }));

/** Renews a key's lease until stopped; one statement renews all of this process's keys. */
function renewUntilStopped(holder: Holder): { stop(): void } {
  const own = hearts();
  own.holders.add(holder);
  own.timer ??= setInterval(() => void renew(own), heartbeatMs).unref();
  return {
    stop: () => {
      own.holders.delete(holder);
      if (own.holders.size > 0) return;
      clearInterval(own.timer);
      own.timer = undefined;
    },
  };
}

async function renew({ holders }: Renewals): Promise<void> {
  const all = [...holders];
  const columns = [0, 1, 2].map((at) => all.map((holder) => holder[at]));
  await query("renew-keys", statements.renew, columns).catch((error) => {
    if (!isUnavailable(error)) logLine("error", "Leases of Idempotency-Keys could not be renewed", errorFields(error));
  });
}
