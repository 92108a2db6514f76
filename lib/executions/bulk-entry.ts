import type { Change } from "#lib/audit/record-change.ts";
import type { BulkSelection } from "#lib/contract/execution-bulk.ts";

/** What the audit log tells of something done to many runs: to how many, and how they were chosen. */
export function bulkEntry(
  verb: "cancelled" | "retried",
  { executionIds, filter }: BulkSelection,
  count: number,
): Change {
  const chosen = executionIds === undefined ? { filter } : { executionIds: executionIds.length };
  return { action: `executions.${verb}`, id: filter?.flowId ?? "", after: { count, ...chosen } };
}
