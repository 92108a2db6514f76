import { query } from "#lib/platform/database.ts";
import type { LogRecord, NodeRecord } from "./node-record.ts";
import { recordColumns, writeRecords } from "./store-columns.ts";

export interface Journaled {
  readonly nodes: readonly NodeRecord[];
  readonly logs: readonly LogRecord[];
}

/** A node's record as a list: field names would be a third of a short run's data. */
type FoldedNode = readonly [
  nodeId: string,
  position: number,
  nodeName: string,
  type: string,
  status: NodeRecord["status"],
  startedAt: string,
  completedAt: string | null,
  retries: number,
  handle: string | null,
  input: string | null,
  output: string | null,
  error: string | null,
  answer: string | null,
];

/** A run's nodes and log as one value, the way they are stored until somebody opens the run. */
export function foldJournal({ nodes, logs }: Journaled): string {
  return JSON.stringify({ nodes: nodes.map(foldNode), logs });
}

/** Reads what `foldJournal` wrote. */
export function unfoldJournal(journal: string): Journaled {
  const { nodes, logs } = JSON.parse(journal) as { nodes: FoldedNode[]; logs: LogRecord[] };
  return { nodes: nodes.map(unfoldNode), logs };
}

function foldNode(node: NodeRecord): FoldedNode {
  return [
    node.nodeId,
    node.position,
    node.nodeName,
    node.type,
    node.status,
    node.startedAt,
    node.completedAt,
    node.retries,
    node.handle,
    node.input,
    node.output,
    node.error,
    node.answer,
  ];
}

function unfoldNode(folded: FoldedNode): NodeRecord {
  const [nodeId, position, nodeName, type, status, startedAt, completedAt, retries, handle, ...texts] = folded;
  const [input, output, error, answer] = texts;
  return {
    nodeId,
    position,
    nodeName,
    type,
    status,
    startedAt,
    completedAt,
    retries,
    handle,
    input,
    output,
    error,
    answer,
  };
}

// Of two concurrent readers, the second waits for the first one's lock and then finds nothing to unfold.
const unfold = `
  WITH unfolded AS (
    UPDATE execution SET journal = NULL WHERE id = $1 AND journal IS NOT NULL RETURNING id)
  ${writeRecords({ kind: "nodes-and-logs", first: 2, owner: "unfolded" })}
  SELECT id FROM unfolded`;

/** Moves a run's nodes and log into rows when the run is first opened. */
export async function unfoldExecution(executionId: string, journal: string): Promise<void> {
  const { nodes, logs } = unfoldJournal(journal);
  const columns = recordColumns(
    "nodes-and-logs",
    nodes.map((node) => ({ ...node, executionId })),
    logs.map((entry) => ({ ...entry, executionId })),
  );
  await query("unfold-execution", unfold, [executionId, ...columns]);
}
