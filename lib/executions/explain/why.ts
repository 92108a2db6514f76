import type { Reason } from "#lib/contract/executions/executions.ts";
import { type CompiledVersion, loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import type { FoundExecution } from "#lib/executions/store/run-row.ts";
import { decidedOn, recordedSteps } from "./recorded-steps.ts";
import { whyFailed } from "./why-failed.ts";
import { isReached, pathBack, type RecordedGraph, whySkipped } from "./why-skipped.ts";
import { whyWaited } from "./why-waited.ts";

/** Why a node of a run is in its state; empty if there is nothing to explain. */
export async function whyOf(run: FoundExecution, nodeId: string): Promise<Reason[]> {
  const version = await loadVersion(run.flowId, run.flowVersion);
  if (version === null || !version.graph.byId.has(nodeId)) return [];
  const steps = await recordedSteps(run.id, { inLoops: false, most: version.graph.byId.size });
  const step = steps.find((candidate) => candidate.nodeId === nodeId);
  if (!isReached(step)) {
    return run.completedAt === null ? [] : await whyNotRun(run, version, nodeId, steps);
  }
  const failed = await whyFailed(run, version, step);
  const waited = (await whyWaited(run.id, 1, [step.id])).get(step.id);
  return waited === undefined ? failed : [...failed, waited];
}

async function whyNotRun(
  run: FoundExecution,
  { graph }: CompiledVersion,
  nodeId: string,
  steps: Awaited<ReturnType<typeof recordedSteps>>,
): Promise<Reason[]> {
  const recorded: RecordedGraph = { graph, steps: new Map(steps.map((step) => [step.nodeId, step])) };
  const path = pathBack(recorded, nodeId);
  const deciding = path.decisions.map(({ id }) => id);
  return whySkipped(recorded, path, run, await decidedOn(run.id, deciding));
}
