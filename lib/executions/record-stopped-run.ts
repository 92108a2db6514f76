import { query } from "#lib/platform/database.ts";
import type { Run } from "./run.ts";

const amend = `
  UPDATE execution SET nodes_executed = greatest(nodes_executed, $3), error_count = $4, warning_count = $5, warnings = $6
  WHERE id = $1 AND fence = $2 AND status = 'cancelled'`;

/** Records what a cancelled run had done, from the process that was running it: the cancellation did not know. */
export async function recordStoppedRun({ id, fence, journal }: Run): Promise<void> {
  const warnings = journal.warnings.length === 0 ? null : JSON.stringify(journal.warnings);
  const values = [id, fence, journal.nodesExecuted, journal.errorCount, journal.warningCount, warnings];
  await query("amend-stopped", amend, values);
}
