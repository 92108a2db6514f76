import type { LogRecord, NodeRecord } from "./node-record.ts";

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
