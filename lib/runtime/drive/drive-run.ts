import { durationInWords } from "#lib/duration.ts";
import type { Answer, JsonText, Outcome } from "#lib/engine/outcome.ts";
import { type NodeWork, type RunResult, runFlow } from "#lib/engine/run.ts";
import { cancelWaitedFor, recordStoppedRun } from "#lib/executions/cancel-execution.ts";
import { joinNode, resumeNode, runNode } from "#lib/executions/nodes/run-node.ts";
import { type Run, StopReason, stopKind } from "#lib/executions/run.ts";
import type { RunRecords } from "#lib/executions/store/node-record.ts";
import { suspendRun } from "#lib/executions/store/record-wait.ts";
import type { FinishedRun } from "#lib/executions/store/run-row.ts";
import { runningRuns, stopRun } from "#lib/executions/store/runs-in-process.ts";
import { wakeParent } from "#lib/executions/sub-flow-runs.ts";
import { driftCode } from "#lib/flows/learned-types/drift.ts";
import type { EndedRun } from "#lib/flows/learned-types/learn-from-run.ts";
import { typeLearner } from "#lib/flows/learned-types/type-learner.ts";
import { isoNow } from "#lib/platform/clock.ts";
import { isRefused, levelOf, query } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { failRefused } from "./fail-run.ts";
import { outsideWorld } from "./outside-world.ts";
import { flush, RecordingIo, type Stretch } from "./run-io.ts";
import { type RunRecord, storedRecord } from "./run-record.ts";

/** How a run ended, for its waiting caller. */
export interface RunEnd {
  readonly status: FinishedRun["status"];
  readonly completedAt: string;
  readonly output: JsonText | null;
  readonly answer: Answer | null;
  readonly error: FinishedRun["error"];
  /** Why the flow's concurrency limit refused the run; null if it did not, or if that is unknown. */
  readonly refusal: string | null;
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

/**
 * Drives a run to its end. Resolves with null if another process has claimed it, or once it only waits. Rejects only
 * while nothing of the run is on disk: after that, what cannot be stored is left to the next owner of the lease.
 * `holdUntil`: epoch milliseconds until which a caller waits, so that shorter waits stay in memory. `stretch`: limits
 * how long to drive it; the next stretch continues.
 */
export async function driveRun(
  run: Run,
  records: RunRecords,
  holdUntil = 0,
  record: RunRecord = storedRecord,
  stretch?: Stretch,
): Promise<RunEnd | null> {
  stopRun(run.id, "lost");
  runningRuns().set(run.id, run);
  const io = new RecordingIo(run, records, holdUntil, record, stretch);
  try {
    warnOfBranches(run);
    const result = await runFlow(run.version.graph, io, nodeWork(run), run.stop.signal);
    await io.written();
    if (result.waiting && io.suspension !== null) {
      await flush(run, record);
      await suspendRun(run, io.clock.usedMs, io.suspension);
      return null;
    }
    return await endRun(run, result, record, run.journal.isComplete);
  } catch (error) {
    if (!record.isStored) throw error;
    if (isRefused(error)) return await endRefused(run, error);
    logLine(levelOf(error), "A run was left to another process", { executionId: run.id, ...errorFields(error) });
    return null;
  } finally {
    io.close();
    // Another claim of the same run may have replaced it.
    if (runningRuns().get(run.id) === run) runningRuns().delete(run.id);
  }
}

/**
 * Fails a run whose records PostgreSQL refuses: the next owner would meet the same error. Null if even this cannot be
 * stored.
 */
async function endRefused(run: Run, cause: unknown): Promise<RunEnd | null> {
  run.stop.abort(new StopReason("lost"));
  try {
    const { completedAt, error } = await failRefused(run, cause);
    return { status: "failed", completedAt, output: null, answer: null, error, refusal: null, outcomes: new Map() };
  } catch (error) {
    logLine(levelOf(error), "A run was left to another process", { executionId: run.id, ...errorFields(error) });
    return null;
  }
}

/** How this run's nodes are executed. */
export function nodeWork(run: Run): NodeWork {
  return {
    begin: (step) => runNode(run, step, outsideWorld()),
    resume: (step, wait, wake) => resumeNode(run, step, wait, wake, outsideWorld()),
    join: (step, outcome) => joinNode(run, step, outcome),
    collector: () => run.sizes.collector(),
  };
}

/** Warns of ambiguous branches in the run's version, in each stretch. */
export function warnOfBranches({ version, journal }: Run): void {
  for (const nodeId of version.ambiguous) {
    const message = `"${nodeId}" has more plain edges than branches: all after the second are taken as false`;
    journal.warn(nodeId, message, "AMBIGUOUS_BRANCH");
  }
}

/**
 * Ends a run that is finished or was stopped. `isComplete`: its journal still has everything. Null if another claim has to
 * end it.
 */
export async function endRun(
  run: Run,
  result: RunResult,
  record: RunRecord = storedRecord,
  isComplete = false,
): Promise<RunEnd | null> {
  const stopped = stopKind(run);
  if (stopped === "lost" || stopped === "handover") return null;
  const isEnded = stopped === null && !run.isOfDraft;
  if (isEnded) warnOfDrift(run, result);
  const finished = { ...finishedRun(run, result, stopped), isComplete };
  if (stopped === "cancelled") {
    await flush(run, record);
    await recordStoppedRun(run);
    return endOf(finished, result);
  }
  const isFirst = await record.end(finished);
  const stored = isFirst ? finished : await storedEnd(finished);
  if (stored === null) return null;
  if (isFirst && isEnded) typeLearner().learnFrom(asEnded(run, result), finished.nodes);
  // Also if an earlier attempt ended the run and its acknowledgement was lost.
  if (run.isSubFlow) await wakeParent(run.id);
  if (run.version.startsFlows) await cancelWaitedFor(run.id);
  return endOf({ ...finished, ...stored }, result);
}

function asEnded({ flowId, flowVersion, trigger }: Run, { outcomes }: RunResult): EndedRun {
  return { flowId, version: flowVersion, trigger, outcomes };
}

/** Warns of outputs unlike those of all earlier runs: the data that the flow reads may have changed. */
function warnOfDrift(run: Run, result: RunResult): void {
  const drift = typeLearner().driftIn(asEnded(run, result));
  if (drift === null) return;
  const { nodeId, path, message } = drift;
  const data = JSON.stringify({ code: driftCode, path });
  run.journal.log("warning", nodeId, `${path} ${message}`, data, driftCode);
}

/** Why a run ended before its nodes did; null if it ran to its end. */
type Stopped = "cancelled" | "timeout" | "steps" | null;

function finishedRun(run: Run, result: RunResult, stopped: Stopped): FinishedRun {
  const { journal } = run;
  const ownStatus = stopped === "steps" || result.failure !== null ? "failed" : "completed";
  const status = stopped === "cancelled" || stopped === "timeout" ? stopped : ownStatus;
  const error = errorOf(run, result, stopped);
  if (stopped !== null && error !== null) journal.log("error", null, error.message, null);
  const { nodes, logs } = journal.take();
  return {
    executionId: run.id,
    fence: run.fence,
    status,
    completedAt: isoNow(),
    output: status === "completed" ? result.output.json : null,
    error,
    warnings: journal.warnings.length === 0 ? null : JSON.stringify(journal.warnings),
    nodesExecuted: journal.nodesExecuted,
    errorCount: journal.errorCount,
    warningCount: journal.warningCount,
    reason: null,
    nodes,
    logs,
  };
}

function errorOf(run: Run, { failure }: RunResult, stopped: Stopped): FinishedRun["error"] {
  if (stopped === "timeout") {
    return {
      message: `The run passed its time limit of ${durationInWords(run.timeoutMs)}`,
      nodeId: null,
      code: "TIMEOUT",
    };
  }
  if (stopped === "steps") {
    const message = `The run took ${env().runStepsMax} steps, as many as a run may take (RUN_STEPS_MAX)`;
    return { message, nodeId: null, code: "TOO_MANY_STEPS" };
  }
  if (stopped !== null || failure === null) return null;
  return { message: failure.error.message, nodeId: failure.nodeId, code: failure.error.code };
}

/**
 * How the run ended if this write did not end it: its acknowledgement may have been lost, or a cancellation came first.
 * Null if the run belongs to another claim.
 */
async function storedEnd({ executionId, fence, status, error }: FinishedRun) {
  const text = "SELECT status, completed_at FROM execution WHERE id = $1 AND fence = $2 AND status = ANY($3::text[])";
  const rows = await query<{ status: "cancelled" | typeof status; completed_at: Date }>("stored-end", text, [
    executionId,
    fence,
    [status, "cancelled"],
  ]);
  const [row] = rows;
  if (row === undefined) return null;
  const isOwn = row.status === status;
  return { status: row.status, completedAt: row.completed_at.toISOString(), error: isOwn ? error : null };
}

function endOf({ status, completedAt, error }: FinishedRun, result: RunResult): RunEnd {
  const completed = status === "completed";
  return {
    status,
    completedAt,
    output: completed ? result.output : null,
    answer: completed ? result.answer : null,
    error,
    refusal: null,
    outcomes: result.outcomes,
  };
}
