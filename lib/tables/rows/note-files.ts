import { filesIn, forgetFiles, noteFiles } from "#lib/files/references.ts";
import type { RunStatement } from "#lib/platform/database.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import type { Cells } from "#lib/tables/cells.ts";
import type { Table } from "#lib/tables/table.ts";
import type { RowChange } from "./apply-changes.ts";

/** Records the files that rows name, in the transaction that writes the rows. */
export async function noteFilesOfRows(
  run: RunStatement,
  table: Table,
  changes: readonly RowChange[],
  rows: readonly { readonly id: string }[],
): Promise<void> {
  for (const [index, { before, after }] of changes.entries()) {
    await yieldTurn();
    // References of deleted rows are removed by the sweep.
    if (after === null) continue;
    const [named, old] = [filesOf(after.cells), before === null ? none : filesOf(before.cells)];
    if (named.size + old.size === 0) continue;
    const id = `${table.id}/${rows[index]?.id}`;
    await noteFiles({ kind: "row", id, workspaceId: table.workspaceId }, named, run);
    if (old.size > 0) await forgetFiles("row", id, named, run);
  }
}

const none: ReadonlySet<string> = new Set();

function filesOf(cells: Cells): Set<string> {
  const found = new Set<string>();
  for (const value of Object.values(cells)) {
    if (typeof value === "string") filesIn(value, found);
    else if (typeof value === "object" && value !== null) filesIn(JSON.stringify(value), found);
  }
  return found;
}
