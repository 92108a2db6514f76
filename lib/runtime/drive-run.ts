import type { Answer, JsonText, Outcome } from "#lib/engine/outcome.ts";
import { type RunResult, runFlow } from "#lib/engine/run.ts";
import { amendStopped } from "#lib/executions/amend-stopped.ts";
import { type FinishedRun, finishExecution } from "#lib/executions/finish-execution.ts";
import { type Run, StopReason, stopKind } from "#lib/executions/run.ts";
import { runNode } from "#lib/executions/run-node.ts";
import { runningRuns, stopRun } from "#lib/executions/running-runs.ts";
import { query } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { outside } from "./outside.ts";
import { flush, recordingIo } from "./run-io.ts";

/** How a run ended, for whoever waits for it. */
export interface RunEnd {
  readonly status: FinishedRun["status"];
  readonly completedAt: string;
  readonly output: JsonText | null;
  readonly answer: Answer | null;
  readonly error: FinishedRun["error"];
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

/**
 * Does a run from where it stands to its end. Resolves with null when the run is not this process's any more; never
 * rejects: what cannot be stored is left to whoever takes the lease over.
 */
export async function driveRun(run: Run, recorded: ReadonlyMap<string, Outcome>): Promise<RunEnd | null> {
  stopRun(run.id, "lost");
  runningRuns().set(run.id, run);
  const timer = setTimeout(() => run.stop.abort(new StopReason("timeout")), run.timeoutMs);
  try {
    warnOfBranches(run);
    const execute: Parameters<typeof runFlow>[2] = (node, taken, outcomes) =>
      runNode(run, node, taken, outcomes, outside());
    const io = recordingIo(run, recorded);
    const result = await runFlow(run.version.graph, io, execute, run.stop.signal);
    await io.written();
    return await end(run, result);
  } catch (error) {
    logLine("error", "A run was left to another process", { executionId: run.id, ...errorFields(error) });
    return null;
  } finally {
    clearTimeout(timer);
    // Another claim of the same run may have taken its place.
    if (runningRuns().get(run.id) === run) runningRuns().delete(run.id);
  }
}

function warnOfBranches({ version, journal }: Run): void {
  for (const nodeId of version.ambiguous) {
    const message = `"${nodeId}" has more plain edges than branches: all after the second are taken as false`;
    journal.warn(nodeId, message, "AMBIGUOUS_BRANCH");
  }
}

async function end(run: Run, result: RunResult): Promise<RunEnd | null> {
  const stopped = stopKind(run);
  if (stopped === "lost" || stopped === "handover") return null;
  const finished = finishedRun(run, result, stopped);
  if (stopped === "cancelled") {
    await flush(run);
    await amendStopped(run);
    return endOf(finished, result);
  }
  const won = await finishExecution(finished);
  if (!won && !(await endedLikeThis(finished))) return null;
  return endOf(finished, result);
}

function finishedRun(run: Run, result: RunResult, stopped: "cancelled" | "timeout" | null): FinishedRun {
  const { journal } = run;
  const status = stopped ?? (result.failedNodeId === null ? "completed" : "failed");
  const error = errorOf(run, result, stopped);
  if (status === "timeout") journal.log("error", null, error?.message ?? "", null);
  const { nodes, logs } = journal.take();
  return {
    executionId: run.id,
    fence: run.fence,
    status,
    completedAt: new Date().toISOString(),
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

function errorOf(run: Run, { failedNodeId, outcomes }: RunResult, stopped: string | null): FinishedRun["error"] {
  if (stopped === "timeout") {
    return { message: `The run passed its time limit of ${run.timeoutMs} ms`, nodeId: null, code: "TIMEOUT" };
  }
  const outcome = failedNodeId === null ? undefined : outcomes.get(failedNodeId);
  if (stopped !== null || outcome?.status !== "failed") return null;
  return { message: outcome.error.message, nodeId: failedNodeId, code: outcome.error.code };
}

/** The answer to a write may be lost after the write was done: then the row tells. */
async function endedLikeThis({ executionId, fence, status }: FinishedRun): Promise<boolean> {
  const text = "SELECT 1 AS found FROM execution WHERE id = $1 AND fence = $2 AND status = $3";
  return (await query("ended-like-this", text, [executionId, fence, status])).length > 0;
}

function endOf({ status, completedAt, error }: FinishedRun, result: RunResult): RunEnd {
  const completed = status === "completed";
  return {
    status,
    completedAt,
    output: completed ? result.output : null,
    answer: completed ? result.answer : null,
    error,
    outcomes: result.outcomes,
  };
}
