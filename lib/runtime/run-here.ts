import type { CompiledVersion } from "#lib/executions/compiled-version.ts";
import { insertExecution } from "#lib/executions/insert-execution.ts";
import { Journal } from "#lib/executions/journal.ts";
import { createMask } from "#lib/executions/mask-secrets.ts";
import { newExecution, type StartedFlow, type StartRequest } from "#lib/executions/new-execution.ts";
import { noRecords } from "#lib/executions/node-record.ts";
import type { Run } from "#lib/executions/run.ts";
import { env } from "#lib/platform/env.ts";
import { driveRun } from "./drive-run.ts";
import { processName } from "./process-name.ts";
import type { StartedRun } from "./start-run.ts";

/**
 * The inline runtime: writes the record with a lease of this process, then runs at once. If the process dies, a
 * worker takes the lease over. Resolves when the record is on disk. A run that comes to wait for longer than its caller
 * does is let go: its end is null.
 */
export async function runHere(
  flow: StartedFlow,
  version: CompiledVersion,
  request: Omit<StartRequest, "leaseOwner">,
): Promise<StartedRun> {
  const execution = newExecution(flow, { ...request, leaseOwner: processName() });
  await insertExecution(execution);
  const run: Run = {
    id: execution.id,
    workspaceId: flow.workspaceId,
    flowId: flow.id,
    flowName: flow.name,
    startedAt: execution.startedAt,
    timeoutMs: execution.timeoutMs,
    workedMs: 0,
    fence: 1,
    trigger: request.trigger,
    triggerJson: execution.trigger,
    version,
    journal: new Journal(),
    stop: new AbortController(),
    secrets: new Map(),
    mask: createMask([]),
  };
  const end = driveRun(run, noRecords, Date.now() + env().syncWaitMs);
  return { executionId: run.id, startedAt: run.startedAt, end };
}
