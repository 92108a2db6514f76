import { isUnavailable, query } from "#lib/platform/database.ts";

/** Of a larger list it is not told how long it is: reading it would cost more than that is worth. */
const outputBytesMax = 1_048_576;

const readCounts = `
  SELECT node_id, json_array_length(output::json) AS items FROM node_execution
  WHERE execution_id = $1 AND left(output, 1) = '[' AND octet_length(output) <= ${outputBytesMax}`;

/** How many items the outputs of a run have that are lists, by their nodes' ids, without bringing the outputs here. */
export async function countItems(executionId: string): Promise<ReadonlyMap<string, number>> {
  try {
    const rows = await query<{ node_id: string; items: number }>("count-items", readCounts, [executionId]);
    return new Map(rows.map((row) => [row.node_id, row.items]));
  } catch (error) {
    // A list nested deeper than PostgreSQL follows.
    if (isUnavailable(error)) throw error;
    return new Map();
  }
}
