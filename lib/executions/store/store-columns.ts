import { type Columns, int, namesOf, RowsParameter, text, time } from "#lib/platform/rows-parameter.ts";
import type { LogRecord, NodeRecord } from "./node-record.ts";
import { storableText } from "./run-row.ts";

type OfRun<Row> = Row & { readonly executionId: string };

/** The columns of `node_execution` that a record fills. */
export const nodeColumns = {
  execution_id: text((row) => row.executionId),
  node_id: text((row) => row.nodeId),
  position: int((row) => row.position),
  node_name: text((row) => row.nodeName),
  type: text((row) => row.type),
  status: text((row) => row.status),
  started_at: time((row) => row.startedAt),
  completed_at: time((row) => row.completedAt),
  retries: int((row) => row.retries),
  handle: text((row) => row.handle && storableText(row.handle)),
  input: text((row) => row.input),
  output: text((row) => row.output),
  error: text((row) => row.error),
  answer: text((row) => row.answer),
} satisfies Columns<OfRun<NodeRecord>>;

const logColumns = {
  execution_id: text((row) => row.executionId),
  timestamp: time((row) => row.timestamp),
  level: text((row) => row.level),
  node_id: text((row) => row.nodeId),
  message: text((row) => storableText(row.message)),
  data: text((row) => row.data),
} satisfies Columns<OfRun<LogRecord>>;

/** Approximately the bytes that these records add to a statement. */
export function recordsBytes(nodes: readonly NodeRecord[], logs: readonly LogRecord[]): number {
  let bytes = 0;
  for (const { input, output, error } of nodes) bytes += bytesOf(input) + bytesOf(output) + bytesOf(error);
  for (const { message, data } of logs) bytes += bytesOf(message) + bytesOf(data);
  return bytes;
}

export function bytesOf(text: string | null): number {
  return text === null ? 0 : Buffer.byteLength(text);
}

/** Which records a statement has. A shorter statement is cheaper to plan. */
export const recordKinds = ["none", "nodes", "nodes-and-logs"] as const;
export type RecordKind = (typeof recordKinds)[number];

export function recordKindOf(nodes: readonly unknown[], logs: readonly unknown[]): RecordKind {
  if (logs.length > 0) return "nodes-and-logs";
  return nodes.length > 0 ? "nodes" : "none";
}

/** How a statement writes its runs' nodes and logs. */
interface Records {
  readonly kind: RecordKind;
  /** The number of its first parameter. */
  readonly first: number;
  /** The CTE with the executions whose records are written. */
  readonly owner: string;
  /** The condition on log entries, in terms of `l`. */
  readonly logsWanted?: string;
}

/**
 * CTEs that write the node rows and logs of executions in `owner`, each preceded by a comma. `owner` locks the
 * executions before their rows take positions in the order of changes, so that within a run no lower position is
 * committed after a higher one, and readers miss nothing.
 */
export function writeRecords({ kind, first, owner, logsWanted = "true" }: Records): string {
  if (kind === "none") return "";
  const nodes = new RowsParameter(nodeColumns, first);
  const logs = new RowsParameter(logColumns, nodes.next);
  const writeNodes = `,
  nodes AS (
    INSERT INTO node_execution (${namesOf(nodeColumns)})
    SELECT n.* FROM ${nodes.as("n")}
    JOIN ${owner} ON ${owner}.id = n.execution_id
    ON CONFLICT (execution_id, node_id) DO UPDATE SET status = excluded.status, started_at = excluded.started_at,
      completed_at = excluded.completed_at, retries = excluded.retries, handle = excluded.handle,
      input = excluded.input, output = excluded.output, error = excluded.error, answer = excluded.answer,
      sequence = excluded.sequence)`;
  if (kind === "nodes") return writeNodes;
  return `${writeNodes},
  logs AS (
    INSERT INTO log_entry (${namesOf(logColumns)})
    SELECT l.* FROM ${logs.as("l")}
    JOIN ${owner} ON ${owner}.id = l.execution_id
    WHERE ${logsWanted})`;
}

/** The parameters of `writeRecords`. */
export function recordColumns(
  kind: RecordKind,
  nodes: readonly OfRun<NodeRecord>[],
  logs: readonly OfRun<LogRecord>[],
): Buffer[] {
  if (kind === "none") return [];
  const values = new RowsParameter(nodeColumns, 1).values(nodes);
  return kind === "nodes" ? values : [...values, ...new RowsParameter(logColumns, 1).values(logs)];
}
