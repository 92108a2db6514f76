import { inTransaction } from "#lib/platform/database.ts";
import { correctionsOfHours } from "./corrections.ts";

// Servers of the previous version count by day, into `execution_rollup`. Every row there names a day to recount.
const findDay = `
  SELECT workspace_id AS id, day::text, day > '-infinity'::date AS "isDay",
    (day::timestamp AT TIME ZONE 'UTC')::text AS from, ((day + 1)::timestamp AT TIME ZONE 'UTC')::text AS to
  FROM execution_rollup LIMIT 1 FOR UPDATE SKIP LOCKED`;
const forgetDay = `
  DELETE FROM execution_rollup WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM execution_rollup WHERE workspace_id = $1 AND day = $2::date FOR UPDATE SKIP LOCKED))`;

/**
 * Recounts the days on which servers of the previous version ended or deleted runs during a rolling upgrade. What they
 * write meanwhile is left for the next time.
 */
export async function countDaysOfOlderServers(): Promise<void> {
  while (await countDay());
}

/** Forgets a day and corrects its hours in one transaction, so that a crash loses neither. */
function countDay(): Promise<boolean> {
  return inTransaction(async (run, client) => {
    const { rows } = await client.query<{ id: string; day: string; isDay: boolean; from: string; to: string }>(findDay);
    const [found] = rows;
    if (found === undefined) return false;
    await client.query("SELECT pg_advisory_xact_lock($1)", [statisticsLock]);
    await run("forget-day", forgetDay, [found.id, found.day]);
    if (!found.isDay) return true;
    for (const text of correctionsOfHours) await client.query(text, [found.id, found.from, found.to]);
    return true;
  });
}

/** Held while rollups are folded or corrected. */
export const statisticsLock = 72_707_371n;
