import type { WaitingFor } from "#lib/contract/executions/executions.ts";
import { stepSeparator } from "#lib/engine/flow.ts";
import { query } from "#lib/platform/database.ts";

/** SQL condition on a wait `w`: a call may still come, and nothing else has woken it. */
export const isOpenCall =
  "w.kind = 'call' AND w.state IS NOT NULL AND w.resumed_at IS NULL AND (w.until IS NULL OR w.until > now())";

/** SQL condition on a wait `w`: it asks people. `recordWait` writes the state with the form first. */
export const asksPeople = `left(w.state, 12) <> '{"form":null'`;

interface Row {
  readonly id: string;
  readonly asks: boolean;
}

// At most one wait per run; one that asks people wins.
const ofRuns = `
  SELECT r.id, found.asks FROM unnest($1::text[]) AS r(id)
  CROSS JOIN LATERAL (
    SELECT ${asksPeople} AS asks FROM execution_wait w
    WHERE w.execution_id = r.id AND ${isOpenCall} ORDER BY 1 DESC LIMIT 1) AS found`;

const ofNodes = `
  SELECT split_part(w.step_id, $2, 1) AS id, bool_or(${asksPeople}) AS asks FROM execution_wait w
  WHERE w.execution_id = $1 AND ${isOpenCall} GROUP BY 1`;

const asMap = (rows: readonly Row[]): Map<string, WaitingFor> =>
  new Map(rows.map(({ id, asks }) => [id, asks ? "approval" : "call"]));

/** What each of these runs waits for from outside, by run; runs that wait for nothing are left out. */
export async function waitingRunsOf(ids: readonly string[]): Promise<ReadonlyMap<string, WaitingFor>> {
  return ids.length === 0 ? new Map() : asMap(await query<Row>("waiting-runs", ofRuns, [ids]));
}

/** What the nodes of a run wait for from outside, by node: for example, an agent for the approval of a step. */
export async function waitingNodesOf(executionId: string): Promise<ReadonlyMap<string, WaitingFor>> {
  return asMap(await query<Row>("waiting-nodes", ofNodes, [executionId, stepSeparator]));
}
