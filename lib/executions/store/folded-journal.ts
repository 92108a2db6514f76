import { query } from "#lib/platform/database.ts";
import type { LogRecord, NodeRecord } from "./node-record.ts";
import { recordColumns, writeRecords } from "./store-columns.ts";

export interface Journaled {
  readonly nodes: readonly NodeRecord[];
  readonly logs: readonly LogRecord[];
}

/** A node's record as a list: the names of its fields would be a third of all that is stored of a short run. */
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

/** What the nodes of a run did and its log, in one piece: as it is stored of a run that nobody has looked at. */
export function foldJournal({ nodes, logs }: Journaled): string {
  return JSON.stringify({ nodes: nodes.map(foldNode), logs });
}

/** Reads what was folded, also before nodes were lists. */
export function unfoldJournal(journal: string): Journaled {
  const { nodes, logs } = JSON.parse(journal) as { nodes: (FoldedNode | NodeRecord)[]; logs: LogRecord[] };
  return { nodes: nodes.map((node) => (isFolded(node) ? unfoldNode(node) : node)), logs };
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

function isFolded(node: FoldedNode | NodeRecord): node is FoldedNode {
  return Array.isArray(node);
}

// Of two that look at once the second waits for the first one's row, and then finds nothing to take apart.
const unfold = `
  WITH unfolded AS (
    UPDATE execution SET journal = NULL WHERE id = $1 AND journal IS NOT NULL RETURNING id)
  ${writeRecords({ kind: "nodes-and-logs", first: 2, owner: "unfolded" })}
  SELECT id FROM unfolded`;

/** Gives the nodes and the log of a run rows of their own, when somebody looks at it for the first time. */
export async function unfoldExecution(executionId: string, journal: string): Promise<void> {
  const { nodes, logs } = unfoldJournal(journal);
  const columns = recordColumns(
    "nodes-and-logs",
    nodes.map((node) => ({ ...node, executionId })),
    logs.map((entry) => ({ ...entry, executionId })),
  );
  await query("unfold-execution", unfold, [executionId, ...columns]);
}
