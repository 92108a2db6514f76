import { finishExecution } from "#lib/executions/finish-execution.ts";
import type { StartedFlow } from "#lib/executions/new-execution.ts";
import type { TriggerData } from "#lib/executions/run.ts";
import { limitOf, type RunLimit } from "#lib/executions/run-limit.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { isoNow } from "#lib/platform/clock.ts";
import { outside } from "./outside.ts";

/** The limit that a run is under, if any; and why its key could not be told, when it could not. */
interface LimitedRun {
  readonly limit: RunLimit | null;
  readonly failure: NodeFailure | null;
}

/** A run whose key cannot be told is held all the same: it must neither be lost nor run beside others. */
export async function limitRun(flow: StartedFlow, trigger: TriggerData): Promise<LimitedRun> {
  try {
    return { limit: await limitOf(flow, trigger, outside().sandbox), failure: null };
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    return { limit: { key: `${flow.id}!`, most: 1, policy: "queue" }, failure: error };
  }
}

/** Ends a stored run whose key could not be told. */
export async function failLimitedRun(executionId: string, failure: NodeFailure): Promise<void> {
  const completedAt = isoNow();
  const message = `settings.concurrency.${failure.message}`;
  await finishExecution({
    executionId,
    fence: null,
    status: "failed",
    completedAt,
    output: null,
    error: { message, nodeId: null, code: failure.code },
    warnings: null,
    nodesExecuted: 0,
    errorCount: 1,
    warningCount: 0,
    reason: null,
    nodes: [],
    logs: [{ timestamp: completedAt, level: "error", nodeId: null, message, data: null }],
  });
}
