import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import type { ShownWait } from "#lib/contract/executions/statuses.ts";
import { type FlowNode, stepSeparator } from "#lib/engine/flow.ts";
import { bodyOf } from "#lib/engine/flow-body.ts";
import { loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import { waitingLoopsOf, waitingNodesOf } from "#lib/executions/waiting/waiting-for.ts";
import { parseOwnJson } from "#lib/json/parse-json.ts";
import { effectOf, nodeDefinition, nodeTypes } from "#lib/nodes/registry.ts";
import { iso } from "#lib/platform/clock.ts";
import { database, isUnavailable, query } from "#lib/platform/database.ts";
import type { NodeExecutionModel } from "#lib/platform/prisma/models.ts";
import { yieldTurn } from "#lib/platform/turns.ts";

/** The length of a larger list is not reported: it is not worth reading the list. */
const outputBytesMax = 1_048_576;

const readSizes = `
  SELECT node_id, octet_length(output) AS bytes FROM node_execution
  WHERE execution_id = $1 AND output IS NOT NULL AND position($2 IN node_id) = 0`;
const readCounts = `
  SELECT node_id, json_array_length(output::json) AS items FROM node_execution
  WHERE execution_id = $1 AND left(output, 1) = '[' AND octet_length(output) <= ${outputBytesMax}
    AND position($2 IN node_id) = 0`;

/** The sizes of a run's outputs in bytes, by node id: PostgreSQL knows them without reading the outputs. */
async function measureOutputs(executionId: string): Promise<ReadonlyMap<string, number>> {
  const values = [executionId, stepSeparator];
  const rows = await query<{ node_id: string; bytes: number }>("measure-outputs", readSizes, values);
  return new Map(rows.map((row) => [row.node_id, row.bytes]));
}

/** The lengths of a run's list outputs, by node id, counted without transferring the outputs. */
async function countItems(executionId: string): Promise<ReadonlyMap<string, number>> {
  try {
    const values = [executionId, stepSeparator];
    const rows = await query<{ node_id: string; items: number }>("count-items", readCounts, values);
    return new Map(rows.map((row) => [row.node_id, row.items]));
  } catch (error) {
    // The list is nested deeper than PostgreSQL can follow.
    if (isUnavailable(error)) throw error;
    return new Map();
  }
}

const countByNode = `
  SELECT split_part(node_id, $2, 1) AS node_id, count(*)::int AS turns FROM node_execution
  WHERE execution_id = $1 AND position($2 IN node_id) > 0 GROUP BY 1`;

/** The number of iterations that each of these loops has started, by node id, counted by their first nodes. */
async function countIterations(executionId: string, nodes: readonly FlowNode[]): Promise<Map<string, number>> {
  const loops = nodes.flatMap((node) => {
    const body = bodyOf(node, nodeTypes.traits);
    return body === null ? [] : [{ id: node.id, body: body.nodes.map(({ id }) => id) }];
  });
  if (loops.length === 0) return new Map();
  const rows = await query<{ node_id: string; turns: number }>("count-iterations-by-node", countByNode, [
    executionId,
    stepSeparator,
  ]);
  const turns = new Map(rows.map((row) => [row.node_id, row.turns]));
  return new Map(loops.map(({ id, body }) => [id, Math.max(0, ...body.map((node) => turns.get(node) ?? 0))]));
}

interface Ended {
  readonly id: string;
  readonly flowId: string;
  readonly flowVersion: number;
  readonly status: string;
  readonly completedAt: Date | null;
}

/** Leaves out steps in loop bodies: there are many, and the loop's output shows their results. */
export const outsideLoops = { nodeId: { not: { contains: stepSeparator } } };

/**
 * Every node of the executed version, in order. Only reached nodes have a record; the run's status says whether the
 * others are pending or skipped.
 */
export async function nodesOf(execution: Ended, withPayloads: boolean): Promise<ShownNodeExecution[]> {
  const rows = await database().nodeExecution.findMany({
    where: { executionId: execution.id, ...outsideLoops },
    orderBy: { position: "asc" },
    ...(withPayloads ? {} : { omit: { input: true, output: true } }),
  });
  const records = new Map(rows.map((row) => [row.nodeId, row as NodeExecutionModel]));
  const isOpen = execution.status === "pending" || execution.status === "running";
  const version = await loadVersion(execution.flowId, execution.flowVersion);
  if (version === null) {
    const nodes = [...records.values()].map((row) => showNode(row, execution.completedAt));
    return withPayloads ? await addPayloads(nodes, records) : nodes;
  }
  const iterations = await countIterations(execution.id, version.definition.nodes);
  const running = version.definition.nodes.filter(({ id }) => isOpen && records.get(id)?.status === "running");
  const waiting = await waitsOf(execution.id, running);
  const nodes = version.definition.nodes.map((node) => {
    const row = records.get(node.id);
    if (row === undefined) return unreachedNode(node, isOpen);
    const turns = iterations.get(node.id);
    const loop = turns === undefined ? {} : { iterations: turns };
    return { ...showNode(row, execution.completedAt), ...traitsOf(node), ...loop, ...waiting.get(node.id) };
  });
  return withPayloads ? await addPayloads(nodes, records) : nodes;
}

/** What these running nodes of a run wait for, by node: a loop, if each of its running steps waits. */
async function waitsOf(executionId: string, running: readonly FlowNode[]): Promise<ReadonlyMap<string, ShownWait>> {
  if (running.length === 0) return new Map();
  const leaves = running.filter(isLoop).flatMap((loop) => leavesOf(loop).map((id) => ({ id, owner: loop.id })));
  const [nodes, loops] = await Promise.all([waitingNodesOf(executionId), waitingLoopsOf(executionId, leaves)]);
  return new Map([...nodes, ...loops]);
}

const isLoop = ({ type }: FlowNode): boolean => nodeTypes.traits(type)?.hasBody === true;

/** The nodes in a loop, at any depth, that are not loops; of any other node, itself. */
export function leavesOf(node: FlowNode): string[] {
  return isLoop(node) ? (bodyOf(node, nodeTypes.traits)?.nodes.flatMap(leavesOf) ?? []) : [node.id];
}

/** Adds inputs and outputs, which may be large: yields to the event loop. */
async function addPayloads(
  nodes: readonly ShownNodeExecution[],
  records: ReadonlyMap<string, Pick<NodeExecutionModel, "input" | "output">>,
): Promise<ShownNodeExecution[]> {
  const shown: ShownNodeExecution[] = [];
  for (const node of nodes) {
    const { input = null, output = null } = records.get(node.nodeId) ?? {};
    shown.push({
      ...node,
      ...(input === null ? {} : { input: await parseOwnJson(input) }),
      output: output === null ? null : await parseOwnJson(output),
    });
    await yieldTurn();
  }
  return shown;
}

const readRun = "SELECT flow_id, flow_version, completed_at FROM execution WHERE id = $1";

interface RunRow {
  readonly flow_id: string;
  readonly flow_version: number;
  readonly completed_at: Date | null;
}

/** Some nodes of a run, by their rows, as `nodesOf` shows them, but without the number of a loop's iterations. */
export async function showNodes(
  executionId: string,
  rows: readonly NodeExecutionModel[],
  isOpen: boolean,
  withPayloads: boolean,
): Promise<ShownNodeExecution[]> {
  if (rows.length === 0) return [];
  const [run] = await query<RunRow>("run-of-nodes", readRun, [executionId]);
  const runEndedAt = isOpen ? null : (run?.completed_at ?? null);
  const version = run === undefined ? null : await loadVersion(run.flow_id, run.flow_version);
  const nodeOf = ({ nodeId }: NodeExecutionModel) => version?.graph.byId.get(nodeId)?.node;
  const running = rows.flatMap((row) => (isOpen && row.status === "running" ? (nodeOf(row) ?? []) : []));
  const waiting = await waitsOf(executionId, running);
  const nodes = rows.map((row) => {
    const node = nodeOf(row);
    const waits = row.status === "running" ? waiting.get(row.nodeId) : undefined;
    return { ...showNode(row, runEndedAt), ...(node && traitsOf(node)), ...waits };
  });
  return withPayloads ? await addPayloads(nodes, new Map(rows.map((row) => [row.nodeId, row]))) : nodes;
}

/** Adds each output's size and, for a list, its length. */
export async function withItemCounts(executionId: string, nodes: ShownNodeExecution[]): Promise<ShownNodeExecution[]> {
  if (!nodes.some(({ status }) => status === "completed")) return nodes;
  const [sizes, counts] = await Promise.all([measureOutputs(executionId), countItems(executionId)]);
  return nodes.map((node) => {
    const [outputBytes, items] = [sizes.get(node.nodeId), counts.get(node.nodeId)];
    return { ...node, ...(items !== undefined && { items }), ...(outputBytes !== undefined && { outputBytes }) };
  });
}

/** What the version that ran says of a node. */
export function traitsOf(node: FlowNode): Pick<ShownNodeExecution, "effect" | "disabled"> {
  return { effect: effectOf(node), ...(node.disabled === true && { disabled: true }) };
}

/** A node without a record. `isOpen`: it may still be reached. */
export function unreachedNode(node: FlowNode, isOpen: boolean): ShownNodeExecution {
  return {
    nodeId: node.id,
    nodeName: node.name,
    type: node.type,
    status: isOpen ? "pending" : "skipped",
    startedAt: null,
    completedAt: null,
    duration: null,
    ...(nodeDefinition(node.type)?.showsRetries ? { retries: 0 } : {}),
    ...traitsOf(node),
  };
}

/** A node with a record, without its input and output. `runEndedAt`: when its run ended; null while it has not. */
export function showNode(
  row: Omit<NodeExecutionModel, "input" | "output">,
  runEndedAt: Date | null,
): ShownNodeExecution {
  // Ending a run from outside leaves the record of its running node unchanged.
  const isCutOff = row.status === "running" && runEndedAt !== null;
  const status = isCutOff ? "cancelled" : row.status;
  const { startedAt } = row;
  const completedAt = isCutOff ? later(startedAt, runEndedAt) : row.completedAt;
  return {
    nodeId: row.nodeId,
    nodeName: row.nodeName,
    type: row.type,
    status: status as ShownNodeExecution["status"],
    startedAt: startedAt === null ? null : iso(startedAt),
    completedAt: completedAt === null ? null : iso(completedAt),
    duration: startedAt === null || completedAt === null ? null : completedAt.getTime() - startedAt.getTime(),
    ...(nodeDefinition(row.type)?.showsRetries ? { retries: row.retries } : {}),
    ...(row.handle === null ? {} : { handle: row.handle }),
    ...(row.error === null ? {} : { error: JSON.parse(row.error) }),
  };
}

/** A node may have started on another server, whose clock is ahead. */
function later(startedAt: Date | null, endedAt: Date): Date {
  return startedAt !== null && startedAt > endedAt ? startedAt : endedAt;
}
