import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import { execution, readNodeExecution as readNodeExecutionEndpoint } from "#lib/contract/executions/executions.ts";
import { query } from "#lib/platform/database.ts";
import { readNodeExecution, readUnparsed } from "./read-execution.ts";
import { logTextOf } from "./read-logs.ts";
import { withTriggerData } from "./search/list-executions.ts";
import { splitByBytes } from "./split-by-bytes.ts";

type Shown = z.output<typeof execution>;

/** Bytes of node inputs and outputs read at once; a single node may have more. */
const partBytesMax = 1_048_576;

const measure = `
  SELECT node_id, coalesce(octet_length(input), 0) + coalesce(octet_length(output), 0) AS bytes FROM node_execution
  WHERE execution_id = $1 AND node_id = ANY($2::text[])`;

const readPayloads =
  "SELECT node_id, input, output FROM node_execution WHERE execution_id = $1 AND node_id = ANY($2::text[])";

interface Payloads {
  readonly node_id: string;
  readonly input: string | null;
  readonly output: string | null;
}

/**
 * An execution with its nodes' inputs and outputs as JSON, in chunks. Payloads are read on demand, about 1 MiB at a
 * time, and passed on as the stored text. Throws NOT_FOUND before the first chunk.
 */
export async function* executionText(
  actor: Actor,
  id: string,
  { includeLogs, includeNodeOutputs }: { readonly includeLogs: boolean; readonly includeNodeOutputs: boolean },
): AsyncGenerator<string, void, undefined> {
  const { row, shown, data, output } = await readUnparsed(actor, id, { includeNodeOutputs: false });
  // Parsing drops fields that are not in the contract.
  const { nodes, output: _, ...summary } = execution.parse({ ...shown, output: null });
  yield `${withTriggerData(summary, data).slice(0, -1)},"output":${output ?? "null"},"nodes":[`;
  let separator = "";
  for await (const node of includeNodeOutputs ? nodesWithPayloads(id, nodes) : inPieces(nodes)) {
    yield separator + node;
    separator = ",";
  }
  yield "]";
  if (includeLogs) {
    yield ',"logs":';
    yield* logTextOf(row);
  }
  yield "}";
}

/**
 * Nodes of an execution with their inputs and outputs as JSON. `stepOf`: the id of a node's step, if it is not the
 * node's.
 */
export async function* nodesWithPayloads(
  id: string,
  nodes: Shown["nodes"],
  stepOf: (nodeId: string) => string = (nodeId) => nodeId,
): AsyncGenerator<string, void, undefined> {
  const steps = nodes.map(({ nodeId }) => stepOf(nodeId));
  const rows = await query<{ node_id: string; bytes: number }>("measure-payloads", measure, [id, steps]);
  const bytesOf = new Map(rows.map((row) => [row.node_id, row.bytes]));
  // Small enough to read at once.
  for (const part of splitByBytes(nodes, ({ nodeId }) => bytesOf.get(stepOf(nodeId)) ?? 0, partBytesMax)) {
    const ids = part.map(({ nodeId }) => stepOf(nodeId));
    const payloads = await query<Payloads & Record<string, unknown>>("read-payloads", readPayloads, [id, ids]);
    const byId = new Map(payloads.map((row) => [row.node_id, row]));
    for (const node of part) yield withPayloads(node, byId.get(stepOf(node.nodeId)));
  }
}

function withPayloads(node: Shown["nodes"][number], row: Payloads | undefined): string {
  // The node may have ended since its status was read.
  const output = node.status === "completed" ? (row?.output ?? "null") : "null";
  const input = row?.input == null ? "" : `,"input":${row.input}`;
  return `${JSON.stringify(node).slice(0, -1)}${input},"output":${output}}`;
}

async function* inPieces(nodes: Shown["nodes"]): AsyncGenerator<string, void, undefined> {
  for (const node of nodes) yield JSON.stringify(node);
}

/** One node of an execution with its input and output as the stored text. Throws NOT_FOUND. */
export async function* nodeExecutionText(
  actor: Actor,
  id: string,
  nodeId: string,
): AsyncGenerator<string, void, undefined> {
  const { shown, input, output } = await readNodeExecution(actor, id, nodeId);
  // Parsing drops fields that are not in the contract.
  const node = JSON.stringify(readNodeExecutionEndpoint.answer.parse(shown));
  yield `${node.slice(0, -1)}${input === null ? "" : `,"input":${input}`},"output":${output ?? "null"}}`;
}
