import type { Once } from "#lib/auth/idempotency.ts";
import { readStepId } from "#lib/engine/step.ts";
import { readFormAnswers, type WaitForm, waitForm } from "#lib/engine/wait-form.ts";
import { AppError } from "#lib/errors.ts";
import { nodeDefinition } from "#lib/nodes/registry.ts";
import { inTransaction, query, type RunStatement } from "#lib/platform/database.ts";
import { loadVersion } from "./nodes/compiled-version.ts";

/**
 * A step that a call may resume. `early`: the run has not reached it. `over`: it timed out. `ended`: the run has ended.
 */
export interface FoundWait {
  readonly state: "early" | "open" | "resumed" | "over" | "ended";
  readonly executionId: string;
  readonly stepId: string;
  readonly executionStatus: string;
  readonly nodeId: string;
  readonly nodeName: string;
  readonly flowName: string;
  /** The form; null if any body is accepted, or if it is not known yet. */
  readonly form: WaitForm | null;
  /** True if there is a form, even if its fields are not known yet. */
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

/** The step that a call can resume; null if the run or the node does not exist. */
export async function findWait(executionId: string, stepId: string): Promise<FoundWait | null> {
  const [row] = await query<Row>("find-wait", find, [executionId, stepId]);
  const version = row && (await loadVersion(row.flow_id, row.flow_version));
  const { nodeId } = readStepId(stepId);
  const node = version?.allNodes.find(({ id }) => id === nodeId);
  if (row === undefined || !node || nodeDefinition(node.type)?.waitsFor !== "call") return null;
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

/** A call to a waiting step. */
interface ResumeCall {
  readonly body: unknown;
  /** `link`: anyone with the URL. `member`: a workspace member, by key or in the browser. */
  readonly by: "link" | "member";
  /** The id of the person or the key, where one is known. */
  readonly answeredBy?: string;
  /** For a call with an `Idempotency-Key`. */
  readonly once?: Once | undefined;
}

export interface Resumed {
  readonly executionId: string;
  readonly nodeId: string;
  readonly resumedAt: string;
}

// Updates the run's row first, which locks it: this serializes concurrent calls, and sees a run being suspended in its
// new state. The time limit is checked only then, by the time at that moment, not by that of a statement that had to
// wait: a process may have read meanwhile that nothing came. A call that comes before the step waits is kept for it.
const resume = `
  WITH open AS (
    UPDATE execution SET wake_at = CASE WHEN wake_at IS NULL THEN NULL ELSE now() END
    WHERE id = $1 AND status IN ('pending', 'running') RETURNING id),
  taken AS (
    INSERT INTO execution_wait AS w (execution_id, step_id, kind, created_at, resumed_at, value, answered_by)
    SELECT id, $2, 'call', now(), now(), $3, $4 FROM open
    ON CONFLICT (execution_id, step_id)
      DO UPDATE SET resumed_at = now(), value = excluded.value, answered_by = excluded.answered_by
      WHERE w.resumed_at IS NULL AND w.kind = 'call' AND (w.until IS NULL OR w.until > clock_timestamp())
    RETURNING w.resumed_at)
  SELECT resumed_at FROM taken`;

/**
 * Resumes a waiting step, once: of two concurrent calls, one wins. Throws VALIDATION_ERROR if the answers do not match
 * the form; CONFLICT if it was already resumed, timed out, or the run has not reached its form yet; INVALID_STATUS if
 * the run has ended.
 */
export async function resumeWait(wait: FoundWait, { body, by, answeredBy, once }: ResumeCall): Promise<Resumed> {
  const isEarlyCall = wait.state === "early" && by === "link" && !wait.hasForm;
  if (wait.state !== "open" && !isEarlyCall) throw refusal(wait);
  const value = JSON.stringify({ body: answersOf(wait, body), resumedBy: by });
  const { executionId, stepId, nodeId } = wait;
  const resumeWith = async (run: RunStatement): Promise<Resumed | null> => {
    const [row] = await run<{ resumed_at: Date }>("resume-wait", resume, [
      executionId,
      stepId,
      value,
      answeredBy ?? null,
    ]);
    return row === undefined ? null : { executionId, nodeId, resumedAt: row.resumed_at.toISOString() };
  };
  const resumed = await (once === undefined
    ? resumeWith(query)
    : inTransaction(async (run) => {
        const first = await resumeWith(run);
        if (first !== null) await once.keep(run, first);
        return first;
      }));
  if (resumed !== null) return resumed;
  throw refusal((await findWait(executionId, stepId)) ?? wait);
}

function answersOf({ form }: FoundWait, body: unknown): unknown {
  if (form === null) return body;
  const read = readFormAnswers(form, body);
  if (read.ok) return read.values;
  throw new AppError("VALIDATION_ERROR", "The answers do not fit the form", { details: { ...read.problems } });
}

function refusal({ state, resumedAt, executionStatus }: FoundWait): AppError {
  if (state === "resumed") {
    const details = { resumedAt: resumedAt?.toISOString() };
    return new AppError("CONFLICT", "The run was already resumed here", { details });
  }
  if (state === "over")
    return new AppError("CONFLICT", "The time limit of this step has passed: the run has continued");
  if (state === "ended") {
    const details = { currentStatus: executionStatus };
    return new AppError("INVALID_STATUS", `The execution is ${executionStatus}: nothing waits any more`, { details });
  }
  return new AppError("CONFLICT", "The run has not reached this step yet: try again in a moment", {
    retryAfterSeconds: 1,
  });
}
