import { intArray, textArray, timeArray } from "#lib/platform/array-parameter.ts";
import type { LogRecord, NodeRecord } from "./node-record.ts";

/** Rows of executions as one array per column, which `unnest` turns back into rows. */
function nodeColumns(rows: readonly (NodeRecord & { readonly executionId: string })[]): Buffer[] {
  return [
    textArray(rows.map((row) => row.executionId)),
    textArray(rows.map((row) => row.nodeId)),
    intArray(rows.map((row) => row.position)),
    textArray(rows.map((row) => row.nodeName)),
    textArray(rows.map((row) => row.type)),
    textArray(rows.map((row) => row.status)),
    timeArray(rows.map((row) => row.startedAt)),
    timeArray(rows.map((row) => row.completedAt)),
    intArray(rows.map((row) => row.retries)),
    textArray(rows.map((row) => row.handle && storableText(row.handle))),
    textArray(rows.map((row) => row.input)),
    textArray(rows.map((row) => row.output)),
    textArray(rows.map((row) => row.error)),
    textArray(rows.map((row) => row.answer)),
  ];
}

/** Plain text without U+0000, which PostgreSQL cannot store. */
export function storableText(text: string): string {
  return text.replaceAll("\u0000", "\uFFFD");
}

function logColumns(rows: readonly (LogRecord & { readonly executionId: string })[]): Buffer[] {
  return [
    textArray(rows.map((row) => row.executionId)),
    timeArray(rows.map((row) => row.timestamp)),
    textArray(rows.map((row) => row.level)),
    textArray(rows.map((row) => row.nodeId)),
    textArray(rows.map((row) => storableText(row.message))),
    textArray(rows.map((row) => row.data)),
  ];
}

/** Approximately what these records add to a statement: their payloads. */
export function recordsBytes(nodes: readonly NodeRecord[], logs: readonly LogRecord[]): number {
  let bytes = 0;
  for (const { input, output, error } of nodes) bytes += bytesOf(input) + bytesOf(output) + bytesOf(error);
  for (const { message, data } of logs) bytes += bytesOf(message) + bytesOf(data);
  return bytes;
}

export function bytesOf(text: string | null): number {
  return text === null ? 0 : Buffer.byteLength(text);
}

/** Which records a statement has: PostgreSQL does not have to prepare what it lacks. */
export const recordKinds = ["none", "nodes", "nodes-and-logs"] as const;
export type RecordKind = (typeof recordKinds)[number];

export function recordKindOf(nodes: readonly unknown[], logs: readonly unknown[]): RecordKind {
  if (logs.length > 0) return "nodes-and-logs";
  return nodes.length > 0 ? "nodes" : "none";
}

/** The parameters of `writeRecords`. */
export function recordColumns(
  kind: RecordKind,
  nodes: readonly (NodeRecord & { readonly executionId: string })[],
  logs: readonly (LogRecord & { readonly executionId: string })[],
): Buffer[] {
  if (kind === "none") return [];
  return kind === "nodes" ? nodeColumns(nodes) : [...nodeColumns(nodes), ...logColumns(logs)];
}

const nodeColumnsCount = 14;

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
  const nodes = writeNodes(first, owner);
  return kind === "nodes" ? nodes : nodes + writeLogs(first + nodeColumnsCount, owner, logsWanted);
}

function writeNodes(first: number, owner: string): string {
  const at = (offset: number) => `$${first + offset}`;
  return `,
  nodes AS (
    INSERT INTO node_execution (execution_id, node_id, position, node_name, type, status, started_at, completed_at,
                                retries, handle, input, output, error, answer)
    SELECT n.* FROM unnest((SELECT ${at(0)}::text[]), ${at(1)}::text[], ${at(2)}::int[], ${at(3)}::text[], ${at(4)}::text[],
      ${at(5)}::text[], ${at(6)}::timestamptz[], ${at(7)}::timestamptz[], ${at(8)}::int[], ${at(9)}::text[],
      ${at(10)}::text[], ${at(11)}::text[], ${at(12)}::text[], ${at(13)}::text[]) AS n(execution_id)
    JOIN ${owner} ON ${owner}.id = n.execution_id
    ON CONFLICT (execution_id, node_id) DO UPDATE SET status = excluded.status, started_at = excluded.started_at,
      completed_at = excluded.completed_at, retries = excluded.retries, handle = excluded.handle,
      input = excluded.input, output = excluded.output, error = excluded.error, answer = excluded.answer,
      sequence = excluded.sequence)`;
}

function writeLogs(first: number, owner: string, logsWanted: string): string {
  const at = (offset: number) => `$${first + offset}`;
  return `,
  logs AS (
    INSERT INTO log_entry (execution_id, timestamp, level, node_id, message, data)
    SELECT l.* FROM unnest((SELECT ${at(0)}::text[]), ${at(1)}::timestamptz[], ${at(2)}::text[], ${at(3)}::text[],
      ${at(4)}::text[], ${at(5)}::text[]) AS l(execution_id, timestamp, level, node_id, message)
    JOIN ${owner} ON ${owner}.id = l.execution_id
    WHERE ${logsWanted})`;
}
