import { cancelWaitedFor } from "#lib/executions/cancel-execution.ts";
import { loadVersion } from "#lib/executions/compiled-version.ts";
import { finishExecution } from "#lib/executions/finish-execution.ts";
import { leaseSeconds } from "#lib/executions/insert-execution.ts";
import { Journal } from "#lib/executions/journal.ts";
import { createMask } from "#lib/executions/mask-secrets.ts";
import { noRecords, type RunRecords } from "#lib/executions/node-record.ts";
import { readRecords } from "#lib/executions/read-records.ts";
import { recordedWarnings } from "#lib/executions/recorded-outcomes.ts";
import { wakeParent } from "#lib/executions/relatives.ts";
import type { Run, TriggerData } from "#lib/executions/run.ts";
import { runningRuns } from "#lib/executions/running-runs.ts";
import { runWatch } from "#lib/executions/watch-runs.ts";
import { query } from "#lib/platform/database.ts";
import { processName } from "./process-name.ts";

/** Times that the process doing a run may die before the run is held to be the cause. */
const lossesMax = 3;

interface ClaimedRow {
  id: string;
  workspace_id: string;
  flow_id: string;
  flow_name: string;
  flow_version: number;
  trigger: string;
  started_at: Date;
  timeout_ms: number;
  work_ms: number;
  source: string;
  fence: number;
  losses: number;
  from_node: string | null;
}

// Runs whose wait is over; runs that nobody has, and runs whose process did not renew its lease. Those that this
// process is doing itself ($3) may be late, as after a pause, but are not lost. Each claim raises the fence: whoever
// held the run before cannot write any more. Leases and waits are told by the database's clock alone.
const claim = `
  WITH woken AS MATERIALIZED (
    SELECT id FROM execution WHERE status = 'running' AND wake_at <= now() AND id <> ALL($3::text[])
    ORDER BY wake_at LIMIT $2 FOR UPDATE SKIP LOCKED),
  fresh AS MATERIALIZED (
    SELECT id FROM execution
    WHERE status IN ('pending', 'running') AND wake_at IS NULL AND (status = 'pending' OR lease_until < now())
      AND id <> ALL($3::text[])
    ORDER BY started_at LIMIT greatest(0, $2::int - (SELECT count(*) FROM woken)) FOR UPDATE SKIP LOCKED)
  UPDATE execution e SET status = 'running', fence = e.fence + 1, lease_owner = $1,
    lease_until = now() + interval '${leaseSeconds} seconds', wake_at = NULL,
    losses = e.losses + CASE WHEN e.status = 'running' AND e.lease_owner IS NOT NULL THEN 1 ELSE 0 END
  FROM (SELECT id FROM woken UNION ALL SELECT id FROM fresh) AS picked WHERE e.id = picked.id
  RETURNING e.id, e.workspace_id, e.flow_id, e.flow_name, e.flow_version, e.trigger, e.started_at, e.timeout_ms,
    e.work_ms, e.source, e.fence, e.losses, e.from_node`;

export interface Claim {
  readonly run: Run;
  readonly recorded: RunRecords;
}

/** Takes up to `most` runs to do. */
export async function claimRuns(most: number): Promise<Claim[]> {
  const rows = await query<ClaimedRow>("claim-runs", claim, [processName(), most, [...runningRuns().keys()]]);
  runWatch().changed(rows.map((row) => row.id));
  const begun = rows.filter((row) => row.fence > 1 || row.from_node !== null).map((row) => row.id);
  const [recorded, warned] = await Promise.all([readRecords(begun), recordedWarnings(begun)]);
  const claims: Claim[] = [];
  for (const row of rows) {
    const version = await loadVersion(row.flow_id, row.flow_version);
    if (version === null) await giveUp(row, "The version of the flow that this run is of is gone", "FLOW_GONE");
    else if (row.losses >= lossesMax) {
      await giveUp(row, `The process that ran it died ${lossesMax} times: the run may be the cause`, "WORKER_LOST");
    } else {
      const run = runOf(row, version);
      const records = recorded.get(row.id) ?? noRecords;
      run.journal.resume(records, warned.get(row.id) ?? []);
      claims.push({ run, recorded: records });
    }
  }
  return claims;
}

function runOf(row: ClaimedRow, version: Run["version"]): Run {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    flowId: row.flow_id,
    flowName: row.flow_name,
    startedAt: row.started_at.toISOString(),
    timeoutMs: row.timeout_ms,
    workedMs: row.work_ms,
    isSubFlow: row.source === "sub-flow",
    fence: row.fence,
    trigger: JSON.parse(row.trigger) as TriggerData,
    triggerJson: row.trigger,
    version,
    journal: new Journal(),
    stop: new AbortController(),
    secrets: new Map(),
    mask: createMask([]),
  };
}

async function giveUp(row: ClaimedRow, message: string, code: string): Promise<void> {
  const completedAt = new Date().toISOString();
  await finishExecution({
    executionId: row.id,
    fence: row.fence,
    status: "failed",
    completedAt,
    output: null,
    error: { message, nodeId: null, code },
    warnings: null,
    nodesExecuted: null,
    errorCount: 1,
    warningCount: 0,
    reason: null,
    nodes: [],
    logs: [{ timestamp: completedAt, level: "error", nodeId: null, message, data: null }],
  });
  if (row.source === "sub-flow") await wakeParent(row.id);
  await cancelWaitedFor(row.id);
}
