import type { RunLimit } from "#lib/executions/nodes/run-limit.ts";
import type { ExecutionModel } from "#lib/platform/prisma/models.ts";
import { type Columns, int, text, time } from "#lib/platform/rows-parameter.ts";
import type { LogRecord, NodeRecord } from "./node-record.ts";

/**
 * A run's row, its states, and the statements that move it from one to the next. `completed_at` is set in the last ones
 * only, and `fence` counts the claims: a process may write to a run only under the fence of its own claim.
 *
 *              insert-execution.ts            claim-runs.ts              finish-execution.ts
 *   (none) ──────────────────────▶ pending ─────────────────▶ running ────────────────────────▶ completed, failed,
 *     │ │                          (held: waits for its turn   ▲ │ ▲                             cancelled, timeout
 *     │ │                           under the flow's limit)    │ │ │ claim-runs.ts: due, or          ▲
 *     │ │                                                      │ ▼ │ its lease has run out           │
 *     │ │  insert-execution.ts, for the process that runs it   │ waiting, without a lease            │
 *     │ └──────────────────────────────────────────────────────┘ (record-wait.ts sets `wake_at`)     │
 *     │                                                                                              │
 *     │    store-ended-run.ts, for a run that ended before anything of it was written                │
 *     └──────────────────────────────────────────────────────────────────────────────────────────────┘
 *
 * Meanwhile record-nodes.ts writes what its nodes did. Every statement writes a batch of runs; its columns are below.
 */

/** A run as first written: `pending` for a worker, or `running` in the process that starts it. */
export interface NewExecution {
  readonly id: string;
  readonly workspaceId: string;
  readonly flowId: string;
  readonly flowName: string;
  readonly flowVersion: number;
  readonly status: "pending" | "running";
  readonly triggerType: string;
  /** JSON text of `{body, headers, query, method}`. */
  readonly trigger: string;
  readonly source: string;
  readonly metadata: string;
  readonly startedAt: string;
  readonly timeoutMs: number;
  readonly originalExecutionId: string | null;
  readonly fromNode: string | null;
  /** The process that runs it; null while pending. */
  readonly leaseOwner: string | null;
  /** For a flow that limits its runs: the run is held until a slot is free. */
  readonly limit: RunLimit | null;
  /** The version of the flow's row (`xmin`) that the run was created from, if it came from the cache; else null. */
  readonly flowRow: string | null;
}

/** How a run ended, with everything about it that is not stored yet. */
export interface FinishedRun {
  readonly executionId: string;
  /** The only claim that may finish the run; null if any may, as with a cancellation. */
  readonly fence: number | null;
  readonly status: "completed" | "failed" | "cancelled" | "timeout";
  readonly completedAt: string;
  /** JSON text. */
  readonly output: string | null;
  readonly error: { readonly message: string; readonly nodeId: string | null; readonly code: string } | null;
  readonly warnings: string | null;
  /** Null: count the stored ones. */
  readonly nodesExecuted: number | null;
  readonly errorCount: number;
  readonly warningCount: number;
  readonly reason: string | null;
  readonly nodes: readonly NodeRecord[];
  readonly logs: readonly LogRecord[];
  /** True if none of its nodes and log is stored yet: then both are stored as one value, unless they are many. */
  readonly isComplete?: boolean;
}

/** A run's row as most read it: without its output, which may be large. */
export type FoundExecution = Omit<ExecutionModel, "output">;

/** Seconds that a claim lasts without a heartbeat. */
export const leaseSeconds = 10;
/** Ends that long after it is stored. `now()` would count from before its statement waited for a lock. */
export const newLease = `clock_timestamp() + interval '${leaseSeconds} seconds'`;

/** The columns that runs of one flow have in common. */
export const flowColumns = {
  workspace_id: text((run) => run.workspaceId),
  flow_id: text((run) => run.flowId),
  flow_name: text((run) => run.flowName),
  flow_version: int((run) => run.flowVersion),
  trigger_type: text((run) => run.triggerType),
  source: text((run) => run.source),
  timeout_ms: int((run) => run.timeoutMs),
} satisfies Columns<NewExecution>;

/** The columns that each run has of its own when it starts. */
export const startColumns = {
  id: text((run) => run.id),
  trigger: text((run) => run.trigger),
  metadata: text((run) => run.metadata),
  started_at: time((run) => run.startedAt),
} satisfies Columns<NewExecution>;

/** The columns of a run that another process may continue; null for a run that ended at once. */
export const openColumns = {
  status: text((run) => run.status),
  original_execution_id: text((run) => run.originalExecutionId),
  from_node: text((run) => run.fromNode),
  lease_owner: text((run) => run.leaseOwner),
  concurrency_key: text((run) => run.limit?.key ?? null),
  concurrency_limit: int((run) => run.limit?.most ?? null),
  concurrency_policy: text((run) => run.limit?.policy ?? null),
} satisfies Columns<NewExecution>;

/** The columns of a run's end, except `journal`. */
export const endColumns = {
  status: text((run) => run.status),
  completed_at: time((run) => run.completedAt),
  output: text((run) => run.output),
  error_message: text((run) => run.error && storableText(run.error.message)),
  error_node_id: text((run) => run.error?.nodeId ?? null),
  error_code: text((run) => run.error?.code ?? null),
  warnings: text((run) => run.warnings),
  nodes_executed: int((run) => run.nodesExecuted),
  error_count: int((run) => run.errorCount),
  warning_count: int((run) => run.warningCount),
} satisfies Columns<FinishedRun>;

/** `duration_ms` as SQL, from two times. */
export function durationBetween(start: string, end: string): string {
  return `least(greatest(0, round(extract(epoch FROM ${end} - ${start}) * 1000)), 2147483647)::int`;
}

/** Plain text without U+0000, which PostgreSQL cannot store. */
export function storableText(given: string): string {
  return given.replaceAll("\u0000", "\uFFFD");
}
