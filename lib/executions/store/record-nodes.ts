import { noteFilesOfStored } from "#lib/executions/files/note-files.ts";
import { runWatch } from "#lib/executions/live/watch-runs.ts";
import { Batcher } from "#lib/platform/batcher.ts";
import { isUnavailable, query } from "#lib/platform/database.ts";
import { type Columns, int, RowsParameter, text } from "#lib/platform/rows-parameter.ts";
import { singleton } from "#lib/platform/singleton.ts";
import type { LogRecord, NodeRecord } from "./node-record.ts";
import { isOnlyRun } from "./runs-in-process.ts";
import { type RecordKind, recordColumns, recordKindOf, recordsBytes, writeRecords } from "./store-columns.ts";
import { untilAvailable } from "./until-available.ts";

export interface NodesOfRun {
  readonly executionId: string;
  /** The claim that may write. After a later claim, nothing is written. */
  readonly fence: number;
  readonly nodes: readonly NodeRecord[];
  readonly logs: readonly LogRecord[];
}

type OfRun<Row> = Row & { readonly executionId: string };

const claims = new RowsParameter(
  { id: text(([id]) => id), fence: int(([, fence]) => fence) } satisfies Columns<readonly [string, number]>,
  1,
);

// Locks the rows against a claim between the check and the write, in the order in which leases are renewed.
const recordText = (kind: RecordKind, logsWanted = "true") => `
  WITH owner AS (
    SELECT e.id, e.status FROM execution e
    JOIN ${claims.as("c")} ON c.id = e.id AND c.fence = e.fence
    ORDER BY e.id FOR SHARE OF e)
  ${writeRecords({ kind, first: claims.next, owner: "owner", logsWanted })}
  SELECT id, status FROM owner`;

const record: Readonly<Record<RecordKind, string>> = {
  none: recordText("none"),
  nodes: recordText("nodes"),
  "nodes-and-logs": recordText("nodes-and-logs"),
};
// The first attempt may have succeeded with its acknowledgement lost. Node rows are overwritten, but log entries would
// be duplicated.
const recordAgain = recordText(
  "nodes-and-logs",
  `NOT EXISTS (
      SELECT 1 FROM log_entry k WHERE k.execution_id = l.execution_id AND k.timestamp = l.timestamp
        AND k.node_id IS NOT DISTINCT FROM l.node_id AND k.level = l.level AND k.message = l.message)`,
);

const patienceMs = 120_000;

const batcher = () =>
  singleton(
    "record-nodes",
    () =>
      new Batcher<NodesOfRun, string | null>({
        handle: recordAll,
        itemsMax: 200,
        bytesOf: ({ nodes, logs }) => recordsBytes(nodes, logs),
        batchesMax: 1, // so that a node's records are written in their order
        isAlone: isOnlyRun,
        tryAlone: (error) => !isUnavailable(error),
      }),
  );

/** Stores what nodes did. Returns the run's status, or null, having written nothing, if it belongs to another claim. */
export function recordNodes(run: NodesOfRun): Promise<string | null> {
  return batcher().add(run);
}

async function recordAll(runs: readonly NodesOfRun[]): Promise<(string | null)[]> {
  // Of two claims of one run, only the later one may still write.
  const latest = new Map<string, number>();
  for (const { executionId, fence } of runs) latest.set(executionId, Math.max(fence, latest.get(executionId) ?? 0));
  const isLatest = (run: NodesOfRun) => latest.get(run.executionId) === run.fence;
  const writers = runs.filter(isLatest);
  await noteFilesOfStored(writers, patienceMs);
  const nodes = new Map<string, OfRun<NodeRecord>>();
  for (const { executionId, nodes: records } of writers) {
    // A statement may not write a row twice: a node's last record wins.
    for (const node of records) nodes.set(`${executionId} ${node.nodeId}`, { ...node, executionId });
  }
  const logs = writers.flatMap(({ executionId, logs: entries }) => entries.map((entry) => ({ ...entry, executionId })));
  const rows = await write(claims.values([...latest]), [...nodes.values()], logs);
  runWatch().changed(latest.keys());
  const statuses = new Map(rows.map((row) => [row.id, row.status]));
  return runs.map((run) => (isLatest(run) ? (statuses.get(run.executionId) ?? null) : null));
}

async function write(
  claimed: readonly Buffer[],
  nodes: readonly OfRun<NodeRecord>[],
  logs: readonly OfRun<LogRecord>[],
) {
  const kind = recordKindOf(nodes, logs);
  let tries = 0;
  return await untilAvailable(patienceMs, () => {
    tries += 1;
    const isAgain = tries > 1 && kind === "nodes-and-logs";
    const [name, text] = isAgain ? ["record-again", recordAgain] : [`record-${kind}`, record[kind]];
    return query<{ id: string; status: string }>(name, text, [...claimed, ...recordColumns(kind, nodes, logs)]);
  });
}
