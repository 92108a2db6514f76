import type { Actor } from "#lib/auth/actor.ts";
import { type Approval, approvalsMax, type CallWait, openRunsMax, waitsMax } from "#lib/contract/executions/waits.ts";
import { readStepId } from "#lib/engine/step.ts";
import { waitForm } from "#lib/engine/wait-form.ts";
import { findExecution } from "#lib/executions/read-execution.ts";
import { resumeUrl } from "#lib/executions/resume-token.ts";
import { namesOfAuthors } from "#lib/flows/flow-versions.ts";
import { iso } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import { asksPeople, isOpenCall } from "./waiting-for.ts";

interface Row {
  readonly step_id: string;
  readonly node_name: string | null;
  readonly is_open: boolean;
  readonly has_form: boolean;
  readonly created_at: Date;
  readonly until: Date | null;
  readonly resumed_at: Date | null;
  readonly answered_by: string | null;
  readonly state: string | null;
}

/** Total size of the forms that are read: each may have a thousand options. */
const formsBytesMax = 1_048_576;

// Open waits come first, and only their forms are read.
const read = `
  WITH waits AS (
    SELECT w.step_id, w.created_at, (${isOpenCall}) AND $2 AS is_open FROM execution_wait w WHERE w.execution_id = $1 AND w.kind = 'call' AND w.state IS NOT NULL
    ORDER BY is_open DESC, w.created_at, w.step_id LIMIT ${waitsMax})
  SELECT w.step_id, n.node_name, is_open, ${asksPeople} AS has_form, w.created_at, w.until, w.resumed_at, w.answered_by,
    CASE WHEN is_open AND sum(octet_length(w.state)) OVER (ORDER BY is_open DESC, w.created_at, w.step_id) <= ${formsBytesMax}
      THEN w.state END AS state
  FROM waits JOIN execution_wait w ON w.execution_id = $1 AND w.step_id = waits.step_id
  LEFT JOIN node_execution n ON n.execution_id = $1 AND n.node_id = w.step_id
  ORDER BY is_open DESC, w.created_at, w.step_id`;

/**
 * The calls and form answers that a run waits or waited for, open ones first. Only those who may answer get an open
 * wait's link, because whoever has it can answer. Throws NOT_FOUND.
 */
export async function listWaits(actor: Actor, id: string): Promise<CallWait[]> {
  const { status } = await findExecution(actor, id);
  const isRunOpen = status === "pending" || status === "running";
  const rows = await query<Row>("list-waits", read, [id, isRunOpen]);
  const names = await namesOfAuthors(
    actor,
    rows.map((row) => row.answered_by),
  );
  const maySend = actor.scopes.has("executions:write");
  return rows.map((row) => {
    const { nodeId, iteration } = readStepId(row.step_id);
    return {
      nodeId,
      nodeName: row.node_name ?? nodeId,
      iteration,
      state: row.is_open ? "open" : row.resumed_at === null ? "over" : "answered",
      since: iso(row.created_at),
      until: row.until === null ? null : iso(row.until),
      hasForm: row.has_form,
      form: row.state === null ? null : formOf(row.state),
      url: row.is_open && maySend ? resumeUrl(id, row.step_id) : null,
      answeredAt: row.resumed_at === null ? null : iso(row.resumed_at),
      answeredBy: row.answered_by,
      answeredByName: row.answered_by === null ? null : (names.get(row.answered_by) ?? null),
    };
  });
}

function formOf(state: string) {
  const { form } = JSON.parse(state) as { form: unknown };
  return waitForm.nullable().parse(form ?? null);
}

interface ApprovalRow {
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
const readApprovals = `
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
  const rows = await query<ApprovalRow>("list-approvals", readApprovals, [workspaceId, limit]);
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
