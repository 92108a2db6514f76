import type { StreamEvent } from "#lib/contract/executions/stream.ts";
import { showLogEntry } from "#lib/executions/read-logs.ts";
import { outsideLoops, showNodes, withItemCounts } from "#lib/executions/store/nodes-of-execution.ts";
import { database, query } from "#lib/platform/database.ts";
import type { NodeExecutionModel } from "#lib/platform/prisma/models.ts";
import { mapInTurns } from "#lib/platform/turns.ts";

/** Rows read at once: what a slow reader has not consumed stays in the database. */
const pageMax = 100;

/** A changed node or log entry, with its position in the order of changes. */
export interface Change {
  readonly sequence: number;
  readonly event:
    | Omit<Extract<StreamEvent, { event: "node" }>, "id">
    | Omit<Extract<StreamEvent, { event: "log" }>, "id">;
}

interface ChangesOptions {
  /** Nodes after this position. */
  readonly nodesAfter: number;
  /** Log entries after this position. */
  readonly logsAfter: number;
  readonly isOpen: boolean;
  readonly withPayloads: boolean;
  readonly withCounts?: boolean;
}

/** The first page of a run's changes, in order; empty if there are none. */
export async function changesOfRun(executionId: string, options: ChangesOptions): Promise<Change[]> {
  const { nodesAfter, logsAfter, isOpen, withPayloads, withCounts = false } = options;
  const last = await lastChange(executionId);
  if (last <= logsAfter) return [];
  const [nodes, logs] = await Promise.all([
    database().nodeExecution.findMany({
      where: { executionId, sequence: { gt: nodesAfter, lte: last }, ...outsideLoops },
      orderBy: { sequence: "asc" },
      take: pageMax,
      ...(withPayloads ? {} : { omit: { input: true, output: true } }),
    }),
    database().logEntry.findMany({
      where: { executionId, id: { gt: logsAfter, lte: last } },
      orderBy: { id: "asc" },
      take: pageMax,
    }),
  ]);
  const shown = await showNodes(executionId, nodes as NodeExecutionModel[], isOpen, withPayloads);
  const counted = withCounts ? await withItemCounts(executionId, shown) : shown;
  const changes: Change[] = [
    ...nodes.flatMap((row, index) => {
      const data = counted[index];
      return data === undefined ? [] : [{ sequence: Number(row.sequence), event: { event: "node" as const, data } }];
    }),
    ...(await mapInTurns(logs, (row) => {
      return { sequence: Number(row.id), event: { event: "log" as const, data: showLogEntry(row) } };
    })),
  ];
  // If a page is full, more rows of its kind may precede the rest of the other kind.
  const ends = [nodes.at(pageMax - 1)?.sequence, logs.at(pageMax - 1)?.id].flatMap((end) => end ?? []).map(Number);
  const readTo = Math.min(...ends);
  return changes.filter(({ sequence }) => sequence <= readTo).sort((a, b) => a.sequence - b.sequence);
}

const readLast = `
  SELECT greatest(
    (SELECT max(sequence) FROM node_execution WHERE execution_id = $1),
    (SELECT max(id) FROM log_entry WHERE execution_id = $1)) AS last`;

/**
 * The position of the run's last change; 0 if there is none. One statement covers nodes and log, because the second of
 * two reads could see more than the first.
 */
export async function lastChange(executionId: string): Promise<number> {
  const [row] = await query<{ last: string | null }>("last-change", readLast, [executionId]);
  return Number(row?.last ?? 0);
}
