import type { Reason } from "#lib/contract/executions/executions.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { readStepId } from "#lib/engine/step.ts";
import type { WaitKind } from "#lib/engine/wait.ts";
import { iso } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";

interface WaitRow extends Record<string, unknown> {
  readonly step_id: string;
  readonly kind: WaitKind;
  readonly until: Date | null;
  readonly waited_id: string | null;
  readonly created_at: Date;
  readonly resumed_at: Date | null;
  readonly value: string | null;
  readonly ended_at: Date | null;
  readonly handle: string | null;
}

/** How much of the calls' bodies is read, to find out who sent them. */
const valuesBytesMax = 1_048_576;

const readWaits = `
  SELECT w.step_id, w.kind, w.until, w.waited_id, w.created_at, w.resumed_at, n.completed_at AS ended_at, n.handle,
    CASE WHEN sum(octet_length(w.value)) OVER (ORDER BY w.created_at, w.step_id) <= ${valuesBytesMax} THEN w.value END AS value
  FROM execution_wait w LEFT JOIN node_execution n ON n.execution_id = w.execution_id AND n.node_id = w.step_id
  WHERE w.execution_id = $1 AND w.state IS NOT NULL AND ($2::text[] IS NULL OR w.step_id = ANY($2))
  ORDER BY w.created_at, w.step_id LIMIT $3`;

/** What steps waited for and who woke them, by step. `stepIds`: only these. */
export async function whyWaited(
  executionId: string,
  limit: number,
  stepIds: readonly string[] | null = null,
): Promise<Map<string, Reason>> {
  const rows = await query<WaitRow>("why-waited", readWaits, [executionId, stepIds, limit]);
  return new Map(rows.map((row) => [row.step_id, reasonOf(row)]));
}

function reasonOf({ step_id: stepId, handle, ...row }: WaitRow): Reason {
  const wokenAt = row.resumed_at ?? row.ended_at;
  const isEarly = row.kind === "call" || row.kind === "event";
  const wokenBy = isEarly && row.resumed_at === null ? "time" : row.kind;
  const value = {
    waitedFor: row.kind,
    since: iso(row.created_at),
    until: row.until === null ? null : iso(row.until),
    ...(row.waited_id === null ? {} : { executionId: row.waited_id }),
    wokenAt: wokenAt === null ? null : iso(wokenAt),
    wokenBy: wokenAt === null ? null : wokenBy,
    ...resumedBy(row),
  };
  return { nodeId: readStepId(stepId).nodeId, handle, expression: null, value };
}

/** `link`: anyone with the URL; `member`: a workspace member. */
function resumedBy({ kind, value }: Pick<WaitRow, "kind" | "value">) {
  const call: unknown = kind === "call" && value !== null ? JSON.parse(value) : null;
  return isJsonObject(call) && typeof call.resumedBy === "string" ? { resumedBy: call.resumedBy } : {};
}
