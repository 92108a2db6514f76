import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import type { ShownWait, WaitingFor } from "#lib/contract/executions/statuses.ts";
import { stepSeparator } from "#lib/engine/flow.ts";
import { iso } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";

/** SQL condition on a wait `w`: a call may still come, and nothing else has woken it. */
export const isOpenCall =
  "w.kind = 'call' AND w.state IS NOT NULL AND w.resumed_at IS NULL AND (w.until IS NULL OR w.until > now())";

/** SQL condition on a wait `w`: it asks people. `recordWait` writes the state with the form first. */
export const asksPeople = `left(w.state, 12) <> '{"form":null'`;

/** SQL conditions on a wait `w`, as the index of such waits is ordered: an event may still come; a time is ahead. */
const isOpenEvent = "w.kind = 'event' AND w.resumed_at IS NULL AND (w.until IS NULL OR w.until > now())";
const isOpenTime = "w.kind = 'time' AND w.resumed_at IS NULL AND w.until > now()";

interface Row extends Record<string, unknown> {
  readonly id: string;
  readonly kind: WaitingFor;
  readonly until: Date | null;
}

const kindOfCall = `CASE WHEN ${asksPeople} THEN 'approval' ELSE 'call' END`;

// At most one wait per run: one that asks people wins, then any call. Events and times count only while no process
// works on the run; what it waits for beside a time, such as another run, may end earlier.
const ofRuns = `
  SELECT r.id, found.kind, found.until FROM unnest($1::text[], $2::timestamptz[]) AS r(id, wake_at)
  CROSS JOIN LATERAL (
    (SELECT 1 AS place, ${kindOfCall} AS kind, w.until FROM execution_wait w
     WHERE w.execution_id = r.id AND ${isOpenCall} ORDER BY 2 LIMIT 1)
    UNION ALL
    (SELECT 2, w.kind, w.until FROM execution_wait w
     WHERE w.execution_id = r.id AND ${isOpenEvent} AND r.wake_at > now() ORDER BY w.until DESC LIMIT 1)
    UNION ALL
    (SELECT 3, w.kind, w.until FROM execution_wait w
     WHERE w.execution_id = r.id AND ${isOpenTime} AND r.wake_at >= w.until ORDER BY w.until LIMIT 1)
    ORDER BY place LIMIT 1) AS found`;

const ofNodes = `
  SELECT split_part(w.step_id, $2, 1) AS id, min(${kindOfCall}) AS kind,
    CASE WHEN count(w.until) = count(*) THEN max(w.until) END AS until
  FROM execution_wait w WHERE w.execution_id = $1 AND ${isOpenCall} GROUP BY 1
  UNION ALL
  SELECT w.step_id, w.kind, w.until FROM execution_wait w
  WHERE w.execution_id = $1 AND (${isOpenEvent} OR ${isOpenTime}) AND position($2 IN w.step_id) = 0`;

// $2 separates a step's node from its iteration; $3 the nodes that are not loops, $4 the node to count each for, "" for
// the item; $5 the items, null for all, $6 their depth. Steps of nested loops count for the item around them, and an agent's step in
// place of the agent.
const ofItems = `
  WITH step AS (
    SELECT n.node_id, leaf.owner, substring(n.node_id FROM '^(.*)[.][0-9]+$') AS around,
      array_to_string((string_to_array(split_part(n.node_id, $2, 2), '.'))[1:$6::int], '.') AS item,
      CASE w.kind WHEN 'call' THEN ${kindOfCall} ELSE w.kind END AS kind, w.until
    FROM node_execution n
    JOIN unnest($3::text[], $4::text[]) AS leaf(id, owner) ON leaf.id = split_part(n.node_id, $2, 1)
    LEFT JOIN execution_wait w ON w.execution_id = n.execution_id AND w.step_id = n.node_id
      AND (${isOpenCall} OR ${isOpenEvent} OR ${isOpenTime})
    WHERE n.execution_id = $1 AND n.status = 'running')
  SELECT coalesce(nullif(owner, ''), item) AS id, (array_agg(kind ORDER BY until NULLS LAST))[1] AS kind, min(until) AS until
  FROM step WHERE ($5::text[] IS NULL OR item = ANY($5)) AND NOT EXISTS (SELECT FROM step AS inner_step WHERE inner_step.around = step.node_id)
  GROUP BY 1 HAVING count(kind) = count(*)`;

const asMap = (rows: readonly Row[]): Map<string, ShownWait> =>
  new Map(
    rows.map(({ id, kind, until }) => [id, { waitingFor: kind, ...(until !== null && { waitingUntil: iso(until) }) }]),
  );

interface RunningRun {
  readonly id: string;
  /** Null while a process works on it. */
  readonly wakeAt: Date | null;
}

/** What each of these running runs waits for, by run; runs that are at work are left out. */
export async function waitingRunsOf(runs: readonly RunningRun[]): Promise<ReadonlyMap<string, ShownWait>> {
  if (runs.length === 0) return new Map();
  const values = [runs.map(({ id }) => id), runs.map(({ wakeAt }) => wakeAt)];
  return asMap(await query<Row>("waiting-runs", ofRuns, values));
}

/**
 * What the nodes of a run wait for, by node. A call that a step within a node waits for counts as the node's: for
 * example, the approval that an agent needs.
 */
export async function waitingNodesOf(executionId: string): Promise<ReadonlyMap<string, ShownWait>> {
  return asMap(await query<Row>("waiting-nodes", ofNodes, [executionId, stepSeparator]));
}

/**
 * What a run waits for if each of its running nodes waits, whichever ends first. A process may still be
 * about to leave such a run; readers are told when a node begins to wait, but not of that.
 */
export function waitOfNodes(nodes: readonly NodeWait[]): ShownWait | undefined {
  const waits = nodes.flatMap(({ status, waitingFor, waitingUntil }) =>
    status !== "running" ? [] : waitingFor === undefined ? null : { waitingFor, ...(waitingUntil && { waitingUntil }) },
  );
  if (waits.includes(null)) return undefined;
  const [first] = waits.filter((wait) => wait !== null).sort((a, b) => (endOf(a) < endOf(b) ? -1 : 1));
  return first;
}

type NodeWait = Pick<ShownNodeExecution, "status" | "waitingFor" | "waitingUntil">;

/** After every time if it never ends by itself. */
const endOf = ({ waitingUntil = "~" }: ShownWait): string => waitingUntil;

/** A node that is not a loop, in a loop. `owner`: the node to count it for. */
interface Leaf {
  readonly id: string;
  readonly owner: string;
}

/**
 * What these items of a loop wait for, all of one depth, by item: those in which each running step of these nodes waits,
 * with the wait that ends first.
 */
export async function waitingItemsOf(
  executionId: string,
  nodeIds: readonly string[],
  items: readonly string[],
): Promise<ReadonlyMap<string, ShownWait>> {
  return await waitingWithin(
    executionId,
    nodeIds.map((id) => ({ id, owner: "" })),
    items,
  );
}

/** What the nodes of one item of a loop wait for, by the leaves' owners. */
export async function waitingNodesOfItem(
  executionId: string,
  leaves: readonly Leaf[],
  item: string,
): Promise<ReadonlyMap<string, ShownWait>> {
  return leaves.length === 0 ? new Map() : await waitingWithin(executionId, leaves, [item]);
}

/** What these loops of a run wait for, by the leaves' owners: those in which each running step waits. */
export async function waitingLoopsOf(
  executionId: string,
  leaves: readonly Leaf[],
): Promise<ReadonlyMap<string, ShownWait>> {
  return leaves.length === 0 ? new Map() : await waitingWithin(executionId, leaves, null);
}

/** `items`: null for all. */
async function waitingWithin(executionId: string, leaves: readonly Leaf[], items: readonly string[] | null) {
  if (items?.length === 0) return new Map<string, ShownWait>();
  const depth = items?.[0]?.split(".").length ?? 1;
  const [ids, owners] = [leaves.map(({ id }) => id), leaves.map(({ owner }) => owner)];
  return asMap(await query<Row>("waiting-items", ofItems, [executionId, stepSeparator, ids, owners, items, depth]));
}
