import { query } from "#lib/platform/database.ts";
import { unfoldJournal } from "./folded-journal.ts";
import { recordColumns, writeRecords } from "./store-columns.ts";

// Of two that look at once the second waits for the first one's row, and then finds nothing to take apart.
const unfold = `
  WITH unfolded AS (
    UPDATE execution SET journal = NULL WHERE id = $1 AND journal IS NOT NULL RETURNING id)
  ${writeRecords({ kind: "nodes-and-logs", first: 2, owner: "unfolded" })}
  SELECT id FROM unfolded`;

/** Gives the nodes and the log of a run rows of their own, when somebody looks at it for the first time. */
export async function unfoldExecution(executionId: string, journal: string): Promise<void> {
  const { nodes, logs } = unfoldJournal(journal);
  const columns = recordColumns(
    "nodes-and-logs",
    nodes.map((node) => ({ ...node, executionId })),
    logs.map((entry) => ({ ...entry, executionId })),
  );
  await query("unfold-execution", unfold, [executionId, ...columns]);
}
