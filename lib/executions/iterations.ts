import type { Actor } from "#lib/auth/actor.ts";
import { type iterationStatuses, type LoopIteration, readIteration } from "#lib/contract/executions/iterations.ts";
import { type FlowNode, stepSeparator } from "#lib/engine/flow.ts";
import { bodyOf } from "#lib/engine/flow-body.ts";
import { handleOf } from "#lib/engine/graph.ts";
import { errorHandle } from "#lib/engine/outcome.ts";
import { notFound } from "#lib/errors.ts";
import { nodeTypes } from "#lib/nodes/registry.ts";
import { iso } from "#lib/platform/clock.ts";
import { database, query } from "#lib/platform/database.ts";
import { nodesWithPayloads } from "./execution-text.ts";
import { loadVersion } from "./nodes/compiled-version.ts";
import { findExecution } from "./read-execution.ts";
import { leavesOf, showNode, traitsOf, unreachedNode } from "./store/nodes-of-execution.ts";
import { waitingItemsOf, waitingNodesOfItem } from "./waiting/waiting-for.ts";

interface IterationFilter {
  readonly page: number;
  readonly limit: number;
  readonly status?: (typeof iterationStatuses)[number] | undefined;
  readonly within?: string | undefined;
}

interface IterationRow {
  readonly iteration: string;
  readonly status: (typeof iterationStatuses)[number];
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
  readonly nodes: number;
}

// $2 separates a step's node from its iteration; $3 the body's nodes, $4 those whose failure is caught, $5 when
// the run ended, $6 the enclosing iteration, $7 the status to filter by.
const turns = `
  SELECT * FROM (
    SELECT split_part(node_id, $2, 2) AS iteration, count(*)::int AS nodes,
      min(started_at) AS started_at,
      max(CASE WHEN status = 'running' AND $5::timestamptz IS NOT NULL
        THEN greatest(started_at, $5) ELSE completed_at END) AS completed_at,
      CASE
        WHEN bool_or(status = 'failed' AND split_part(node_id, $2, 1) <> ALL ($4::text[])) THEN 'failed'
        WHEN bool_or(status = 'running') THEN CASE WHEN $5 IS NULL THEN 'running' ELSE 'cancelled' END
        WHEN bool_or(status = 'cancelled') THEN 'cancelled'
        ELSE 'completed' END AS status
    FROM node_execution
    WHERE execution_id = $1 AND position($2 IN node_id) > 0 AND split_part(node_id, $2, 1) = ANY ($3::text[])
      AND ($6::text IS NULL OR split_part(node_id, $2, 2) LIKE $6 || '.%')
    GROUP BY 1) AS turn
  WHERE ($7::text IS NULL OR status = $7)`;

const countTurns = `SELECT count(*)::int AS total FROM (${turns}) AS found`;
const pageOfTurns = `${turns} ORDER BY string_to_array(iteration, '.')::int[] OFFSET $8 LIMIT $9`;

/** A page of a loop's iterations. Empty for a node that is not a loop. Throws NOT_FOUND. */
export async function listIterations(
  actor: Actor,
  id: string,
  nodeId: string,
  { page, limit, ...filter }: IterationFilter,
) {
  const loop = await findLoop(actor, id, nodeId);
  const values = valuesOf(id, loop, filter);
  const [{ total } = { total: 0 }] = await query<{ total: number }>("count-iterations", countTurns, values);
  const from = Math.min((page - 1) * limit, total);
  const rows = await query<IterationRow>("list-iterations", pageOfTurns, [...values, from, limit]);
  return { items: await withWaits(id, loop, rows.map(showIteration)), total };
}

/** Adds what the running ones of these iterations wait for. */
async function withWaits(id: string, { leaves }: FoundLoop, items: readonly LoopIteration[]): Promise<LoopIteration[]> {
  const running = items.filter(({ status }) => status === "running").map(({ iteration }) => iteration);
  const waiting = await waitingItemsOf(id, leaves, running);
  return items.map((item) => ({ ...item, ...waiting.get(item.iteration) }));
}

/** One iteration as the list shows it, but without its wait; null if none of its nodes was reached. */
async function findIteration(id: string, loop: FoundLoop, iteration: string): Promise<LoopIteration | null> {
  const text = `SELECT * FROM (${turns}) AS found WHERE iteration = $8`;
  const [row] = await query<IterationRow>("find-iteration", text, [...valuesOf(id, loop, {}), iteration]);
  return row === undefined ? null : showIteration(row);
}

function valuesOf(id: string, { body, catching, runEndedAt }: FoundLoop, { within, status }: Partial<IterationFilter>) {
  const nodes = body.map((node) => node.id);
  return [id, stepSeparator, nodes, catching, runEndedAt, within ?? null, status ?? null];
}

function showIteration({ iteration, status, started_at, completed_at, nodes }: IterationRow): LoopIteration {
  const end = status === "running" ? null : completed_at;
  return {
    iteration,
    status,
    startedAt: started_at === null ? null : iso(started_at),
    completedAt: end === null ? null : iso(end),
    duration: started_at === null || end === null ? null : end.getTime() - started_at.getTime(),
    nodesExecuted: nodes,
  };
}

/**
 * One iteration of a loop as JSON, in chunks: its nodes in the body's order, with inputs and outputs. Throws NOT_FOUND
 * before the first.
 */
export async function* iterationText(
  actor: Actor,
  id: string,
  nodeId: string,
  iteration: string,
): AsyncGenerator<string, void, undefined> {
  const loop = await findLoop(actor, id, nodeId);
  if (!/^[\d.]+$/.test(iteration)) throw notFound("Iteration");
  const found = await findIteration(id, loop, iteration);
  if (found === null) throw notFound("Iteration");
  const stepOf = (inner: string) => `${inner}${stepSeparator}${iteration}`;
  const rows = await database().nodeExecution.findMany({
    where: { executionId: id, nodeId: { in: loop.body.map((node) => stepOf(node.id)) } },
    omit: { input: true, output: true },
  });
  const records = new Map(rows.map((row) => [row.nodeId, row]));
  const running = loop.body.filter(
    (node) => loop.runEndedAt === null && records.get(stepOf(node.id))?.status === "running",
  );
  const leaves = running.flatMap((node) => leavesOf(node).map((leaf) => ({ id: leaf, owner: node.id })));
  const waiting = await waitingNodesOfItem(id, leaves, iteration);
  const nodes = loop.body.map((node) => {
    const row = records.get(stepOf(node.id));
    if (row === undefined) return unreachedNode(node, found.status === "running");
    return { ...showNode(row, loop.runEndedAt), nodeId: node.id, ...traitsOf(node), ...waiting.get(node.id) };
  });
  // Parsing drops fields that are not in the contract.
  const [item] = await withWaits(id, loop, [found]);
  const shown = readIteration.answer.parse({ ...item, nodes });
  yield `${JSON.stringify({ ...shown, nodes: undefined }).slice(0, -1)},"nodes":[`;
  let separator = "";
  for await (const node of nodesWithPayloads(id, shown.nodes, stepOf)) {
    yield separator + node;
    separator = ",";
  }
  yield "]}";
}

/** A loop of an execution, with what its iterations need. */
interface FoundLoop {
  /** The body's nodes; empty for a node that is not a loop. */
  readonly body: readonly FlowNode[];
  /** The nodes in it, at any depth, that are not loops. */
  readonly leaves: readonly string[];
  /** Nodes of the body whose failure an `error` edge catches. */
  readonly catching: readonly string[];
  readonly runEndedAt: Date | null;
}

/** Finds a node of an execution, at any depth. Throws NOT_FOUND. */
async function findLoop(actor: Actor, id: string, nodeId: string): Promise<FoundLoop> {
  const { flowId, flowVersion, completedAt } = await findExecution(actor, id);
  const version = await loadVersion(flowId, flowVersion);
  const node = version?.allNodes.find((candidate) => candidate.id === nodeId);
  if (node === undefined) throw notFound("Node");
  const body = bodyOf(node, nodeTypes.traits);
  const caught = (body?.edges ?? []).filter((edge) => handleOf(edge) === errorHandle).map((edge) => edge.source);
  const leaves = body?.nodes.flatMap(leavesOf) ?? [];
  return { body: body?.nodes ?? [], leaves, catching: caught, runEndedAt: completedAt };
}
