import type { Reason } from "#lib/contract/executions/executions.ts";
import { ancestorsOf } from "#lib/engine/compile.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import type { Outcome } from "#lib/engine/outcome.ts";
import type { Step } from "#lib/engine/step.ts";
import { type CompiledVersion, loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import { resumeUrl } from "#lib/executions/resume-token.ts";
import type { TriggerData } from "#lib/executions/run.ts";
import { recordedOutcomes } from "#lib/executions/store/recorded-outcomes.ts";
import type { FoundExecution } from "#lib/executions/store/run-row.ts";
import { followPath, type PathRead, pathsRead, readProgram } from "#lib/expressions/expressions.ts";
import { parseOwnJson } from "#lib/json/parse-json.ts";
import { scopeOf } from "#lib/scope/scope.ts";
import { cutValue, decidedOn, type RecordedStep, recordedSteps } from "./recorded-steps.ts";
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

/** Names whose values may be shown: the run's records, never a credential. */
const shownNames: ReadonlySet<string> = new Set([
  "$trigger",
  "$vars",
  "$execution",
  "$flow",
  "$node",
  "$nodes",
  "$switch",
]);

/** The maximum number of paths per expression. */
const pathsMax = 20;

/**
 * What a failed expression had read: each path as far as it leads, with the value there. Empty for other failures, and
 * for steps of a loop's body.
 */
export async function whyFailed(
  run: FoundExecution,
  version: CompiledVersion,
  { nodeId, iteration, error }: RecordedStep,
): Promise<Reason[]> {
  const node = version.graph.byId.get(nodeId);
  if (error?.expression === undefined || iteration !== null || node === undefined) return [];
  const paths = pathsRead(error.expression)
    .filter(({ root }) => shownNames.has(root))
    .slice(0, pathsMax);
  if (paths.length === 0) return [];
  const outcomes = await outcomesRead(run.id, version, nodeId, paths);
  const taken = node.incoming.filter(({ source }) => source === triggerSource || outcomes.has(source));
  const step: Step = { id: nodeId, node, taken, frame: { graph: version.graph, outcomes, iteration: null } };
  const scope = scopeOf(
    {
      id: run.id,
      workspaceId: run.workspaceId,
      flowId: run.flowId,
      flowName: run.flowName,
      startedAt: run.startedAt.toISOString(),
      trigger: { value: (await parseOwnJson(run.trigger)) as TriggerData, json: run.trigger },
      version,
    },
    step,
    {},
    resumeUrl,
  );
  return paths.map((path) => {
    const { text, value } = followPath(path, scope.value(path.root, readProgram(path.steps[0]?.text ?? path.root)));
    return { nodeId: nodeReadBy(path, step), handle: null, expression: text, value: cutValue(value) };
  });
}

/** The outcomes of the nodes that it reads, and of those that led here. */
async function outcomesRead(
  executionId: string,
  { graph }: CompiledVersion,
  nodeId: string,
  paths: readonly PathRead[],
): Promise<ReadonlyMap<string, Outcome>> {
  const before = ancestorsOf(graph, nodeId);
  const named = new Set(paths.flatMap(({ root, steps }) => (root === "$nodes" ? [String(steps[0]?.key)] : [])));
  const readsAny = paths.some(({ root }) => root === "$node" || root === "$switch");
  const readNodes = before.filter((id) => readsAny || named.has(id));
  if (readNodes.length === 0) return new Map();
  return (await recordedOutcomes([executionId], readNodes)).get(executionId) ?? new Map();
}

function nodeReadBy({ root, steps }: PathRead, { taken }: Step): string | null {
  if (root === "$nodes") return String(steps[0]?.key);
  const source = root === "$node" ? taken[0]?.source : undefined;
  return source === undefined || source === triggerSource ? null : source;
}
