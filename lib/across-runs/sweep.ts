import { deleteInBatches } from "#lib/platform/database/delete-in-batches.ts";

/** How long events are kept for runs that wait for them later. */
const eventsKeptFor = "interval '1 day'";
const isOpen = "SELECT FROM execution e WHERE e.id = execution_id AND e.status IN ('pending', 'running')";

/** Expired rows, by table. */
const expired: Readonly<Record<string, string>> = {
  event: `told AND created_at < now() - ${eventsKeptFor}`,
  event_wait: `created_at < now() - interval '1 hour' AND NOT EXISTS (${isOpen})`,
  met_key: "until < now()",
  rate_limit: "until_ms < (extract(epoch FROM now()) * 1000)::bigint",
};

/**
 * Deletes old events, ended waits, expired keys and idle limits; returns how many rows. Safe to call in several
 * processes at once; stops when aborted.
 */
export async function sweepAcrossRuns(signal?: AbortSignal): Promise<number> {
  let swept = 0;
  for (const [table, where] of Object.entries(expired)) swept += await deleteInBatches({ table, where, signal });
  return swept;
}
