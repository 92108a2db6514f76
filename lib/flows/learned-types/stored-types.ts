import { query } from "#lib/platform/database.ts";
import { type FlowShapes, foldShapes, mergeShapes, noShapes, unfoldShapes, versionsKept } from "./version-types.ts";

interface Row extends Record<string, unknown> {
  readonly version: number;
  readonly runs: number;
  readonly shapes: string;
}

const read = "SELECT version, runs, shapes FROM flow_types WHERE flow_id = $1 ORDER BY version DESC";

/** The shapes of a flow's versions, newest first. */
export async function storedTypes(
  flowId: string,
): Promise<{ readonly version: number; readonly shapes: FlowShapes }[]> {
  const rows = await query<Row>("flow-types", read, [flowId]);
  return rows.map(({ version, runs, shapes }) => ({ version, shapes: unfoldShapes(shapes, runs) }));
}

const readOne = "SELECT version, runs, shapes FROM flow_types WHERE flow_id = $1 AND version = $2";

/** The shapes of one version. */
export async function storedTypesOf(flowId: string, version: number): Promise<FlowShapes> {
  const [row] = await query<Row>("types-of-version", readOne, [flowId, version]);
  return row === undefined ? noShapes() : unfoldShapes(row.shapes, row.runs);
}

// Not worth waiting for the disk: what is lost in a crash of the database is learned again.
const asynchronously = "(SELECT set_config('synchronous_commit', 'off', true)) AS setting";

// Stores nothing for a flow that was deleted meanwhile.
const insert = `
  INSERT INTO flow_types (flow_id, version, runs, shapes, updated_at)
  SELECT f.id, $2, $3, $4, now() FROM flow f, ${asynchronously} WHERE f.id = $1
  ON CONFLICT DO NOTHING RETURNING version`;
// An optimistic lock: every write adds runs, so their count shows whether another server has written since.
const update = `
  UPDATE flow_types SET runs = $3, shapes = $4, updated_at = now() FROM ${asynchronously}
  WHERE flow_id = $1 AND version = $2 AND runs = $5 RETURNING version`;
const forget = `
  DELETE FROM flow_types WHERE flow_id = $1 AND version NOT IN (
    SELECT version FROM flow_types WHERE flow_id = $1 ORDER BY version DESC LIMIT ${versionsKept})`;

/** In each round of concurrent writes, one succeeds. */
const attemptsMax = 50;

/**
 * Merges what was learned into what is stored; returns both together, or null if the flow is gone. Takes no lock while
 * it merges: the write names the state it read, and is retried if another server was faster.
 */
export async function storeTypes(flowId: string, version: number, learned: FlowShapes): Promise<FlowShapes | null> {
  let isRefused = false;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const [row] = await query<Row>("types-of-version", readOne, [flowId, version]);
    // An insert that neither found nor created a row means that the flow is gone.
    if (row === undefined && isRefused) return null;
    const all = row === undefined ? noShapes() : unfoldShapes(row.shapes, row.runs);
    mergeShapes(all, learned);
    const values = [flowId, version, all.runs, await foldShapes(all)];
    const written =
      row === undefined
        ? await query("insert-types", insert, values)
        : await query("update-types", update, [...values, row.runs]);
    if (written.length > 0) {
      if (row === undefined) await query("forget-types", forget, [flowId]);
      return all;
    }
    isRefused = row === undefined;
  }
  throw new Error(`Too many processes write the types of ${flowId} at once`);
}
