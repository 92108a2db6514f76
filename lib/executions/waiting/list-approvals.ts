import type { Actor } from "#lib/auth/actor.ts";
import { type Approval, approvalsMax, openRunsMax } from "#lib/contract/executions/waits.ts";
import { readStepId } from "#lib/engine/step.ts";
import { iso } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import { asksPeople, isOpenCall } from "./waiting-for.ts";

interface Row {
  readonly execution_id: string;
  readonly flow_id: string;
  readonly flow_name: string;
  readonly step_id: string;
  readonly node_name: string | null;
  /** A JSON string. */
  readonly title: string | null;
  readonly created_at: Date;
  readonly until: Date | null;
}

/** Characters of a form as JSON that have its title: it comes first, and has at most 200 characters. */
const titleWithin = 2_000;

// Not a cast to JSON: PostgreSQL refuses text that JSON may contain, such as U+0000.
const read = `
  WITH open_runs AS (
    SELECT id, flow_id, flow_name FROM execution
    WHERE workspace_id = $1 AND status IN ('pending', 'running') ORDER BY started_at DESC, id DESC LIMIT ${openRunsMax}),
  asking AS (
    SELECT r.id AS execution_id, r.flow_id, r.flow_name, w.step_id, w.created_at, w.until, w.state
    FROM open_runs r JOIN execution_wait w ON w.execution_id = r.id
    WHERE ${isOpenCall} AND ${asksPeople} ORDER BY w.created_at, w.execution_id, w.step_id LIMIT $2)
  SELECT a.execution_id, a.flow_id, a.flow_name, a.step_id, a.created_at, a.until, n.node_name,
    substring(left(a.state, ${titleWithin}) FROM '^\\{"form":\\{"title":("(?:[^"\\\\]|\\\\.)*")') AS title
  FROM asking a LEFT JOIN node_execution n ON n.execution_id = a.execution_id AND n.node_id = a.step_id
  ORDER BY a.created_at, a.execution_id, a.step_id`;

/** The open forms in the latest open runs of the workspace, longest wait first. */
export async function listApprovals({ workspaceId }: Actor, limit: number = approvalsMax): Promise<Approval[]> {
  const rows = await query<Row>("list-approvals", read, [workspaceId, limit]);
  return rows.map((row) => {
    const { nodeId, iteration } = readStepId(row.step_id);
    return {
      executionId: row.execution_id,
      flowId: row.flow_id,
      flowName: row.flow_name,
      nodeId,
      nodeName: row.node_name ?? nodeId,
      iteration,
      title: row.title === null ? null : (JSON.parse(row.title) as string),
      since: iso(row.created_at),
      until: row.until === null ? null : iso(row.until),
    };
  });
}
