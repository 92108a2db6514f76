import { isStorableText } from "#lib/engine/flow.ts";
import { AppError } from "#lib/errors.ts";
import type { TurnAnswer, TurnRequest } from "#lib/nodes/across-runs/turn.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { nowMs } from "#lib/platform/clock.ts";
import type { RunStatement } from "#lib/platform/database.ts";
import { inTableTransaction } from "#lib/tables/table.ts";

interface Limiter extends Record<string, unknown> {
  readonly id: string;
  readonly passed: number;
  readonly due: number;
}

// Taking a slot locks the limit's row until the transaction ends.
const hold = `
  INSERT INTO rate_limit AS l (workspace_id, key, passed, due_ms, until_ms) VALUES ($1, $2, 0, 0, 0)
  ON CONFLICT (workspace_id, key) DO UPDATE SET passed = l.passed
  RETURNING id::text, passed::float8, due_ms::float8 AS due`;
const readClock = `
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now,
    (SELECT at_ms::float8 FROM rate_turn WHERE limit_id = $1 AND number = $2) AS before`;
const noteTurn = "INSERT INTO rate_turn (limit_id, number, at_ms) VALUES ($1, $2, $3)";
const dropTurns = "DELETE FROM rate_turn WHERE limit_id = $1 AND number <= $2";
const count = "UPDATE rate_limit SET passed = $2, until_ms = greatest(until_ms, $3) WHERE id = $1";
const queue = "UPDATE rate_limit SET due_ms = $2, until_ms = greatest(until_ms, $3) WHERE id = $1";

/** The longest queue: a year. */
const queueMsMax = 366 * 24 * 3_600_000;
const busyMs = 1_000;

/**
 * Takes a slot under a workspace's rate limit: at most `limit` in any `perMs` milliseconds of the database's clock,
 * across all servers. Slots are numbered, so one look-up decides: the slot `limit` before this one must be at least
 * `perMs` old. Each queued caller gets a time to retry, spaced at the limit's rate, and precedes later arrivals. Throws
 * NodeFailure.
 */
export async function takeTurn(workspaceId: string, request: TurnRequest): Promise<TurnAnswer> {
  const { key } = request;
  if (!isStorableText(key)) throw new NodeFailure("INVALID_CONFIG", "key: must not contain U+0000", { field: "key" });
  try {
    return await inLine(JSON.stringify([workspaceId, key]), () =>
      inTableTransaction((run) => takeInTransaction(run, workspaceId, request)),
    );
  } catch (error) {
    // Other servers held the limit's row too long: the caller retries later.
    if (error instanceof AppError) return { isTaken: false, at: nowMs() + busyMs };
    throw error;
  }
}

const lines = new Map<string, Promise<unknown>>();

/** Serialized per process, so that a limit holds one connection of the pool, however many callers there are. */
async function inLine<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = lines.get(name) ?? Promise.resolve();
  const mine = before.then(work, work);
  lines.set(name, mine);
  try {
    return await mine;
  } finally {
    if (lines.get(name) === mine) lines.delete(name);
  }
}

async function takeInTransaction(run: RunStatement, workspaceId: string, request: TurnRequest): Promise<TurnAnswer> {
  const { key, limit, perMs, mayWait, hasWaited } = request;
  const [limiter] = await run<Limiter>("hold-rate-limit", hold, [workspaceId, key]);
  const { id = "", passed = 0, due = 0 } = limiter ?? {};
  // Reads the clock after locking the row: the transaction's own time is older.
  const values = [id, passed + 1 - limit];
  const [clock] = await run<{ now: number; before: number | null }>("look-at-turns", readClock, values);
  const { now = 0, before = null } = clock ?? {};
  const free = before === null ? now : before + perMs;
  const isBehind = due > now && !hasWaited;
  if (free <= now && !isBehind) {
    await run("note-turn", noteTurn, [id, passed + 1, now]);
    await run("drop-turns", dropTurns, [id, passed + 1 - limit]);
    await run("count-turn", count, [id, passed + 1, now + perMs]);
    return { isTaken: true };
  }
  const at = Math.ceil(Math.max(free, due + perMs / limit, now + 1));
  if (!mayWait) return { isTaken: false, at };
  if (at - now > queueMsMax) {
    throw new NodeFailure("RATE_LIMITED", "The queue under this limit is longer than a year", { field: "limit" });
  }
  await run("queue-for-turn", queue, [id, at, at + perMs]);
  return { isTaken: false, at };
}
