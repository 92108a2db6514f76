import { readStepId } from "#lib/engine/step.ts";
import { type WaitForm, waitForm } from "#lib/engine/wait-form.ts";
import { query } from "#lib/platform/database.ts";
import { loadVersion } from "./compiled-version.ts";

/**
 * Where a step stands that somebody may resume. `early`: the run has not come to it. `over`: its time limit passed.
 * `ended`: the run did, without it.
 */
export interface FoundWait {
  readonly state: "early" | "open" | "resumed" | "over" | "ended";
  readonly executionId: string;
  readonly stepId: string;
  readonly executionStatus: string;
  readonly nodeId: string;
  readonly nodeName: string;
  readonly flowName: string;
  /** What is asked; null where any body goes, or where it is not known yet. */
  readonly form: WaitForm | null;
  /** True when there is something to ask, though it may not be known yet. */
  readonly hasForm: boolean;
  readonly until: Date | null;
  readonly resumedAt: Date | null;
  readonly tokenHash: string | null;
}

interface Row {
  status: string;
  flow_id: string;
  flow_version: number;
  flow_name: string;
  state: string | null;
  until: Date | null;
  is_over: boolean | null;
  resumed_at: Date | null;
  token_hash: string | null;
  node_status: string | null;
}

const find = `
  SELECT e.status, e.flow_id, e.flow_version, e.flow_name, w.state, w.until, w.until <= now() AS is_over, w.resumed_at,
    w.token_hash, n.status AS node_status
  FROM execution e
  LEFT JOIN execution_wait w ON w.execution_id = e.id AND w.step_id = $2
  LEFT JOIN node_execution n ON n.execution_id = e.id AND n.node_id = $2
  WHERE e.id = $1`;

/** The step of a run that can be resumed by a call; null where there is no such run, or no such node in its flow. */
export async function findWait(executionId: string, stepId: string): Promise<FoundWait | null> {
  const [row] = await query<Row>("find-wait", find, [executionId, stepId]);
  const version = row && (await loadVersion(row.flow_id, row.flow_version));
  const { nodeId } = readStepId(stepId);
  const node = version?.allNodes.find(({ id }) => id === nodeId);
  if (row === undefined || !node || node.type !== "wait") return null;
  const { form } = row.state === null ? { form: null } : (JSON.parse(row.state) as { form: unknown });
  return {
    state: stateOf(row),
    executionId,
    stepId,
    executionStatus: row.status,
    nodeId,
    nodeName: node.name,
    flowName: row.flow_name,
    form: waitForm.nullable().parse(form ?? null),
    hasForm: (row.state === null ? node.config.form : form) != null,
    until: row.until,
    resumedAt: row.resumed_at,
    tokenHash: row.token_hash,
  };
}

function stateOf({ status, state, is_over: isOver, resumed_at: resumedAt, node_status: node }: Row) {
  if (resumedAt !== null) return "resumed";
  if (status !== "pending" && status !== "running") return "ended";
  if (isOver === true || (node !== null && node !== "running")) return "over";
  return state === null ? "early" : "open";
}
