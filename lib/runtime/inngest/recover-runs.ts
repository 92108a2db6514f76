import { query } from "#lib/platform/database.ts";
import { admitRuns } from "../admit-runs.ts";
import { finishBegun } from "../finish-begun.ts";
import { dispatchRuns } from "./dispatch-runs.ts";

const openWait = `
  SELECT w.until, w.resumed_at, c.id AS ended_child FROM execution_wait w
  JOIN node_execution n ON n.execution_id = w.execution_id AND n.node_id = w.step_id AND n.status = 'running'
  LEFT JOIN execution c ON c.id = w.waited_id AND c.status NOT IN ('pending', 'running')
  WHERE w.execution_id = e.id AND w.state IS NOT NULL`;

// A run of which nothing was heard because it waits is noted as waiting, until when it does. One of which something
// should have been heard is left as it is: its lease is over, and it is sent again.
const park = `
  UPDATE execution e SET lease_until = NULL,
    wake_at = coalesce((SELECT min(o.until) FROM (${openWait}) AS o), '9999-12-31T00:00:00Z')
  WHERE e.status = 'running' AND e.wake_at IS NULL AND e.lease_until < now() AND e.lease_owner LIKE 'inngest:%'
    AND EXISTS (SELECT 1 FROM (${openWait}) AS o)
    AND NOT EXISTS (SELECT 1 FROM (${openWait}) AS o
      WHERE o.resumed_at IS NOT NULL OR o.ended_child IS NOT NULL OR o.until < now())`;

/** Sees to the runs that nobody attends to; gives how many were sent again. Harmless to call at any time. */
export async function recoverRuns(): Promise<number> {
  await finishBegun();
  await query("park-waiting-runs", park, []);
  await admitRuns();
  return await dispatchRuns();
}
