import { inTransaction } from "#lib/platform/database.ts";
import { correctionsOfHours } from "./corrections.ts";

// A server of the previous version counts into `execution_rollup`, by the day. Every row there names a day to recount.
const findDay = `
  SELECT workspace_id AS id, day::text, day > '-infinity'::date AS "isDay",
    (day::timestamp AT TIME ZONE 'UTC')::text AS from, ((day + 1)::timestamp AT TIME ZONE 'UTC')::text AS to
  FROM execution_rollup LIMIT 1 FOR UPDATE SKIP LOCKED`;
const forgetDay = `
  DELETE FROM execution_rollup WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM execution_rollup WHERE workspace_id = $1 AND day = $2::date FOR UPDATE SKIP LOCKED))`;

/**
 * Recounts the days on which servers of the previous version ended or deleted runs, as they do while an installation
 * is upgraded server by server. What they write meanwhile stays for the next time.
 */
export async function countDaysOfOlderServers(): Promise<void> {
  while (await countDay());
}

/** One transaction forgets a day and corrects its hours, so a kill in between loses neither. */
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
