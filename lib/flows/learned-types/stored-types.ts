import { inTransaction, query } from "#lib/platform/database.ts";
import { type FlowShapes, foldShapes, mergeShapes, noShapes, unfoldShapes, versionsKept } from "./version-types.ts";

interface Row extends Record<string, unknown> {
  readonly version: number;
  readonly runs: number;
  readonly shapes: string;
}

const read = "SELECT version, runs, shapes FROM flow_types WHERE flow_id = $1 ORDER BY version DESC";

/** What is known of a flow's versions, the newest first. */
export async function storedTypes(
  flowId: string,
): Promise<{ readonly version: number; readonly shapes: FlowShapes }[]> {
  const rows = await query<Row>("flow-types", read, [flowId]);
  return rows.map(({ version, runs, shapes }) => ({ version, shapes: unfoldShapes(shapes, runs) }));
}

/** What is known of one version. */
export async function storedTypesOf(flowId: string, version: number): Promise<FlowShapes> {
  const text = "SELECT version, runs, shapes FROM flow_types WHERE flow_id = $1 AND version = $2";
  const [row] = await query<Row>("types-of-version", text, [flowId, version]);
  return row === undefined ? noShapes() : unfoldShapes(row.shapes, row.runs);
}

// A flow that is deleted meanwhile has no types.
const begin = `
  INSERT INTO flow_types (flow_id, version, runs, shapes, updated_at)
  SELECT f.id, $2, 0, $3, now() FROM flow f WHERE f.id = $1 ON CONFLICT DO NOTHING`;
const lock = "SELECT version, runs, shapes FROM flow_types WHERE flow_id = $1 AND version = $2 FOR UPDATE";
const write = "UPDATE flow_types SET runs = $3, shapes = $4, updated_at = now() WHERE flow_id = $1 AND version = $2";
const forget = `
  DELETE FROM flow_types WHERE flow_id = $1 AND version NOT IN (
    SELECT version FROM flow_types WHERE flow_id = $1 ORDER BY version DESC LIMIT ${versionsKept})`;

/**
 * Adds what was learned to what is stored; returns both together, null where the flow is gone. Two servers at once add one
 * after the other.
 */
export async function storeTypes(flowId: string, version: number, learned: FlowShapes): Promise<FlowShapes | null> {
  return await inTransaction(async (run) => {
    await run("begin-types", begin, [flowId, version, await foldShapes(noShapes())]);
    const [row] = await run<Row>("lock-types", lock, [flowId, version]);
    if (row === undefined) return null;
    const all = unfoldShapes(row.shapes, row.runs);
    mergeShapes(all, learned);
    await run("write-types", write, [flowId, version, all.runs, await foldShapes(all)]);
    if (row.runs === 0) await run("forget-types", forget, [flowId]);
    return all;
  });
}
